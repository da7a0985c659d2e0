// The instruction table: the only place where an opcode, a field, a timing formula, an operand
// or the prose that describes an instruction is written. Decoder, encoder, assembler, checks,
// cost model, fuzzer, rtl/isa.vh and docs/isa.md all read it.
//
// A new instruction is one row here, one exec_ function in sim/, one RTL unit, one lowering rule
// and one bench.
#pragma once

#include "isa/instruction.hpp"

#include <array>
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
};

/// Control cycles spent on every instruction: one to fetch, one to decode and check.
inline constexpr std::uint32_t kFetchDecodeCycles = 2;

namespace table_detail {

using I = Instruction;

inline constexpr FieldRow kLdFields[] = {
    {"d", &I::d, 16, 16, 0, Limit::width, "scratchpad destination"},
    {"n", &I::n, 64, 16, 1, Limit::width, "words to load"},
    {"x", &I::x, 96, 24, 0, Limit::width, "external memory source"},
};
inline constexpr OperandRow kLdOperands[] = {
    {Use::read, Space::ext, &I::x, &I::n},
    {Use::write, Space::spad, &I::d, &I::n},
};
inline constexpr CostTerm kLdCost[] = {{1, &I::n}, {9}};

inline constexpr FieldRow kStFields[] = {
    {"a", &I::a, 32, 16, 0, Limit::width, "scratchpad source"},
    {"n", &I::n, 64, 16, 1, Limit::width, "words to store"},
    {"x", &I::x, 96, 24, 0, Limit::width, "external memory destination"},
};
inline constexpr OperandRow kStOperands[] = {
    {Use::read, Space::spad, &I::a, &I::n},
    {Use::write, Space::ext, &I::x, &I::n},
};
inline constexpr CostTerm kStCost[] = {{1, &I::n}, {2}};

inline constexpr FieldRow kMmFields[] = {
    {"bt", &I::bt, 8, 1, 0, Limit::width, "B is stored transposed"},
    {"d", &I::d, 16, 16, 0, Limit::width, "accumulator destination"},
    {"a", &I::a, 32, 16, 0, Limit::width, "scratchpad address of A"},
    {"b", &I::b, 48, 16, 0, Limit::width, "scratchpad address of B"},
    {"k", &I::k, 64, 12, 1, Limit::tile_depth, "columns of A, rows of B"},
    {"m", &I::m, 76, 8, 1, Limit::tile_rows, "rows of A and of the result"},
    {"n", &I::n, 84, 8, 1, Limit::tile_cols, "columns of B and of the result"},
    {"sa", &I::sa, 92, 12, 1, Limit::width, "row stride of A"},
    {"sb", &I::sb, 104, 12, 1, Limit::width, "row stride of B as stored"},
    {"sd", &I::sd, 116, 12, 1, Limit::width, "row stride of the result"},
};
inline constexpr OperandRow kMmOperands[] = {
    {Use::read, Space::spad, &I::a, &I::k, &I::m, &I::sa},
    {Use::read, Space::spad, &I::b, &I::n, &I::k, &I::sb, &I::bt, 0},
    {Use::read, Space::spad, &I::b, &I::k, &I::n, &I::sb, &I::bt, 1},
    {Use::write, Space::acc, &I::d, &I::n, &I::m, &I::sd},
};
inline constexpr CostTerm kMmCost[] = {{1, &I::k, &I::m}, {1, &I::k, &I::n}, {1, &I::k}, {1, &I::m},
                                       {1, &I::n},        {1, &I::m, &I::n}, {5}};

inline constexpr FieldRow kRqFields[] = {
    {"acc", &I::acc, 8, 1, 0, Limit::width, "the source is the accumulators, not the scratchpad"},
    {"relu", &I::relu, 9, 1, 0, Limit::width, "negative results become 0"},
    {"d", &I::d, 16, 16, 0, Limit::width, "scratchpad destination"},
    {"a", &I::a, 32, 16, 0, Limit::width, "source, accumulator or scratchpad"},
    {"n", &I::n, 64, 16, 1, Limit::width, "elements"},
    {"shift", &I::shift, 80, 6, 0, Limit::width, "right shift, 0 to 63"},
    {"mult", &I::mult, 96, 31, 0, Limit::width, "multiplier, 0 to 2^31-1"},
};
inline constexpr OperandRow kRqOperands[] = {
    {Use::read, Space::spad, &I::a, &I::n, nullptr, nullptr, &I::acc, 0},
    {Use::read, Space::acc, &I::a, &I::n, nullptr, nullptr, &I::acc, 1},
    {Use::write, Space::spad, &I::d, &I::n},
};
inline constexpr CostTerm kRqCost[] = {{1, &I::n}, {2}};

inline constexpr FieldRow kVaddFields[] = {
    {"d", &I::d, 16, 16, 0, Limit::width, "scratchpad destination"},
    {"a", &I::a, 32, 16, 0, Limit::width, "first scratchpad source"},
    {"b", &I::b, 48, 16, 0, Limit::width, "second scratchpad source"},
    {"n", &I::n, 64, 16, 1, Limit::width, "elements"},
};
inline constexpr OperandRow kVaddOperands[] = {
    {Use::read, Space::spad, &I::a, &I::n},
    {Use::read, Space::spad, &I::b, &I::n},
    {Use::write, Space::spad, &I::d, &I::n},
};
inline constexpr CostTerm kVaddCost[] = {{2, &I::n}, {2}};

inline constexpr FieldRow kSmFields[] = {
    {"d", &I::d, 16, 16, 0, Limit::width, "scratchpad destination"},
    {"a", &I::a, 32, 16, 0, Limit::width, "scratchpad source"},
    {"n", &I::n, 64, 16, 1, Limit::softmax_max, "elements of the row"},
    {"scale", &I::scale, 96, 24, 0, Limit::width, "log2 units of one input step, times 2^20"},
};
inline constexpr OperandRow kSmOperands[] = {
    {Use::read, Space::spad, &I::a, &I::n},
    {Use::write, Space::spad, &I::d, &I::n},
};
inline constexpr CostTerm kSmCost[] = {{4, &I::n}, {31}};

inline constexpr FieldRow kAmaxFields[] = {
    {"d", &I::d, 16, 16, 0, Limit::width, "scratchpad destination, one cell"},
    {"a", &I::a, 32, 16, 0, Limit::width, "scratchpad source"},
    {"n", &I::n, 64, 16, 1, Limit::argmax_max, "elements of the row"},
};
inline constexpr OperandRow kAmaxOperands[] = {
    {Use::read, Space::spad, &I::a, &I::n},
    {Use::write, Space::spad, &I::d},
};
inline constexpr CostTerm kAmaxCost[] = {{1, &I::n}, {3}};

inline constexpr FieldRow kRqcFields[] = {
    {"relu", &I::relu, 9, 1, 0, Limit::width, "negative results become 0"},
    {"d", &I::d, 16, 16, 0, Limit::width, "scratchpad destination"},
    {"a", &I::a, 32, 16, 0, Limit::width, "accumulator source"},
    {"b", &I::b, 48, 16, 0, Limit::width, "scratchpad address of the column table"},
    {"n", &I::n, 64, 16, 1, Limit::width, "elements"},
    {"shift", &I::shift, 80, 6, 0, Limit::width, "right shift of every column, 0 to 63"},
    {"cols", &I::cols, 96, 16, 1, Limit::width, "columns: elements of a row, entries of the table"},
};
inline constexpr OperandRow kRqcOperands[] = {
    {Use::read, Space::acc, &I::a, &I::n},
    {.use = Use::read,
     .space = Space::spad,
     .base = &I::b,
     .cols = &I::cols,
     .cells_each = 2,
     .rereads = true},
    {Use::write, Space::spad, &I::d, &I::n},
};
inline constexpr CostTerm kRqcCost[] = {{2, &I::n}, {2}};

inline constexpr FieldRow kAmaxcFields[] = {
    {"d", &I::d, 16, 16, 0, Limit::width, "scratchpad destination, one cell"},
    {"a", &I::a, 32, 16, 0, Limit::width, "accumulator source"},
    {"b", &I::b, 48, 16, 0, Limit::width, "scratchpad address of the column table"},
    {"n", &I::n, 64, 16, 1, Limit::argmax_max, "elements of the row, entries of the table"},
};
inline constexpr OperandRow kAmaxcOperands[] = {
    {Use::read, Space::acc, &I::a, &I::n},
    {.use = Use::read, .space = Space::spad, .base = &I::b, .cols = &I::n, .cells_each = 2},
    {Use::write, Space::spad, &I::d},
};
inline constexpr CostTerm kAmaxcCost[] = {{2, &I::n}, {3}};

/// A table has an entry for every value a byte can have.
inline constexpr std::uint32_t kLutEntries = 256;

inline constexpr FieldRow kLutFields[] = {
    {"d", &I::d, 16, 16, 0, Limit::width, "scratchpad destination"},
    {"a", &I::a, 32, 16, 0, Limit::width, "scratchpad source"},
    {"b", &I::b, 48, 16, 0, Limit::width, "scratchpad address of the table"},
    {"n", &I::n, 64, 16, 1, Limit::width, "elements"},
};
inline constexpr OperandRow kLutOperands[] = {
    {Use::read, Space::spad, &I::a, &I::n},
    {.use = Use::read,
     .space = Space::spad,
     .base = &I::b,
     .cells_each = kLutEntries,
     .rereads = true},
    {Use::write, Space::spad, &I::d, &I::n},
};
inline constexpr CostTerm kLutCost[] = {{2, &I::n}, {2}};

inline constexpr FieldRow kVmulFields[] = {
    {"bcast", &I::bcast, 8, 1, 0, Limit::width, "b is one cell, taken for every element"},
    {"d", &I::d, 16, 16, 0, Limit::width, "scratchpad destination"},
    {"a", &I::a, 32, 16, 0, Limit::width, "first scratchpad source"},
    {"b", &I::b, 48, 16, 0, Limit::width, "second scratchpad source"},
    {"n", &I::n, 64, 16, 1, Limit::width, "elements"},
    {"shift", &I::shift, 80, 6, 0, Limit::width, "right shift, 0 to 63"},
    {"mult", &I::mult, 96, 31, 0, Limit::width, "multiplier, 0 to 2^31-1"},
};
inline constexpr OperandRow kVmulOperands[] = {
    {Use::read, Space::spad, &I::a, &I::n},
    {Use::read, Space::spad, &I::b, &I::n, nullptr, nullptr, &I::bcast, 0},
    {.use = Use::read,
     .space = Space::spad,
     .base = &I::b,
     .when = &I::bcast,
     .when_value = 1,
     .rereads = true},
    {Use::write, Space::spad, &I::d, &I::n},
};
inline constexpr CostTerm kVmulCost[] = {{2, &I::n}, {3}};

inline constexpr FieldRow kTopkFields[] = {
    {"d", &I::d, 16, 16, 0, Limit::width, "scratchpad destination, k indices and k values"},
    {"a", &I::a, 32, 16, 0, Limit::width, "scratchpad source"},
    {"n", &I::n, 64, 16, 1, Limit::argmax_max, "elements of the row"},
    {"k", &I::k, 96, 8, 1, Limit::argmax_max, "winners", &I::n},
};
inline constexpr OperandRow kTopkOperands[] = {
    {.use = Use::read, .space = Space::spad, .base = &I::a, .cols = &I::n, .rereads = true},
    {.use = Use::write, .space = Space::spad, .base = &I::d, .cols = &I::k, .cells_each = 2},
};
inline constexpr CostTerm kTopkCost[] = {{1, &I::k, &I::n}, {4, &I::k}};

inline constexpr FieldRow kTopkcFields[] = {
    {"d", &I::d, 16, 16, 0, Limit::width, "scratchpad destination, k indices and k values"},
    {"a", &I::a, 32, 16, 0, Limit::width, "accumulator source"},
    {"b", &I::b, 48, 16, 0, Limit::width, "scratchpad address of the column table"},
    {"n", &I::n, 64, 16, 1, Limit::argmax_max, "elements of the row, entries of the table"},
    {"shift", &I::shift, 80, 6, 0, Limit::width, "right shift of the values, 0 to 63"},
    {"k", &I::k, 96, 8, 1, Limit::argmax_max, "winners", &I::n},
};
inline constexpr OperandRow kTopkcOperands[] = {
    {Use::read, Space::acc, &I::a, &I::n},
    {.use = Use::read,
     .space = Space::spad,
     .base = &I::b,
     .cols = &I::n,
     .cells_each = 2,
     .rereads = true},
    {.use = Use::write, .space = Space::spad, .base = &I::d, .cols = &I::k, .cells_each = 2},
};
inline constexpr CostTerm kTopkcCost[] = {{2, &I::k, &I::n}, {4, &I::k}};

}  // namespace table_detail

// clang-format off
inline constexpr std::array<InstructionRow, 14> kTable = {{
    {Opcode::halt, "HALT", Unit::control, {}, {}, {}, false,
     "stop", "The machine stops in state halted; pc stays on this instruction."},
    {Opcode::ld, "LD", Unit::dma, table_detail::kLdFields, table_detail::kLdOperands,
     table_detail::kLdCost, false,
     "load from external memory",
     "spad[d+i] = ext[x+i] mod 2^8 for i in 0..n-1. Only bits 7:0 of a word are looked at."},
    {Opcode::st, "ST", Unit::dma, table_detail::kStFields, table_detail::kStOperands,
     table_detail::kStCost, false,
     "store to external memory",
     "ext[x+i] = spad[a+i], sign-extended to 32 bits, for i in 0..n-1."},
    {Opcode::mm, "MM", Unit::matrix, table_detail::kMmFields, table_detail::kMmOperands,
     table_detail::kMmCost, false,
     "matrix multiply, one tile",
     "acc[d+i*sd+j] = sum over t of A(i,t)*B(t,j) for i in 0..m-1, j in 0..n-1, t in 0..k-1, with "
     "A(i,t) = spad[a+i*sa+t] and B(t,j) = spad[b+t*sb+j], or spad[b+j*sb+t] when bt is 1. "
     "Results overwrite the accumulators in row-major order."},
    {Opcode::rq, "RQ", Unit::vector, table_detail::kRqFields, table_detail::kRqOperands,
     table_detail::kRqCost, true,
     "requantise",
     "y = round(v * mult / 2^shift) with the rounding rule, a 64-bit intermediate, then relu if "
     "set, then saturation to -128..127; v is acc[a+i] or spad[a+i], y goes to spad[d+i]."},
    {Opcode::vadd, "VADD", Unit::vector, table_detail::kVaddFields, table_detail::kVaddOperands,
     table_detail::kVaddCost, true,
     "add with saturation",
     "spad[d+i] = spad[a+i] + spad[b+i], saturated to -128..127."},
    {Opcode::sm, "SM", Unit::vector, table_detail::kSmFields, table_detail::kSmOperands,
     table_detail::kSmCost, true,
     "softmax of one row",
     "With top the largest of the row and t = top - spad[a+i]: u = round(t * scale / 2^12); e = "
     "round(EXP2[u mod 256] / 2^(u div 256)), 0 when u div 256 exceeds 16; R = 127 * 2^32 div "
     "(sum of all e); spad[d+i] = round(e * R / 2^32). The result is in 0..127 at scale 1/127."},
    {Opcode::amax, "AMAX", Unit::vector, table_detail::kAmaxFields, table_detail::kAmaxOperands,
     table_detail::kAmaxCost, false,
     "index of the largest element of one row",
     "spad[d] = the lowest i for which spad[a+i] is largest."},
    {Opcode::rqc, "RQC", Unit::vector, table_detail::kRqcFields, table_detail::kRqcOperands,
     table_detail::kRqcCost, true,
     "requantise, one multiplier a column",
     "As RQ, with v = acc[a+i] and the multiplier of its column, j = i mod cols: mult(j) = "
     "spad[b+2j] + 2^8 * spad[b+2j+1], both bytes unsigned; y goes to spad[d+i]. The rows of a "
     "matrix follow each other without gaps."},
    {Opcode::amaxc, "AMAXC", Unit::vector, table_detail::kAmaxcFields,
     table_detail::kAmaxcOperands, table_detail::kAmaxcCost, false,
     "index of the largest sum of one row, one multiplier a column",
     "spad[d] = the lowest i for which acc[a+i] * mult(i) is largest, with mult as in RQC; the "
     "products are exact."},
    {Opcode::lut, "LUT", Unit::vector, table_detail::kLutFields, table_detail::kLutOperands,
     table_detail::kLutCost, true,
     "look up in a table of 256 entries",
     "spad[d+i] = spad[b + (spad[a+i] mod 2^8)]: the byte, taken as unsigned, is the entry. Entries "
     "0..127 belong to the values 0..127, entries 128..255 to -128..-1."},
    {Opcode::vmul, "VMUL", Unit::vector, table_detail::kVmulFields, table_detail::kVmulOperands,
     table_detail::kVmulCost, true,
     "multiply and requantise",
     "spad[d+i] = round(spad[a+i] * spad[b+i] * mult / 2^shift), saturated to -128..127; spad[b] "
     "takes the place of spad[b+i] when bcast is 1."},
    {Opcode::topk, "TOPK", Unit::vector, table_detail::kTopkFields, table_detail::kTopkOperands,
     table_detail::kTopkCost, true,
     "the k largest of one row",
     "The elements of spad[a..a+n-1] in falling order, equal ones by rising index: spad[d+p] = the "
     "index of number p, spad[d+k+p] = its value, for p in 0..k-1."},
    {Opcode::topkc, "TOPKC", Unit::vector, table_detail::kTopkcFields,
     table_detail::kTopkcOperands, table_detail::kTopkcCost, true,
     "the k largest accumulators of one row, one multiplier a column",
     "As TOPK, ordered by the exact products acc[a+i] * mult(i), with mult as in RQC; a value is "
     "round(acc[a+i] * mult(i) / 2^shift), saturated to -128..127, as RQC gives it."},
}};
// clang-format on

/// The row of an opcode, or null for a byte that is no opcode.
constexpr const InstructionRow* find_row(std::uint8_t opcode) {
    for (const auto& row : kTable)
        if (static_cast<std::uint8_t>(row.op) == opcode) return &row;
    return nullptr;
}

/// The row of a decoded instruction; every `Opcode` has one.
constexpr const InstructionRow& row_of(Opcode op) {
    return *find_row(static_cast<std::uint8_t>(op));
}

}  // namespace capra::isa
