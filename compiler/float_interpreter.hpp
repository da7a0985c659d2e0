// The graph evaluated in double precision: the reference that calibration observes and that
// quantisation errors are measured against.
#pragma once

#include "compiler/graph.hpp"

#include <map>
#include <string>
#include <vector>

namespace capra::compiler {

/// One value for each input and index node, by the node's name; an index is a 1 x 1 integer.
using Inputs = std::map<std::string, Matrix>;

/// The value of every node, by NodeId. argmax and topk give indices as doubles. An Error names the
/// node when an input is missing or has the wrong shape, when an index is no integer from 0 or
/// names no row of a table that is looked up, and the name when no input node has it.
std::vector<Matrix> evaluate(const Graph& graph, const Inputs& inputs);

}  // namespace capra::compiler
