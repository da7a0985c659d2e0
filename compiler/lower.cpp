#include "compiler/lower.hpp"

#include "compiler/lowering.hpp"
#include "compiler/node_error.hpp"
#include "compiler/node_notes.hpp"

#include <fmt/format.h>

#include <cassert>
#include <utility>

namespace capra::compiler {

using isa::Opcode;

Lowering::Lowering(const QuantisedGraph& quantised, const isa::Target& target)
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

isa::Program Lowering::run() {
    for (NodeId id = 0; id < graph_.nodes.size(); ++id)
        if (const auto address = layout_.place(node(id), quantised_[id])) addresses_[id] = *address;
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

void Lowering::lower_node(NodeId id) {
    switch (node(id).op) {
        case Op::input:
        case Op::index:
        case Op::weight:
        case Op::lookup:
        case Op::element:
        case Op::topk_values:
            return;  // comes with its first use
        case Op::matmul:
            return lower_matmul(id);
        case Op::add:
            return lower_add(id);
        case Op::relu:
            return lower_relu(id);
        case Op::mul:
            return lower_mul(id);
        case Op::silu:
        case Op::sigmoid:
        case Op::gelu:
            return lower_activation(id);
        case Op::softmax:
            return lower_rows(id, Opcode::sm, operand(node(id).inputs[0]));
        case Op::argmax:
            if (quantised_[id].of_accumulators) return;  // taken with the matmul
            return lower_rows(id, Opcode::amax, operand(node(id).inputs[0]));
        case Op::topk:
            if (quantised_[id].of_accumulators) return;
            return lower_topk(id, Opcode::topk, operand(node(id).inputs[0]));
        case Op::concat_rows:
        case Op::concat_cols:
            return lower_concat(id);
        case Op::output:
            return lower_output(id);
    }
}

Place& Lowering::new_place(NodeId id) {
    places_[id] = {steps_.new_buffer(id, size_of(node(id))), 0};
    return places_[id];
}

Place Lowering::operand(NodeId id) {
    const Node& n = node(id);
    if (n.op == Op::element || n.op == Op::topk_values) {
        Place part = operand(n.inputs[0]);
        part.offset += n.op == Op::element ? n.position : n.cols;
        return part;
    }
    if (places_[id].buffer == kNoBuffer) {
        assert(n.op == Op::input || n.op == Op::weight || n.op == Op::lookup);
        if (n.op == Op::lookup)
            emit_lookup(id, new_place(id));
        else
            emit_load(id, new_place(id));
    }
    return places_[id];
}

/// LDXW of an index that the host gives, LDX of one that the chip chose, which is a byte.
void Lowering::emit_lookup(NodeId id, const Place& to) {
    const Node& n = node(id);
    isa::Instruction insn{.d = to.offset,
                          .x = addresses_[n.inputs[0]],
                          .rows = node(n.inputs[0]).rows,
                          .n = size_of(n)};
    if (node(n.inputs[1]).op == Op::index) {
        insn.op = Opcode::ldxw;
        insn.w = addresses_[n.inputs[1]];
        steps_.emit({.insn = insn, .d = to.buffer, .node = id});
        return;
    }
    const Place winners = operand(n.inputs[1]);
    insn.op = Opcode::ldx;
    insn.a = winners.offset + n.position;
    steps_.emit({.insn = insn, .d = to.buffer, .a = winners.buffer, .node = id});
}

void Lowering::emit_load(NodeId id, const Place& to) {
    steps_.emit(
        {.insn = {.op = Opcode::ld, .d = to.offset, .x = addresses_[id], .n = size_of(node(id))},
         .d = to.buffer,
         .node = id});
}

void Lowering::lower_concat(NodeId id) {
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

void Lowering::lower_output(NodeId id) {
    const Place from = operand(node(id).inputs[0]);
    steps_.emit(
        {.insn = {.op = Opcode::st, .a = from.offset, .x = addresses_[id], .n = size_of(node(id))},
         .a = from.buffer,
         .node = id});
}

isa::Program lower(const QuantisedGraph& quantised, const isa::Target& target) {
    try {
        return Lowering(quantised, target).run();
    } catch (const Error& error) {
        throw Error(fmt::format("graph \"{}\": {}", quantised.graph.name, error.what()));
    }
}

}  // namespace capra::compiler
