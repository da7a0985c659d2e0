// The golden result: the quantised graph evaluated on integers, node by node. It is written
// independently of the machine and of the lowering and shares no arithmetic with either.
#pragma once

#include "compiler/quantise.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace capra::compiler {

/// One int8 value for each input node, by the node's name, quantised with that node's scale.
using IntInputs = std::map<std::string, IntMatrix>;
/// One number for each index node, by the node's name.
using Indices = std::map<std::string, std::uint32_t>;

/// The stored value of every node, by NodeId: a matmul with a fused relu holds the result of the
/// relu, an add its sum, argmax and topk the indices, an index node nothing, since it need not fit.
/// An Error names the node when an input or index is missing or has the wrong shape, and the lookup
/// whose table has no such row, and the name when no input or index node has it.
std::vector<IntMatrix> evaluate(const QuantisedGraph& quantised, const IntInputs& inputs,
                                const Indices& indices = {});

}  // namespace capra::compiler
