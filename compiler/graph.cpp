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

/// In the order of `Op`.
constexpr std::array<std::string_view, 19> kOpNames = {
    "input",   "index",   "weight",      "matmul",      "add",    "mul",  "relu",
    "silu",    "sigmoid", "gelu",        "softmax",     "argmax", "topk", "topk_values",
    "element", "lookup",  "concat_rows", "concat_cols", "output"};

void check_name(std::string_view what, std::string_view name) {
    if (!isa::is_name(name))
        throw Error(fmt::format("{} \"{}\": {}", what, printable(name), isa::kNameRule));
}

/// A weight may be a table, of which one row at a time is loaded.
void check_shape(const Node& node) {
    const std::uint64_t most = node.op == Op::weight ? kMaxGraphElements : kMaxTensorElements;
    if (node.rows == 0 || node.cols == 0 || std::uint64_t{node.rows} * node.cols > most)
        fail(node,
             fmt::format("a tensor has 1 to {} elements, got {} x {}", most, node.rows, node.cols));
}

}  // namespace

std::string_view op_name(Op op) {
    return kOpNames[static_cast<std::size_t>(op)];
}

std::optional<Op> op_by_name(std::string_view name) {
    const auto* const found = std::find(kOpNames.begin(), kOpNames.end(), name);
    if (found == kOpNames.end()) return std::nullopt;
    return static_cast<Op>(found - kOpNames.begin());
}

std::vector<std::uint32_t> count_uses(const Graph& graph) {
    std::vector<std::uint32_t> uses(graph.nodes.size(), 0);
    for (const Node& node : graph.nodes)
        for (NodeId id : node.inputs) ++uses[id];
    return uses;
}

std::uint32_t index_end(const Graph& graph, NodeId index) {
    std::uint32_t end = kMaxTableRows;
    for (const Node& node : graph.nodes)
        if (node.op == Op::lookup && node.inputs[1] == index)
            end = std::min(end, graph.nodes[node.inputs[0]].rows);
    return end;
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

NodeId GraphBuilder::input(std::string name, std::uint32_t rows, std::uint32_t cols,
                           std::string tag) {
    return push({.name = std::move(name),
                 .op = Op::input,
                 .rows = rows,
                 .cols = cols,
                 .tag = std::move(tag)});
}

NodeId GraphBuilder::index(std::string name) {
    return push({.name = std::move(name), .op = Op::index, .rows = 1, .cols = 1});
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

NodeId GraphBuilder::mul(std::string name, NodeId a, NodeId b, std::string tag) {
    const Node& left = value_operand(name, a);
    const Node& right = value_operand(name, b);
    Node node{.name = std::move(name),
              .op = Op::mul,
              .inputs = {a, b},
              .rows = left.rows,
              .cols = left.cols,
              .tag = std::move(tag)};
    if (left.rows != right.rows || (left.cols != right.cols && right.cols != 1))
        fail(node, fmt::format("shapes do not multiply element by element: {} and {}",
                               shape_text(left), shape_text(right)));
    return push(std::move(node));
}

NodeId GraphBuilder::map(Op op, std::string name, NodeId a, std::string tag) {
    const Node& source = value_operand(name, a);
    return push({.name = std::move(name),
                 .op = op,
                 .inputs = {a},
                 .rows = source.rows,
                 .cols = source.cols,
                 .tag = std::move(tag)});
}

NodeId GraphBuilder::relu(std::string name, NodeId a, std::string tag) {
    return map(Op::relu, std::move(name), a, std::move(tag));
}

NodeId GraphBuilder::silu(std::string name, NodeId a, std::string tag) {
    return map(Op::silu, std::move(name), a, std::move(tag));
}

NodeId GraphBuilder::sigmoid(std::string name, NodeId a) {
    return map(Op::sigmoid, std::move(name), a, "");
}

NodeId GraphBuilder::gelu(std::string name, NodeId a, std::string tag) {
    return map(Op::gelu, std::move(name), a, std::move(tag));
}

NodeId GraphBuilder::softmax(std::string name, NodeId a) {
    return map(Op::softmax, std::move(name), a, "");
}

NodeId GraphBuilder::argmax(std::string name, NodeId a) {
    const Node& source = value_operand(name, a);
    return push(
        {.name = std::move(name), .op = Op::argmax, .inputs = {a}, .rows = source.rows, .cols = 1});
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

}  // namespace capra::compiler
