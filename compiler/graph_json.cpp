#include "compiler/graph_json.hpp"

#include "compiler/calibrate.hpp"
#include "compiler/matrix_json.hpp"
#include "isa/error.hpp"
#include "isa/json_reader.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace capra::compiler {

namespace {

constexpr std::string_view kNoun = "node";

/// The nodes read so far.
using NodeIds = std::unordered_map<std::string, NodeId>;

/// Adds file and path to the Errors of the graph builder, which name the node themselves.
template <typename F>
auto located(const JsonReader& reader, F&& build) -> decltype(build()) {
    try {
        return build();
    } catch (const Error& error) {
        reader.fail(error.what());
    }
}

Op read_op(const JsonReader& reader) {
    if (const auto op = op_by_name(reader.string())) return *op;
    reader.expected("the name of an operation");
}

std::uint32_t read_size(const JsonReader& reader) {
    return static_cast<std::uint32_t>(reader.integer(1, kMaxTensorElements));
}

std::uint32_t read_position(const JsonReader& reader) {
    return static_cast<std::uint32_t>(reader.integer(0, kMaxTensorElements - 1));
}

void check_keys(const JsonReader& node, Op op) {
    switch (op) {
        case Op::input:
            return node.only_keys({"name", "op", "rows", "cols", "tag"});
        case Op::index:
            return node.only_keys({"name", "op"});
        case Op::weight:
            return node.only_keys({"name", "op", "values"});
        case Op::matmul:
            return node.only_keys({"name", "op", "inputs", "scale", "transpose_b", "tag"});
        case Op::topk:
            return node.only_keys({"name", "op", "inputs", "k"});
        case Op::element:
            return node.only_keys({"name", "op", "inputs", "column"});
        case Op::lookup:
            return node.only_keys({"name", "op", "inputs", "rows", "position"});
        default:
            // What has a range may share it.
            if (has_range(op)) return node.only_keys({"name", "op", "inputs", "tag"});
            return node.only_keys({"name", "op", "inputs"});
    }
}

/// How many operands a node has; 0 for any number.
std::size_t operand_count(Op op) {
    switch (op) {
        case Op::matmul:
        case Op::add:
        case Op::mul:
        case Op::lookup:
            return 2;
        case Op::concat_rows:
        case Op::concat_cols:
            return 0;
        default:
            return 1;
    }
}

std::vector<NodeId> read_operands(const JsonReader& names, Op op, const NodeIds& earlier) {
    const std::size_t count = operand_count(op);
    if (count != 0 && names.size() != count)
        names.expected(count == 2 ? "two operands" : "one operand");
    std::vector<NodeId> operands;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto found = earlier.find(names.at(i).string());
        if (found == earlier.end()) names.at(i).expected("the name of an earlier node");
        operands.push_back(found->second);
    }
    return operands;
}

void read_options(const JsonReader& reader, Node& node) {
    if (const auto tag = reader.find("tag")) node.tag = tag->string();
    if (const auto scale = reader.find("scale")) node.scale = scale->number();
    if (const auto flag = reader.find("transpose_b")) node.transpose_b = flag->boolean();
    if (node.op != Op::lookup) return;
    if (const auto rows = reader.find("rows")) node.rows = read_size(*rows);
    if (const auto position = reader.find("position")) node.position = read_position(*position);
}

/// All that the file says of a node; what follows from its operands stays open.
Node read_node(const JsonReader& reader, const std::string& name, const NodeIds& earlier) {
    Node node{.name = name, .op = read_op(reader.at("op"))};
    check_keys(reader, node.op);
    if (node.op == Op::input) {
        node.rows = read_size(reader.at("rows"));
        node.cols = read_size(reader.at("cols"));
    } else if (node.op == Op::weight) {
        node.value = read_matrix(reader.at("values"), kMaxGraphElements);
    } else if (node.op != Op::index) {
        node.inputs = read_operands(reader.at("inputs"), node.op, earlier);
    }
    if (node.op == Op::topk) node.cols = read_size(reader.at("k"));
    if (node.op == Op::element) node.position = read_position(reader.at("column"));
    if (node.op == Op::lookup) node.rows = 1;
    read_options(reader, node);
    return node;
}

NodeId add_function(GraphBuilder& builder, const Node& node) {
    const NodeId a = node.inputs[0];
    switch (node.op) {
        case Op::relu:
            return builder.relu(node.name, a, node.tag);
        case Op::silu:
            return builder.silu(node.name, a, node.tag);
        case Op::sigmoid:
            return builder.sigmoid(node.name, a);
        case Op::gelu:
            return builder.gelu(node.name, a, node.tag);
        case Op::softmax:
            return builder.softmax(node.name, a);
        case Op::argmax:
            return builder.argmax(node.name, a);
        case Op::topk:
            return builder.topk(node.name, a, node.cols);
        case Op::topk_values:
            return builder.topk_values(node.name, a);
        case Op::element:
            return builder.element(node.name, a, node.position);
        default:
            return builder.output(node.name, a);
    }
}

NodeId add_node(GraphBuilder& builder, const Node& node) {
    const std::vector<NodeId>& in = node.inputs;
    switch (node.op) {
        case Op::input:
            return builder.input(node.name, node.rows, node.cols, node.tag);
        case Op::index:
            return builder.index(node.name);
        case Op::weight:
            return builder.weight(node.name, node.value);
        case Op::matmul:
            return builder.matmul(node.name, in[0], in[1], node.scale, node.transpose_b, node.tag);
        case Op::add:
            return builder.add(node.name, in[0], in[1], node.tag);
        case Op::mul:
            return builder.mul(node.name, in[0], in[1], node.tag);
        case Op::lookup:
            return builder.lookup(node.name, in[0], in[1], node.rows, 0, node.position);
        case Op::concat_rows:
            return builder.concat_rows(node.name, in, node.tag);
        case Op::concat_cols:
            return builder.concat_cols(node.name, in, node.tag);
        default:
            return add_function(builder, node);
    }
}

Graph read_graph(const JsonReader& root) {
    const JsonReader name = root.at("name");
    GraphBuilder builder = located(name, [&] { return GraphBuilder(name.string()); });
    const JsonReader nodes = root.at("nodes");
    NodeIds ids;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const JsonReader element = nodes.at(i);
        const std::string& own = element.at("name").string();
        const Node node = read_node(element.labelled({kNoun, own}), own, ids);
        ids[own] = located(element, [&] { return add_node(builder, node); });
    }
    return located(nodes, [&] { return builder.build(); });
}

std::vector<InputShape> input_shapes(const Graph& graph) {
    std::vector<InputShape> shapes;
    for (NodeId id = 0; id < graph.nodes.size(); ++id) {
        const Node& node = graph.nodes[id];
        const std::uint32_t end = node.op == Op::index ? index_end(graph, id) : 0;
        if (is_given(node.op)) shapes.push_back({node.name, node.rows, node.cols, end});
    }
    return shapes;
}

}  // namespace

ParsedGraph parse_graph(std::string_view text, const std::string& file) {
    const JsonDocument document = parse_strict_json(text, file, kNoun);
    const JsonReader root(document);
    root.only_keys({"name", "nodes", "calibration"});
    ParsedGraph parsed{read_graph(root), {}};
    const std::vector<InputShape> shapes = input_shapes(parsed.graph);
    const JsonReader samples = root.at("calibration");
    if (samples.size() == 0) samples.expected("at least one sample");
    for (std::size_t i = 0; i < samples.size(); ++i)
        parsed.samples.push_back(read_inputs(samples.at(i), shapes));
    return parsed;
}

}  // namespace capra::compiler
