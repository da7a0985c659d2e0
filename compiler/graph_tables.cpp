// The builder's operands, and the nodes that choose, look up, take apart and join.
#include "compiler/graph.hpp"
#include "compiler/node_error.hpp"
#include "isa/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace capra::compiler {

namespace {

/// Of a node that has only its name so far.
[[noreturn]] void refuse(const std::string& name, const std::string& why) {
    throw Error(fmt::format("node \"{}\": {}", printable(name), why));
}

}  // namespace

const Node& GraphBuilder::earlier(const std::string& name, NodeId id) const {
    if (id >= graph_.nodes.size()) refuse(name, fmt::format("no node has the number {}", id));
    const Node& node = graph_.nodes[id];
    if (node.op == Op::output) refuse(name, fmt::format("operand \"{}\" is an output", node.name));
    return node;
}

const Node& GraphBuilder::operand(const std::string& name, NodeId id) const {
    const Node& node = earlier(name, id);
    if (node.op == Op::index)
        refuse(name, fmt::format("operand \"{}\" is an index that the host gives, for lookups only",
                                 node.name));
    if (is_read(id, /*by_lookups=*/true))
        refuse(name, fmt::format("operand \"{}\" is a table, for lookups only", node.name));
    if (std::uint64_t{node.rows} * node.cols > kMaxTensorElements)
        refuse(name, fmt::format("operand {} has more than the {} elements that can be loaded",
                                 shape_text(node), kMaxTensorElements));
    return node;
}

const Node& GraphBuilder::value_operand(const std::string& name, NodeId id) const {
    const Node& node = operand(name, id);
    if (is_index(node.op))
        refuse(name, fmt::format("operand \"{}\" is an index, not a value", node.name));
    return node;
}

const Node& GraphBuilder::row_operand(const std::string& name, NodeId id) const {
    const Node& node = value_operand(name, id);
    if (node.rows != 1) refuse(name, fmt::format("one row expected, got {}", shape_text(node)));
    return node;
}

bool GraphBuilder::is_read(NodeId id, bool by_lookups) const {
    return std::any_of(graph_.nodes.begin(), graph_.nodes.end(), [&](const Node& node) {
        if (node.op == Op::lookup) return by_lookups && node.inputs[0] == id;
        return !by_lookups && std::count(node.inputs.begin(), node.inputs.end(), id) != 0;
    });
}

NodeId GraphBuilder::topk(std::string name, NodeId a, std::uint32_t k) {
    const Node& source = row_operand(name, a);
    Node node{.name = std::move(name), .op = Op::topk, .inputs = {a}, .rows = 1, .cols = k};
    if (k == 0 || k > source.cols)
        fail(node, fmt::format("k is 1 to the {} elements of \"{}\", got {}", source.cols,
                               source.name, k));
    return push(std::move(node));
}

NodeId GraphBuilder::topk_values(std::string name, NodeId topk) {
    const Node& source = earlier(name, topk);
    Node node{.name = std::move(name),
              .op = Op::topk_values,
              .inputs = {topk},
              .rows = 1,
              .cols = source.cols};
    if (source.op != Op::topk) fail(node, fmt::format("operand \"{}\" is no topk", source.name));
    return push(std::move(node));
}

NodeId GraphBuilder::element(std::string name, NodeId a, std::uint32_t column) {
    const Node& source = row_operand(name, a);
    Node node{.name = std::move(name),
              .op = Op::element,
              .inputs = {a},
              .rows = 1,
              .cols = 1,
              .position = column};
    if (column >= source.cols)
        fail(node, fmt::format("{} has no column {}", shape_text(source), column));
    return push(std::move(node));
}

NodeId GraphBuilder::lookup(std::string name, NodeId table, NodeId index, std::uint32_t rows,
                            std::uint32_t cols, std::uint32_t position) {
    if (cols == 0 && rows != 0) cols = earlier(name, table).cols / rows;
    Node node{.name = std::move(name),
              .op = Op::lookup,
              .inputs = {table, index},
              .rows = rows,
              .cols = cols,
              .position = position};
    check_table(node);
    check_index(node);
    return push(std::move(node));
}

void GraphBuilder::check_table(const Node& lookup) const {
    const NodeId id = lookup.inputs[0];
    const Node& table = earlier(lookup.name, id);
    if (table.op != Op::weight)
        fail(lookup, fmt::format("operand \"{}\" is no weight, so no table", table.name));
    if (table.rows > kMaxTableRows)
        fail(lookup,
             fmt::format("a table has at most {} rows, got {}", kMaxTableRows, shape_text(table)));
    if (std::uint64_t{lookup.rows} * lookup.cols != table.cols)
        fail(lookup, fmt::format("a row of {} does not make {} x {} elements", shape_text(table),
                                 lookup.rows, lookup.cols));
    if (is_read(id, /*by_lookups=*/false))
        fail(lookup, fmt::format("the table \"{}\" is an operand of something else", table.name));
}

void GraphBuilder::check_index(const Node& lookup) const {
    const Node& table = graph_.nodes[lookup.inputs[0]];
    const Node& index = earlier(lookup.name, lookup.inputs[1]);
    if (!is_index(index.op))
        fail(lookup, fmt::format("operand \"{}\" is a value, not an index", index.name));
    if (index.rows != 1)
        fail(lookup, fmt::format("an index of one row expected, got {}", shape_text(index)));
    if (lookup.position >= index.cols)
        fail(lookup, fmt::format("{} has no index number {}", shape_text(index), lookup.position));
    if (index.op == Op::index) return;
    const Node& source = graph_.nodes[index.inputs[0]];
    if (table.rows < source.cols)
        fail(lookup, fmt::format("\"{}\" chooses from {} columns, {} has fewer rows", index.name,
                                 source.cols, shape_text(table)));
}

NodeId GraphBuilder::concat(Node node, std::vector<NodeId> parts) {
    if (parts.empty()) fail(node, fmt::format("{} needs at least one operand", op_name(node.op)));
    const bool by_rows = node.op == Op::concat_rows;
    std::uint64_t length = 0;
    if (by_rows) node.cols = value_operand(node.name, parts.front()).cols;
    for (NodeId id : parts) {
        const Node& part = by_rows ? value_operand(node.name, id) : row_operand(node.name, id);
        if (by_rows && part.cols != node.cols)
            fail(node,
                 fmt::format("rows of {} columns expected, got {}", node.cols, shape_text(part)));
        length += by_rows ? part.rows : part.cols;
    }
    // Capped, so that the shape check reports a sum that overflows its 32 bits.
    const auto capped =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(length, kMaxGraphElements));
    (by_rows ? node.rows : node.cols) = capped;
    node.inputs = std::move(parts);
    return push(std::move(node));
}

NodeId GraphBuilder::concat_rows(std::string name, std::vector<NodeId> parts, std::string tag) {
    return concat({.name = std::move(name), .op = Op::concat_rows, .tag = std::move(tag)},
                  std::move(parts));
}

NodeId GraphBuilder::concat_cols(std::string name, std::vector<NodeId> parts, std::string tag) {
    return concat(
        {.name = std::move(name), .op = Op::concat_cols, .rows = 1, .tag = std::move(tag)},
        std::move(parts));
}

}  // namespace capra::compiler
