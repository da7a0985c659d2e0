#include "compiler/operand_limits.hpp"

#include "compiler/node_error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace capra::compiler {

namespace {

using isa::Instruction;
using isa::Opcode;

/// Widest row stride that MM can hold, the same for all three operands.
constexpr std::uint32_t kMaxStride = isa::field_max(Opcode::mm, &Instruction::sa);
static_assert(kMaxStride == isa::field_max(Opcode::mm, &Instruction::sb));
static_assert(kMaxStride == isa::field_max(Opcode::mm, &Instruction::sd));
// Every tensor can be loaded, stored and requantised by one instruction, from any address.
static_assert(kMaxTensorElements == isa::field_max(Opcode::ld, &Instruction::n));
static_assert(kMaxTensorElements == isa::field_max(Opcode::st, &Instruction::n));
static_assert(kMaxTensorElements == isa::field_max(Opcode::rq, &Instruction::n));
static_assert(kMaxTensorElements == isa::field_max(Opcode::rqc, &Instruction::n));
static_assert(kMaxTensorElements == isa::field_max(Opcode::vmul, &Instruction::n));
static_assert(kMaxTensorElements == isa::field_max(Opcode::lut, &Instruction::n));
static_assert(kMaxTensorElements == isa::field_max(Opcode::ldx, &Instruction::n));
static_assert(kMaxTensorElements == isa::field_max(Opcode::ldxw, &Instruction::n));
static_assert(kMaxTableRows == isa::field_max(Opcode::ldx, &Instruction::rows));
static_assert(kMaxTableRows == isa::field_max(Opcode::ldxw, &Instruction::rows));
// So can a column table: results of a matmul are at most a stride wide.
static_assert(2 * kMaxStride <= isa::field_max(Opcode::ld, &Instruction::n));
static_assert(kMaxStride <= isa::field_max(Opcode::rqc, &Instruction::cols));
static_assert(kMaxGraphElements == isa::kMaxExtWords);

}  // namespace

void check_matmul(const Node& matmul, std::uint32_t depth, std::uint32_t b_cols,
                  const isa::Target& target) {
    if (depth > target.tile_depth)
        fail(matmul,
             fmt::format("depth {} exceeds the matrix unit's {}", depth, target.tile_depth));
    if (matmul.rows * matmul.cols > target.acc_words)
        fail(matmul, fmt::format("{} x {} results exceed the {} accumulators", matmul.rows,
                                 matmul.cols, target.acc_words));
    const std::uint32_t widest = std::max({depth, b_cols, matmul.cols});
    if (widest > kMaxStride)
        fail(matmul,
             fmt::format("rows of {} elements exceed the largest stride, {}", widest, kMaxStride));
}

void check_row(const Node& node, std::uint32_t length, const isa::Target& target) {
    const std::uint32_t longest = node.op == Op::softmax ? target.softmax_max : target.argmax_max;
    if (length > longest)
        fail(node, fmt::format("rows of {} elements exceed the longest {}, {}", length,
                               op_name(node.op), longest));
}

}  // namespace capra::compiler
