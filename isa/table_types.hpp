// What a row of the instruction table is made of.
#pragma once

#include "isa/instruction.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace capra::isa {

/// What bounds a field's value from above, beyond its width (the values are in `Target`).
enum class Limit : std::uint8_t {
    width,        ///< any value the bits can hold
    tile_rows,    ///< rows of the matrix array
    tile_cols,    ///< columns of the matrix array
    tile_depth,   ///< operand buffer depth of the matrix array
    softmax_max,  ///< longest softmax row
    argmax_max,   ///< longest argmax row: the index must fit an int8
};

struct FieldRow {
    std::string_view name;
    Field member;
    unsigned lsb;
    unsigned width;
    std::uint32_t min;
    Limit limit;
    std::string_view prose;
    Field at_most = nullptr;  ///< a field whose value this one may not exceed
};

enum class Space : std::uint8_t { none = 0, spad = 1, acc = 2, ext = 3 };
enum class Use : std::uint8_t { read, write };

/// One operand: `rows` rows of `cols` times `cells_each` cells, `stride` apart, from `base`. A null
/// `rows` or `cols` is one. The operand exists only when flag `when` equals `when_value` (a null
/// `when`: always).
struct OperandRow {
    Use use;
    Space space;
    Field base;
    Field cols = nullptr;
    Field rows = nullptr;
    Field stride = nullptr;
    Field when = nullptr;
    std::uint32_t when_value = 0;
    std::uint32_t cells_each = 1;  ///< cells that each of the `cols` takes
    /// Read again, later than in stream order: a destination in the same space may not overlap it
    /// at all.
    bool rereads = false;
    /// Only one of the rows is touched, and the data say which.
    bool one_row = false;
};

/// One term of a cost polynomial: coefficient * x * y cycles.
struct CostTerm {
    std::uint32_t coefficient;
    Field x = nullptr;
    Field y = nullptr;
};

struct InstructionRow {
    Opcode op;
    std::string_view mnemonic;
    Unit unit;
    std::span<const FieldRow> fields;
    std::span<const OperandRow> operands;
    std::span<const CostTerm> cost;
    /// A streaming instruction reads and writes in one pass, so its destination may overlap a
    /// source only when it starts at or before it, and one that it rereads not at all.
    bool streams;
    std::string_view title;
    std::string_view semantics;
    /// Cycles after which the instruction gives up when its index is out of range, fetch and decode
    /// not included; 0 for one that has no index.
    std::uint32_t fault_cycles = 0;
};

/// Control cycles spent on every instruction: one to fetch, one to decode and check.
inline constexpr std::uint32_t kFetchDecodeCycles = 2;

}  // namespace capra::isa
