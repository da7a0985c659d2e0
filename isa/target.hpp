// A target: the sizes and timings of one implementation of the ISA. Compiler, machine and
// verifier take them from here; nothing else knows a tile size or a cycle count.
#pragma once

#include "isa/table.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace capra::isa {

/// Cost of one opcode, a polynomial over its fields.
struct OpcodeCost {
    Opcode op;
    std::vector<CostTerm> terms;
    /// Cycles of an execution that gives up because its index is out of range.
    std::uint32_t fault_cycles = 0;
};

struct Target {
    std::string name;
    std::uint32_t spad_bytes;   ///< scratchpad cells, one int8 each
    std::uint32_t acc_words;    ///< accumulators, one int32 each
    std::uint32_t prog_words;   ///< instructions the program memory holds
    std::uint32_t ext_words;    ///< external memory words, at most 2^24
    std::uint32_t tile_rows;    ///< largest m of an MM
    std::uint32_t tile_cols;    ///< largest n of an MM
    std::uint32_t tile_depth;   ///< largest k of an MM
    std::uint32_t softmax_max;  ///< longest SM row
    std::uint32_t argmax_max;   ///< longest AMAX row
    std::uint32_t fetch_decode_cycles;
    /// Cycles from a read request to its data; part of LD's cost.
    std::uint32_t ext_latency_cycles;
    std::vector<OpcodeCost> costs;

    /// Largest legal value of a field with this limit; `width_max` is what its bits can hold.
    [[nodiscard]] std::uint32_t limit(Limit limit, std::uint32_t width_max) const;

    /// Returns this target. An Error names the size or limit that no implementation can have: zero,
    /// or beyond what the instruction fields can address, count or hold; and the opcode whose
    /// cost is missing, given twice, beyond 32 bits, or of no unit. Whoever lets a target in calls
    /// this: compiler, machine, verifier.
    [[nodiscard]] const Target& validate() const;

    /// Cycles the instruction's unit is active, fetch and decode not included.
    [[nodiscard]] std::uint64_t unit_cycles(const Instruction& insn) const;

    /// Cycles the unit is active when the index of the instruction is out of range; 0 for one that
    /// has no index.
    [[nodiscard]] std::uint32_t fault_cycles(Opcode op) const;
};

/// The largest value the bits of an opcode's field can hold, 0 if it has no such field.
constexpr std::uint32_t field_max(Opcode op, Field member) {
    for (const FieldRow& field : row_of(op).fields)
        if (field.member == member)
            return static_cast<std::uint32_t>((std::uint64_t{1} << field.width) - 1);
    return 0;
}

inline constexpr std::uint32_t kMaxExtWords = 1U << 24;
inline constexpr std::uint32_t kDefaultExtWords = 8192;

/// The reference profile: 4x4 output-stationary array, a 32-bit memory port that moves one int8
/// a word, one unit at a time. Timings are the table's.
Target reference_target(std::uint32_t ext_words = kDefaultExtWords);

/// A target by name, or an Error that lists the names there are.
Target target_by_name(const std::string& name, std::uint32_t ext_words = kDefaultExtWords);

}  // namespace capra::isa
