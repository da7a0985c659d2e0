// Legality of one instruction on a target, decided from its text alone, and the cells it touches.
#pragma once

#include "isa/instruction.hpp"
#include "isa/table.hpp"
#include "isa/target.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace capra::isa {

/// Why a machine trapped. The checks are made in this order of priority: pc_range, then the
/// others by number. All are decided by the text, but for index_range: whether an index names a row
/// is known when the instruction executes.
enum class Trap : std::uint8_t {
    none = 0,
    illegal_opcode = 1,
    reserved_bits = 2,
    field_range = 3,
    spad_range = 4,
    acc_range = 5,
    ext_range = 6,
    overlap = 7,
    pc_range = 8,
    index_range = 9,
};

std::string_view trap_name(Trap trap);
/// One sentence for the manual and for error messages.
std::string_view trap_prose(Trap trap);
inline constexpr unsigned kTrapCount = 10;

/// The cells one operand may touch: `rows` rows of `cols` cells, `stride` apart, from `base`.
struct Access {
    Use use;
    Space space;
    std::uint32_t base;
    std::uint32_t rows;
    std::uint32_t cols;
    std::uint32_t stride;
    bool rereads;  ///< see `OperandRow`
    bool one_row;  ///< see `OperandRow`

    /// Cells that are touched.
    [[nodiscard]] std::uint64_t count() const { return std::uint64_t{one_row ? 1 : rows} * cols; }
    /// One past the highest cell.
    [[nodiscard]] std::uint64_t end() const {
        return std::uint64_t{base} + std::uint64_t{rows - 1} * stride + cols;
    }
};

/// The operands of an instruction, in table order. Sized without allocation: no instruction has
/// more than four.
struct Accesses {
    std::array<Access, 4> items;
    unsigned count = 0;

    [[nodiscard]] const Access* begin() const { return items.data(); }
    [[nodiscard]] const Access* end() const { return items.data() + count; }
};
Accesses accesses(const Instruction& insn);

/// What the instruction writes; a `Space::none` access with no rows for HALT.
Access effect(const Instruction& insn);

/// The trap that executing `word` raises, `Trap::none` if it is legal.
Trap check_word(const Word& word, const Target& target);

/// Same, for a decoded instruction (opcode and reserved bits are then right by construction).
Trap check(const Instruction& insn, const Target& target);

}  // namespace capra::isa
