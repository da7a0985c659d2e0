// Graph to program in one call.
#pragma once

#include "compiler/calibrate.hpp"
#include "compiler/graph.hpp"
#include "compiler/weight_scales.hpp"
#include "isa/program.hpp"
#include "isa/target.hpp"

namespace capra::compiler {

/// `lower(quantise(graph, ranges, scales), target)`. Every Error starts with the graph's name and
/// names the node, except what `Target::validate` refuses.
isa::Program compile(const Graph& graph, const Ranges& ranges, const isa::Target& target,
                     WeightScales scales = WeightScales::per_tensor);

}  // namespace capra::compiler
