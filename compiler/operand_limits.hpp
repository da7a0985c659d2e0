// What the instructions of a target can hold: an Error names the node that is too large.
#pragma once

#include "compiler/graph.hpp"
#include "isa/target.hpp"

namespace capra::compiler {

/// Of a matmul whose operands have rows of `depth` and `b_cols` elements, as stored.
void check_matmul(const Node& matmul, std::uint32_t depth, std::uint32_t b_cols,
                  const isa::Target& target);

/// Of a softmax, argmax or topk over rows of `length` elements.
void check_row(const Node& node, std::uint32_t length, const isa::Target& target);

}  // namespace capra::compiler
