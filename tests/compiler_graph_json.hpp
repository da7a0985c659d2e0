// Graph files as text: the inverse of parse_graph.
#pragma once

#include "compiler/graph_json.hpp"

#include <nlohmann/json.hpp>

#include <span>
#include <string>

namespace capra::compiler_testing {

using compiler::Graph;
using compiler::Inputs;
using compiler::Matrix;
using compiler::Node;
using compiler::NodeId;
using compiler::Op;

namespace graph_json {

using json = nlohmann::ordered_json;

inline json to_json(const Matrix& matrix) {
    json rows = json::array();
    for (std::uint32_t r = 0; r < matrix.rows; ++r) {
        const auto begin = matrix.values.begin() + std::ptrdiff_t{r} * matrix.cols;
        rows.push_back(std::vector<double>(begin, begin + matrix.cols));
    }
    return rows;
}

inline json to_json(const Graph& graph, const Node& node) {
    json result;
    result["name"] = node.name;
    result["op"] = op_name(node.op);
    if (node.op == Op::input) {
        result["rows"] = node.rows;
        result["cols"] = node.cols;
    } else if (node.op == Op::weight) {
        result["values"] = to_json(node.value);
    } else if (node.op != Op::index) {
        for (NodeId operand : node.inputs) result["inputs"].push_back(graph.nodes[operand].name);
    }
    if (node.op == Op::matmul) {
        result["scale"] = node.scale;
        result["transpose_b"] = node.transpose_b;
    }
    if (node.op == Op::topk) result["k"] = node.cols;
    if (node.op == Op::element) result["column"] = node.position;
    if (node.op == Op::lookup) {
        result["rows"] = node.rows;
        result["position"] = node.position;
    }
    if (!node.tag.empty()) result["tag"] = node.tag;
    return result;
}

inline json to_json(const Inputs& sample) {
    json result = json::object();
    for (const auto& [name, matrix] : sample) result[name] = to_json(matrix);
    return result;
}

/// The items of an array, one a line.
template <typename Items, typename Convert>
std::string lines(const Items& items, Convert convert) {
    std::string text;
    for (const auto& item : items) {
        text += text.empty() ? "\n    " : ",\n    ";
        text += convert(item).dump();
    }
    return text;
}

}  // namespace graph_json

/// `parse_graph` of the result gives the same graph and samples, to the last bit.
inline std::string graph_to_json(const Graph& graph, std::span<const Inputs> samples) {
    using namespace graph_json;
    std::string text = "{\n  \"name\": " + json(graph.name).dump() + ",\n  \"nodes\": [";
    text += lines(graph.nodes, [&](const Node& node) { return to_json(graph, node); });
    text += "\n  ],\n  \"calibration\": [";
    text += lines(samples, [](const Inputs& sample) { return to_json(sample); });
    return text + "\n  ]\n}\n";
}

}  // namespace capra::compiler_testing
