// Graph to program in one call.
#pragma once

#include "compiler/calibrate.hpp"
#include "compiler/graph.hpp"
#include "isa/program.hpp"
#include "isa/target.hpp"

namespace capra::compiler {

/// `lower(quantise(graph, ranges), target)`. Every Error starts with the graph's name and names
/// the node, except what `Target::validate` refuses.
isa::Program compile(const Graph& graph, const Ranges& ranges, const isa::Target& target);

}  // namespace capra::compiler
