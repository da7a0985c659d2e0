// Matrix multiplies, and what is taken of rows and of accumulators.
#include "compiler/lowering.hpp"
#include "compiler/operand_limits.hpp"

#include <algorithm>

namespace capra::compiler {

using isa::Opcode;

// for i0 in rows step tile_rows: for j0 in cols step tile_cols: acc[i0, j0..] = A[i0..] B[j0..]
void Lowering::lower_matmul(NodeId id) {
    const Node& n = node(id);
    const std::uint32_t depth = node(n.inputs[0]).cols;
    const std::uint32_t b_stride = node(n.inputs[1]).cols;
    check_matmul(n, depth, b_stride, target_);
    const Place a = operand(n.inputs[0]);
    const Place b = operand(n.inputs[1]);
    for (std::uint32_t i = 0; i < n.rows; i += target_.tile_rows) {
        for (std::uint32_t j = 0; j < n.cols; j += target_.tile_cols) {
            steps_.emit({.insn = {.op = Opcode::mm,
                                  .d = i * n.cols + j,
                                  .a = a.offset + i * depth,
                                  .b = b.offset + (n.transpose_b ? j * b_stride : j),
                                  .m = std::min(target_.tile_rows, n.rows - i),
                                  .k = depth,
                                  .n = std::min(target_.tile_cols, n.cols - j),
                                  .sa = depth,
                                  .sb = b_stride,
                                  .sd = n.cols,
                                  .bt = n.transpose_b},
                         .a = a.buffer,
                         .b = b.buffer,
                         .node = id});
        }
    }
    if (quantised_[id].column_requant)
        finish_by_column(id);
    else
        finish_matmul(id);
}

void Lowering::finish_matmul(NodeId id) {
    const QuantisedNode& q = quantised_[id];
    steps_.emit({.insn = {.op = Opcode::rq,
                          .n = size_of(node(id)),
                          .mult = q.requant.mult,
                          .shift = q.requant.shift,
                          .acc = 1,
                          .relu = q.fused_relu},
                 .d = new_place(id).buffer,
                 .node = id});
}

void Lowering::finish_by_column(NodeId id) {
    const Node& n = node(id);
    const QuantisedNode& q = quantised_[id];
    const BufferId table = steps_.new_column_table(id, n.cols);
    steps_.emit(
        {.insn = {.op = Opcode::ld, .x = addresses_[id], .n = 2 * n.cols}, .d = table, .node = id});
    std::uint32_t other_uses = uses_[id];
    NodeId user = 0;
    for (const Node& each : graph_.nodes) {
        if (quantised_[user].of_accumulators && each.inputs[0] == id) {
            if (each.op == Op::argmax)
                lower_rows(user, Opcode::amaxc, {}, table);
            else
                lower_topk(user, Opcode::topkc, {}, table, q.column_requant->shift);
            --other_uses;
        }
        ++user;
    }
    if (other_uses == 0) return;
    steps_.emit({.insn = {.op = Opcode::rqc,
                          .n = size_of(n),
                          .cols = n.cols,
                          .shift = q.column_requant->shift,
                          .relu = q.fused_relu},
                 .d = new_place(id).buffer,
                 .b = table,
                 .node = id});
}

void Lowering::lower_rows(NodeId id, Opcode op, const Place& from, BufferId table) {
    const Node& n = node(id);
    const std::uint32_t length = node(n.inputs[0]).cols;
    check_row(n, length, target_);
    const Place to = new_place(id);
    for (std::uint32_t row = 0; row < n.rows; ++row)
        steps_.emit({.insn = {.op = op,
                              .d = to.offset + row * n.cols,
                              .a = from.offset + row * length,
                              .n = length,
                              .scale = quantised_[id].softmax_scale},
                     .d = to.buffer,
                     .a = from.buffer,
                     .b = table,
                     .node = id});
}

void Lowering::lower_topk(NodeId id, Opcode op, const Place& from, BufferId table,
                          std::uint32_t shift) {
    const Node& n = node(id);
    const std::uint32_t length = node(n.inputs[0]).cols;
    check_row(n, length, target_);
    places_[id] = {steps_.new_winners(id, n.cols), 0};
    steps_.emit({.insn = {.op = op, .a = from.offset, .k = n.cols, .n = length, .shift = shift},
                 .d = places_[id].buffer,
                 .a = from.buffer,
                 .b = table,
                 .node = id});
}

}  // namespace capra::compiler
