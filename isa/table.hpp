// The instruction table: with table_operands.hpp, which holds the fields, operands and timing
// formulas of its rows, the only place where an opcode, a field, a timing formula, an operand or
// the prose that describes an instruction is written. Decoder, encoder, assembler, checks, cost
// model, fuzzer, rtl/isa.vh and docs/isa.md all read it.
//
// A new instruction is one row here, one exec_ function in sim/, one RTL unit, one lowering rule
// and one bench.
#pragma once

#include "isa/table_operands.hpp"

#include <array>
#include <cstdint>

namespace capra::isa {

// clang-format off
inline constexpr std::array<InstructionRow, 16> kTable = {{
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
    {Opcode::ldx, "LDX", Unit::dma, table_detail::kLdxFields, table_detail::kLdxOperands,
     table_detail::kLdxCost, false,
     "load the row of a table that a scratchpad index names",
     "With r = spad[a] mod 2^8, or (spad[a] mod 2^8) + 2^8 * (spad[a+1] mod 2^8) when wide is 1: "
     "spad[d+i] = ext[x+r*n+i] mod 2^8 for i in 0..n-1. An r of rows or more traps.", 4},
    {Opcode::ldxw, "LDXW", Unit::dma, table_detail::kLdxwFields, table_detail::kLdxwOperands,
     table_detail::kLdxwCost, false,
     "load the row of a table that an external word names",
     "As LDX, with r = ext[w] as an unsigned number of 32 bits.", 10},
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
     "spad[d+i] = spad[b + (spad[a+i] mod 2^8)]: the byte, taken as unsigned, is the entry. "
     "Entries 0..127 belong to the values 0..127, entries 128..255 to -128..-1."},
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

/// True for an instruction whose data decide which row of a table it reads, and whether it traps.
constexpr bool has_index(const InstructionRow& row) {
    for (const OperandRow& operand : row.operands)
        if (operand.one_row) return true;
    return false;
}

/// The row of a decoded instruction; every `Opcode` has one.
constexpr const InstructionRow& row_of(Opcode op) {
    return *find_row(static_cast<std::uint8_t>(op));
}

}  // namespace capra::isa
