// What both interpreters demand of the values they are given: one of its shape for every input
// and index node, and none for anything else. `Value` is Matrix or IntMatrix.
#pragma once

#include "compiler/node_error.hpp"

#include <algorithm>
#include <map>
#include <string>

namespace capra::compiler {

/// The value of an input node. An Error names the node when there is none or its shape is wrong.
template <typename Value>
const Value& given(const Node& node, const std::map<std::string, Value>& inputs) {
    const auto found = inputs.find(node.name);
    if (found == inputs.end()) fail(node, "no value given for this input");
    const Value& value = found->second;
    if (value.rows != node.rows || value.cols != node.cols ||
        value.values.size() != std::size_t{node.rows} * node.cols)
        fail(node, fmt::format("input of {} x {} expected, got {} x {} ({} values)", node.rows,
                               node.cols, value.rows, value.cols, value.values.size()));
    return value;
}

/// An Error gives the first name that no node has whose operation is `given_this_way`.
template <typename Value, typename Predicate>
void check_names(const Graph& graph, const std::map<std::string, Value>& inputs,
                 Predicate given_this_way) {
    for (const auto& [name, value] : inputs) {
        const bool known = std::any_of(graph.nodes.begin(), graph.nodes.end(), [&](auto& node) {
            return given_this_way(node.op) && node.name == name;
        });
        if (!known) throw Error(fmt::format("no input node is named \"{}\"", name));
    }
}

}  // namespace capra::compiler
