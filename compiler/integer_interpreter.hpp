// The golden result: the quantised graph evaluated on integers, node by node. It is written
// independently of the machine and of the lowering and shares no arithmetic with either.
#pragma once

#include "compiler/quantise.hpp"

#include <map>
#include <string>
#include <vector>

namespace capra::compiler {

/// One int8 value for each input node, by the node's name, quantised with that node's scale.
using IntInputs = std::map<std::string, IntMatrix>;

/// The stored value of every node, by NodeId: a matmul with a fused relu holds the result of the
/// relu, an add its sum, an argmax the indices. An Error names the node when an input is missing
/// or has the wrong shape, and the name when no input node has it.
std::vector<IntMatrix> evaluate(const QuantisedGraph& quantised, const IntInputs& inputs);

}  // namespace capra::compiler
