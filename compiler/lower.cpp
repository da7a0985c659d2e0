#include "compiler/lower.hpp"

#include "compiler/external_layout.hpp"
#include "compiler/node_error.hpp"
#include "compiler/node_notes.hpp"
#include "compiler/operand_limits.hpp"
#include "compiler/steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

namespace capra::compiler {
namespace {

using isa::Instruction;
using isa::Opcode;

std::uint32_t size_of(const Node& node) {
    return node.rows * node.cols;
}

class Lowering {
  public:
    Lowering(const QuantisedGraph& quantised, const isa::Target& target)
        : graph_(quantised.graph),
          quantised_(quantised.nodes),
          target_(target),
          uses_(count_uses(graph_)),
          layout_(program_, target),
          places_(graph_.nodes.size()),
          addresses_(graph_.nodes.size()) {
        program_.name = graph_.name;
        program_.target = target.name;
    }

    isa::Program run() {
        for (NodeId id = 0; id < graph_.nodes.size(); ++id)
            if (const auto address = layout_.place(node(id), quantised_[id]))
                addresses_[id] = *address;
        for (NodeId id = 0; id < graph_.nodes.size(); ++id) {
            lower_node(id);
            // HALT comes last and needs a place too.
            if (steps_.size() >= target_.prog_words)
                fail(node(id), fmt::format("the instructions up to this node exceed the program "
                                           "memory of {}",
                                           target_.prog_words));
        }
        steps_.write(graph_, target_, program_);
        program_.notes->nodes = node_notes(graph_, quantised_);
        return std::move(program_);
    }

  private:
    const Node& node(NodeId id) const { return graph_.nodes[id]; }

    Place& new_place(NodeId id) {
        places_[id] = {steps_.new_buffer(id, size_of(node(id))), 0};
        return places_[id];
    }

    void emit_load(NodeId id, const Place& to) {
        steps_.emit({.insn = {.op = Opcode::ld,
                              .d = to.offset,
                              .x = addresses_[id],
                              .n = size_of(node(id))},
                     .d = to.buffer,
                     .node = id});
    }

    /// The operand's place; an input or weight is loaded at its first use.
    Place operand(NodeId id) {
        if (places_[id].buffer == kNoBuffer) {
            assert(node(id).op == Op::input || node(id).op == Op::weight);
            emit_load(id, new_place(id));
        }
        return places_[id];
    }

    void emit_rescale(NodeId id, const Place& from, const Place& to, std::uint32_t n,
                      const Requant& requant, bool relu = false) {
        steps_.emit({.insn = {.op = Opcode::rq,
                              .d = to.offset,
                              .a = from.offset,
                              .n = n,
                              .mult = requant.mult,
                              .shift = requant.shift,
                              .relu = relu},
                     .d = to.buffer,
                     .a = from.buffer,
                     .node = id});
    }

    void lower_node(NodeId id) {
        switch (node(id).op) {
            case Op::input:
            case Op::weight:
                return;
            case Op::matmul:
                return lower_matmul(id);
            case Op::add:
                return lower_add(id);
            case Op::relu:
                return lower_relu(id);
            case Op::softmax:
                return lower_rows(id, Opcode::sm, operand(node(id).inputs[0]));
            case Op::argmax:
                if (quantised_[id].of_accumulators) return;  // taken with the matmul
                return lower_rows(id, Opcode::amax, operand(node(id).inputs[0]));
            case Op::concat_rows:
                return lower_concat(id);
            case Op::output:
                return lower_output(id);
            default:
                break;
        }
    }

    // for i0 in rows step tile_rows: for j0 in cols step tile_cols: acc[i0, j0..] = A[i0..] B[j0..]
    void lower_matmul(NodeId id) {
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

    void finish_matmul(NodeId id) {
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

    /// By its column table. The accumulators do not outlive the next matmul, so that an argmax of
    /// them is taken here; the int8 result is made only for other uses.
    void finish_by_column(NodeId id) {
        const Node& n = node(id);
        const QuantisedNode& q = quantised_[id];
        const BufferId table = steps_.new_column_table(id, n.cols);
        steps_.emit({.insn = {.op = Opcode::ld, .x = addresses_[id], .n = 2 * n.cols},
                     .d = table,
                     .node = id});
        std::uint32_t other_uses = uses_[id];
        NodeId user = 0;
        for (const Node& each : graph_.nodes) {
            if (each.op == Op::argmax && each.inputs[0] == id) {
                lower_rows(user, Opcode::amaxc, {}, table);
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

    void lower_add(NodeId id) {
        const Node& n = node(id);
        std::array<BufferId, 2> sides{};
        for (std::size_t side = 0; side < 2; ++side) {
            const Place from = operand(n.inputs[side]);
            const auto& requant = quantised_[id].operands[side];
            sides[side] = requant ? steps_.new_copy(id, n.inputs[side], size_of(n)) : from.buffer;
            if (requant) emit_rescale(id, from, {sides[side], 0}, size_of(n), *requant);
            assert(requant || from.offset == 0);  // made for this sum alone
        }
        steps_.emit({.insn = {.op = Opcode::vadd, .n = size_of(n)},
                     .d = new_place(id).buffer,
                     .a = sides[0],
                     .b = sides[1],
                     .node = id});
    }

    void lower_relu(NodeId id) {
        const Node& n = node(id);
        if (quantised_[id].fused_relu) {
            places_[id] = places_[n.inputs[0]];
            steps_.rename(places_[id].buffer, id);
            return;
        }
        const Place from = operand(n.inputs[0]);
        emit_rescale(id, from, new_place(id), size_of(n), quantised_[id].requant, /*relu=*/true);
    }

    /// softmax and argmax: one instruction a row, from `from` or, if that is no buffer, from the
    /// accumulators.
    void lower_rows(NodeId id, Opcode op, const Place& from, BufferId table = kNoBuffer) {
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

    void lower_concat(NodeId id) {
        const Node& n = node(id);
        Place to = new_place(id);
        for (std::size_t i = 0; i < n.inputs.size(); ++i) {
            const NodeId part = n.inputs[i];
            if (const auto& requant = quantised_[id].operands[i]) {
                emit_rescale(id, operand(part), to, size_of(node(part)), *requant);
            } else {
                emit_load(part, to);
            }
            to.offset += size_of(node(part));
        }
    }

    void lower_output(NodeId id) {
        const Place from = operand(node(id).inputs[0]);
        steps_.emit({.insn = {.op = Opcode::st,
                              .a = from.offset,
                              .x = addresses_[id],
                              .n = size_of(node(id))},
                     .a = from.buffer,
                     .node = id});
    }

    const Graph& graph_;
    const std::vector<QuantisedNode>& quantised_;
    const isa::Target& target_;
    std::vector<std::uint32_t> uses_;
    isa::Program program_;
    ExternalLayout layout_;
    Steps steps_;
    std::vector<Place> places_;             ///< by node, once computed or loaded
    std::vector<std::uint32_t> addresses_;  ///< external address, by node that has one
};

}  // namespace

isa::Program lower(const QuantisedGraph& quantised, const isa::Target& target) {
    try {
        return Lowering(quantised, target).run();
    } catch (const Error& error) {
        throw Error(fmt::format("graph \"{}\": {}", quantised.graph.name, error.what()));
    }
}

}  // namespace capra::compiler
