#include "compiler/graph_json.hpp"

#include "compiler/matrix_json.hpp"
#include "isa/error.hpp"
#include "isa/json_reader.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace capra::compiler {

namespace {

constexpr std::string_view kNoun = "node";
constexpr std::array kOps = {Op::input,   Op::weight, Op::matmul,      Op::add,   Op::relu,
                             Op::softmax, Op::argmax, Op::concat_rows, Op::output};

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
    for (Op op : kOps)
        if (op_name(op) == reader.string()) return op;
    reader.expected("the name of an operation");
}

std::uint32_t read_size(const JsonReader& reader) {
    return static_cast<std::uint32_t>(reader.integer(1, kMaxTensorElements));
}

void check_keys(const JsonReader& node, Op op) {
    switch (op) {
        case Op::input:
            return node.only_keys({"name", "op", "rows", "cols", "tag"});
        case Op::weight:
            return node.only_keys({"name", "op", "values"});
        case Op::matmul:
            return node.only_keys({"name", "op", "inputs", "scale", "transpose_b", "tag"});
        case Op::add:
        case Op::relu:
        case Op::concat_rows:
            return node.only_keys({"name", "op", "inputs", "tag"});
        case Op::softmax:
        case Op::argmax:
        case Op::output:
            return node.only_keys({"name", "op", "inputs"});
        default:
            break;
    }
}

std::vector<NodeId> read_operands(const JsonReader& names, Op op, const NodeIds& earlier) {
    const bool binary = op == Op::matmul || op == Op::add;
    if (names.size() != (binary ? 2 : 1) && op != Op::concat_rows)
        names.expected(binary ? "two operands" : "one operand");
    std::vector<NodeId> operands;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto found = earlier.find(names.at(i).string());
        if (found == earlier.end()) names.at(i).expected("the name of an earlier node");
        operands.push_back(found->second);
    }
    return operands;
}

/// All that the file says of a node; what follows from its operands stays open.
Node read_node(const JsonReader& reader, const std::string& name, const NodeIds& earlier) {
    Node node{.name = name, .op = read_op(reader.at("op"))};
    check_keys(reader, node.op);
    if (node.op == Op::input) {
        node.rows = read_size(reader.at("rows"));
        node.cols = read_size(reader.at("cols"));
    } else if (node.op == Op::weight) {
        node.value = read_matrix(reader.at("values"));
    } else {
        node.inputs = read_operands(reader.at("inputs"), node.op, earlier);
    }
    if (const auto tag = reader.find("tag")) node.tag = tag->string();
    if (const auto scale = reader.find("scale")) node.scale = scale->number();
    if (const auto flag = reader.find("transpose_b")) node.transpose_b = flag->boolean();
    return node;
}

NodeId add_node(GraphBuilder& builder, const Node& node) {
    const std::vector<NodeId>& in = node.inputs;
    switch (node.op) {
        case Op::input:
            return builder.input(node.name, node.rows, node.cols, node.tag);
        case Op::weight:
            return builder.weight(node.name, node.value);
        case Op::matmul:
            return builder.matmul(node.name, in[0], in[1], node.scale, node.transpose_b, node.tag);
        case Op::add:
            return builder.add(node.name, in[0], in[1], node.tag);
        case Op::relu:
            return builder.relu(node.name, in[0], node.tag);
        case Op::softmax:
            return builder.softmax(node.name, in[0]);
        case Op::argmax:
            return builder.argmax(node.name, in[0]);
        case Op::concat_rows:
            return builder.concat_rows(node.name, in, node.tag);
        default:
            return builder.output(node.name, in[0]);
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
    for (const Node& node : graph.nodes)
        if (node.op == Op::input) shapes.push_back({node.name, node.rows, node.cols});
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
