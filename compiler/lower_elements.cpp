// What is done to every element by itself.
#include "compiler/lowering.hpp"

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
