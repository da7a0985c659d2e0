// What is done to every element by itself.
#include "compiler/lowering.hpp"
#include "isa/numerics.hpp"

#include <array>
#include <cassert>

namespace capra::compiler {

using isa::Opcode;

void Lowering::emit_rescale(NodeId id, const Place& from, const Place& to, std::uint32_t n,
                            const Requant& requant, bool relu) {
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

void Lowering::lower_add(NodeId id) {
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

void Lowering::lower_mul(NodeId id) {
    const Node& n = node(id);
    const Place a = operand(n.inputs[0]);
    const Place b = operand(n.inputs[1]);
    const bool bcast = node(n.inputs[1]).cols != n.cols;
    const std::uint32_t length = bcast ? n.cols : size_of(n);
    const Place to = new_place(id);
    for (std::uint32_t at = 0, row = 0; at < size_of(n); at += length, ++row)
        steps_.emit({.insn = {.op = Opcode::vmul,
                              .d = to.offset + at,
                              .a = a.offset + at,
                              .b = b.offset + row,
                              .n = length,
                              .mult = quantised_[id].requant.mult,
                              .shift = quantised_[id].requant.shift,
                              .bcast = bcast},
                     .d = to.buffer,
                     .a = a.buffer,
                     .b = b.buffer,
                     .node = id});
}

void Lowering::lower_activation(NodeId id) {
    const Place from = operand(node(id).inputs[0]);
    const BufferId table = steps_.new_activation_table(id);
    steps_.emit({.insn = {.op = Opcode::ld, .x = addresses_[id], .n = isa::kLutEntries},
                 .d = table,
                 .node = id});
    steps_.emit({.insn = {.op = Opcode::lut, .a = from.offset, .n = size_of(node(id))},
                 .d = new_place(id).buffer,
                 .a = from.buffer,
                 .b = table,
                 .node = id});
}

void Lowering::lower_relu(NodeId id) {
    const Node& n = node(id);
    if (quantised_[id].fused_relu) {
        places_[id] = places_[n.inputs[0]];
        steps_.rename(places_[id].buffer, id);
        return;
    }
    const Place from = operand(n.inputs[0]);
    emit_rescale(id, from, new_place(id), size_of(n), quantised_[id].requant, /*relu=*/true);
}

}  // namespace capra::compiler
