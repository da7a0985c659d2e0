#include "compiler/compile.hpp"

#include "compiler/lower.hpp"
#include "compiler/quantise.hpp"

namespace capra::compiler {

isa::Program compile(const Graph& graph, const Ranges& ranges, const isa::Target& target,
                     WeightScales scales) {
    return lower(quantise(graph, ranges, scales), target.validate());
}

}  // namespace capra::compiler
