#include "compiler/lower.hpp"

#include "compiler/node_error.hpp"
#include "compiler/node_notes.hpp"
#include "compiler/steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <optional>
#include <utility>

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
static_assert(kMaxGraphElements == isa::kMaxExtWords);

std::uint32_t size_of(const Node& node) {
    return node.rows * node.cols;
}

/// What a node of this kind is in external memory, if it is there at all.
std::optional<isa::SymbolKind> symbol_kind(Op op) {
    switch (op) {
        case Op::input:
            return isa::SymbolKind::input;
        case Op::weight:
            return isa::SymbolKind::weight;
        case Op::output:
            return isa::SymbolKind::output;
        default:
            return std::nullopt;
    }
}

class Lowering {
  public:
    Lowering(const QuantisedGraph& quantised, const isa::Target& target)
        : graph_(quantised.graph),
          quantised_(quantised.nodes),
          target_(target),
          places_(graph_.nodes.size()),
          addresses_(graph_.nodes.size()) {
        program_.name = graph_.name;
        program_.target = target.name;
    }

    isa::Program run() {
        for (NodeId id = 0; id < graph_.nodes.size(); ++id) place_outside(id);
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

    /// Gives an input, weight or output its place in external memory.
    void place_outside(NodeId id) {
        const Node& n = node(id);
        const auto kind = symbol_kind(n.op);
        if (!kind) return;
        const std::uint32_t address = program_.memory_words;
        if (size_of(n) > target_.ext_words - address)
            fail(n, fmt::format("{} words at address {} exceed the external memory of {}",
                                size_of(n), address, target_.ext_words));
        addresses_[id] = address;
        program_.memory_words += size_of(n);
        program_.symbols.push_back({.kind = *kind,
                                    .name = n.name,
                                    .address = address,
                                    .rows = n.rows,
                                    .cols = n.cols,
                                    .scale = quantised_[id].scale});
        if (n.op == Op::weight) program_.data.push_back({address, quantised_[id].weights.values});
    }

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
                return lower_rows(id, Opcode::sm, target_.softmax_max);
            case Op::argmax:
                return lower_rows(id, Opcode::amax, target_.argmax_max);
            case Op::concat_rows:
                return lower_concat(id);
            case Op::output:
                return lower_output(id);
        }
    }

    void check_matmul(const Node& n, std::uint32_t depth, std::uint32_t b_stride) const {
        if (depth > target_.tile_depth)
            fail(n,
                 fmt::format("depth {} exceeds the matrix unit's {}", depth, target_.tile_depth));
        if (size_of(n) > target_.acc_words)
            fail(n, fmt::format("{} x {} results exceed the {} accumulators", n.rows, n.cols,
                                target_.acc_words));
        if (std::max({depth, b_stride, n.cols}) > kMaxStride)
            fail(n, fmt::format("rows of {} elements exceed the largest stride, {}",
                                std::max({depth, b_stride, n.cols}), kMaxStride));
    }

    // for i0 in rows step tile_rows: for j0 in cols step tile_cols: acc[i0, j0..] = A[i0..] B[j0..]
    void lower_matmul(NodeId id) {
        const Node& n = node(id);
        const std::uint32_t depth = node(n.inputs[0]).cols;
        const std::uint32_t b_stride = node(n.inputs[1]).cols;
        check_matmul(n, depth, b_stride);
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
        const QuantisedNode& q = quantised_[id];
        steps_.emit({.insn = {.op = Opcode::rq,
                              .n = size_of(n),
                              .mult = q.requant.mult,
                              .shift = q.requant.shift,
                              .acc = 1,
                              .relu = q.fused_relu},
                     .d = new_place(id).buffer,
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

    /// softmax and argmax: one instruction a row.
    void lower_rows(NodeId id, Opcode op, std::uint32_t longest_row) {
        const Node& n = node(id);
        const std::uint32_t length = node(n.inputs[0]).cols;
        if (length > longest_row)
            fail(n, fmt::format("rows of {} elements exceed the longest {}, {}", length,
                                op_name(n.op), longest_row));
        const Place from = operand(n.inputs[0]);
        const Place to = new_place(id);
        for (std::uint32_t row = 0; row < n.rows; ++row)
            steps_.emit({.insn = {.op = op,
                                  .d = to.offset + row * n.cols,
                                  .a = from.offset + row * length,
                                  .n = length,
                                  .scale = quantised_[id].softmax_scale},
                         .d = to.buffer,
                         .a = from.buffer,
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
    isa::Program program_;
    Steps steps_;
    std::vector<Place> places_;             ///< by node, once computed or loaded
    std::vector<std::uint32_t> addresses_;  ///< external address, by node
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
