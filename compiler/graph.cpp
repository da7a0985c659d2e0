#include "compiler/graph.hpp"

#include "compiler/node_error.hpp"
#include "isa/names.hpp"
#include "isa/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace capra::compiler {

namespace {

constexpr std::array<std::string_view, 9> kOpNames = {
    "input", "weight", "matmul", "add", "relu", "softmax", "argmax", "concat_rows", "output"};

void check_name(std::string_view what, std::string_view name) {
    if (!isa::is_name(name))
        throw Error(fmt::format("{} \"{}\": {}", what, printable(name), isa::kNameRule));
}

std::string shape_text(const Node& node) {
    return fmt::format("\"{}\" ({} x {})", node.name, node.rows, node.cols);
}

void check_shape(const Node& node) {
    if (node.rows == 0 || node.cols == 0 ||
        std::uint64_t{node.rows} * node.cols > kMaxTensorElements)
        fail(node, fmt::format("a tensor has 1 to {} elements, got {} x {}", kMaxTensorElements,
                               node.rows, node.cols));
}

}  // namespace

std::string_view op_name(Op op) {
    return kOpNames[static_cast<std::size_t>(op)];
}

std::vector<std::uint32_t> count_uses(const Graph& graph) {
    std::vector<std::uint32_t> uses(graph.nodes.size(), 0);
    for (const Node& node : graph.nodes)
        for (NodeId id : node.inputs) ++uses[id];
    return uses;
}

GraphBuilder::GraphBuilder(std::string name) {
    check_name("graph", name);
    graph_.name = std::move(name);
}

NodeId GraphBuilder::push(Node node) {
    check_name("node", node.name);
    if (!node.tag.empty()) check_name(fmt::format("node \"{}\": tag", node.name), node.tag);
    check_shape(node);
    elements_ += std::uint64_t{node.rows} * node.cols;
    if (elements_ > kMaxGraphElements)
        fail(node, fmt::format("the graph has more than {} elements", kMaxGraphElements));
    if (!names_.insert(node.name).second) fail(node, "another node has this name");
    graph_.nodes.push_back(std::move(node));
    return static_cast<NodeId>(graph_.nodes.size() - 1);
}

const Node& GraphBuilder::operand(const std::string& name, NodeId id) const {
    const auto refuse = [&](const std::string& why) {
        throw Error(fmt::format("node \"{}\": {}", printable(name), why));
    };
    if (id >= graph_.nodes.size()) refuse(fmt::format("no node has the number {}", id));
    const Node& node = graph_.nodes[id];
    if (node.op == Op::output) refuse(fmt::format("operand \"{}\" is an output", node.name));
    return node;
}

NodeId GraphBuilder::input(std::string name, std::uint32_t rows, std::uint32_t cols,
                           std::string tag) {
    return push({.name = std::move(name),
                 .op = Op::input,
                 .rows = rows,
                 .cols = cols,
                 .tag = std::move(tag)});
}

NodeId GraphBuilder::weight(std::string name, Matrix value) {
    Node node{.name = std::move(name), .op = Op::weight, .rows = value.rows, .cols = value.cols};
    if (value.values.size() != std::size_t{value.rows} * value.cols)
        fail(node, fmt::format("{} x {} values expected, got {}", value.rows, value.cols,
                               value.values.size()));
    for (double v : value.values)
        if (!std::isfinite(v)) fail(node, fmt::format("a weight must be finite, got {}", v));
    node.value = std::move(value);
    return push(std::move(node));
}

NodeId GraphBuilder::matmul(std::string name, NodeId a, NodeId b, double scale, bool transpose_b,
                            std::string tag) {
    const Node& left = value_operand(name, a);
    const Node& right = value_operand(name, b);
    Node node{.name = std::move(name),
              .op = Op::matmul,
              .inputs = {a, b},
              .rows = left.rows,
              .cols = transpose_b ? right.rows : right.cols,
              .tag = std::move(tag),
              .scale = scale,
              .transpose_b = transpose_b};
    if (left.cols != (transpose_b ? right.cols : right.rows))
        fail(node, fmt::format("shapes do not multiply: {} by {}{}", shape_text(left),
                               shape_text(right), transpose_b ? " transposed" : ""));
    if (!std::isfinite(scale) || scale <= 0)
        fail(node, fmt::format("scale must be positive and finite, got {}", scale));
    return push(std::move(node));
}

NodeId GraphBuilder::add(std::string name, NodeId a, NodeId b, std::string tag) {
    const Node& left = value_operand(name, a);
    const Node& right = value_operand(name, b);
    Node node{.name = std::move(name),
              .op = Op::add,
              .inputs = {a, b},
              .rows = left.rows,
              .cols = left.cols,
              .tag = std::move(tag)};
    if (left.rows != right.rows || left.cols != right.cols)
        fail(node,
             fmt::format("shapes do not add: {} and {}", shape_text(left), shape_text(right)));
    return push(std::move(node));
}

NodeId GraphBuilder::relu(std::string name, NodeId a, std::string tag) {
    const Node& source = value_operand(name, a);
    return push({.name = std::move(name),
                 .op = Op::relu,
                 .inputs = {a},
                 .rows = source.rows,
                 .cols = source.cols,
                 .tag = std::move(tag)});
}

NodeId GraphBuilder::softmax(std::string name, NodeId a) {
    const Node& source = value_operand(name, a);
    return push({.name = std::move(name),
                 .op = Op::softmax,
                 .inputs = {a},
                 .rows = source.rows,
                 .cols = source.cols});
}

NodeId GraphBuilder::argmax(std::string name, NodeId a) {
    const Node& source = value_operand(name, a);
    return push(
        {.name = std::move(name), .op = Op::argmax, .inputs = {a}, .rows = source.rows, .cols = 1});
}

NodeId GraphBuilder::concat_rows(std::string name, std::vector<NodeId> parts, std::string tag) {
    Node node{.name = std::move(name), .op = Op::concat_rows, .tag = std::move(tag)};
    if (parts.empty()) fail(node, "concat_rows needs at least one operand");
    node.cols = value_operand(node.name, parts.front()).cols;
    std::uint64_t rows = 0;
    for (NodeId id : parts) {
        const Node& part = value_operand(node.name, id);
        if (part.cols != node.cols)
            fail(node,
                 fmt::format("rows of {} columns expected, got {}", node.cols, shape_text(part)));
        rows += part.rows;
    }
    // Capped, so that the shape check reports a sum that overflows its 32 bits.
    node.rows = static_cast<std::uint32_t>(std::min<std::uint64_t>(rows, kMaxGraphElements));
    node.inputs = std::move(parts);
    return push(std::move(node));
}

NodeId GraphBuilder::output(std::string name, NodeId a) {
    const Node& source = operand(name, a);
    return push({.name = std::move(name),
                 .op = Op::output,
                 .inputs = {a},
                 .rows = source.rows,
                 .cols = source.cols});
}

Graph GraphBuilder::build() {
    const auto uses = count_uses(graph_);
    for (std::size_t id = 0; id < graph_.nodes.size(); ++id) {
        const Node& node = graph_.nodes[id];
        if (node.op != Op::output && uses[id] == 0) fail(node, "nothing uses this node");
    }
    // The last node is used by none: it is an output, if there is one.
    if (graph_.nodes.empty())
        throw Error(fmt::format("graph \"{}\": there is no output", graph_.name));
    names_.clear();
    elements_ = 0;
    return std::exchange(graph_, {});
}

const Node& GraphBuilder::value_operand(const std::string& name, NodeId id) const {
    const Node& node = operand(name, id);
    if (node.op == Op::argmax)
        throw Error(fmt::format("node \"{}\": operand \"{}\" is an index, not a value",
                                printable(name), node.name));
    return node;
}

}  // namespace capra::compiler
