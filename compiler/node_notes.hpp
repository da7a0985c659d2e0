// The nodes of a graph as the notes of a program tell them.
#pragma once

#include "compiler/quantise.hpp"
#include "isa/notes.hpp"

#include <span>
#include <vector>

namespace capra::compiler {

/// One note a node, in node order; `quantised` is parallel to the nodes.
std::vector<isa::NodeNote> node_notes(const Graph& graph, std::span<const QuantisedNode> quantised);

}  // namespace capra::compiler
