#include "compiler/compile.hpp"

#include "compiler/lower.hpp"
#include "compiler/quantise.hpp"

namespace capra::compiler {

isa::Program compile(const Graph& graph, const Ranges& ranges, const isa::Target& target) {
    return lower(quantise(graph, ranges), target.validate());
}

}  // namespace capra::compiler
