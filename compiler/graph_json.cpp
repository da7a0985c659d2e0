#include "compiler/graph_json.hpp"

#include "compiler/strict_json.hpp"
#include "compiler/text.hpp"
#include "isa/error.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <unordered_map>
#include <utility>

namespace capra::compiler {

namespace {

using nlohmann::json;

constexpr std::array kOps = {Op::input,   Op::weight, Op::matmul,      Op::add,   Op::relu,
                             Op::softmax, Op::argmax, Op::concat_rows, Op::output};

std::string shown(const json& value) {
    if (value.is_array()) return fmt::format("an array of {}", value.size());
    if (value.is_object()) return "an object";
    return printable(value.dump());
}

class Reader {
  public:
    explicit Reader(const std::string& file) : file_(file) {}

    ParsedGraph read(const json& root) {
        check_keys("$", root, {"name", "nodes", "calibration"});
        const std::string& name = text("$.name", member("$", root, "name"));
        GraphBuilder builder = guarded("$.name", [&] { return GraphBuilder(name); });
        const json& nodes = array("$.nodes", member("$", root, "nodes"));
        for (std::size_t i = 0; i < nodes.size(); ++i)
            read_node(builder, "$.nodes" + path_step(i), nodes[i]);
        node_.clear();
        ParsedGraph parsed{guarded("$.nodes", [&] { return builder.build(); }), {}};
        const json& samples = array("$.calibration", member("$", root, "calibration"));
        if (samples.empty()) fail("$.calibration", "at least one sample is needed", samples);
        for (std::size_t i = 0; i < samples.size(); ++i)
            parsed.samples.push_back(
                read_sample(parsed.graph, "$.calibration" + path_step(i), samples[i]));
        return parsed;
    }

  private:
    [[noreturn]] void fail(const std::string& path, const std::string& message) const {
        const auto node = node_.empty() ? "" : fmt::format("node \"{}\": ", printable(node_));
        throw Error(fmt::format("{}: {}: {}{}", file_, path, node, message));
    }

    [[noreturn]] void fail(const std::string& path, const std::string& message,
                           const json& got) const {
        fail(path, fmt::format("{}, got {}", message, shown(got)));
    }

    /// Adds file and path to the Errors of the graph builder, which name the node themselves.
    template <typename F>
    auto guarded(const std::string& path, F&& build) const -> decltype(build()) {
        try {
            return build();
        } catch (const Error& error) {
            throw Error(fmt::format("{}: {}: {}", file_, path, error.what()));
        }
    }

    const json& member(const std::string& path, const json& object, const char* key) const {
        const auto found = object.find(key);
        if (found == object.end()) fail(path, fmt::format("the key \"{}\" is missing", key));
        return *found;
    }

    /// `value` must be an object that has no other keys.
    void check_keys(const std::string& path, const json& value,
                    std::initializer_list<std::string_view> known) const {
        if (!value.is_object()) fail(path, "expected an object", value);
        for (const auto& [key, unused] : value.items())
            if (std::find(known.begin(), known.end(), key) == known.end())
                fail(path + path_step(key),
                     fmt::format("unknown key, the keys here are {}", fmt::join(known, ", ")));
    }

    const json& array(const std::string& path, const json& value) const {
        if (!value.is_array()) fail(path, "expected an array", value);
        return value;
    }

    const std::string& text(const std::string& path, const json& value) const {
        if (!value.is_string()) fail(path, "expected a string", value);
        return value.get_ref<const std::string&>();
    }

    std::uint32_t size(const std::string& path, const json& value) const {
        // A negative number is signed in the library, so it fails here too.
        const auto number = value.is_number_unsigned() ? value.get<std::uint64_t>() : 0;
        if (number == 0 || number > kMaxTensorElements)
            fail(path, fmt::format("expected a whole number from 1 to {}", kMaxTensorElements),
                 value);
        return static_cast<std::uint32_t>(number);
    }

    double number(const std::string& path, const json& value) const {
        if (!value.is_number()) fail(path, "expected a number", value);
        return value.get<double>();
    }

    Matrix matrix(const std::string& path, const json& rows) const {
        if (array(path, rows).empty()) fail(path, "expected an array of rows", rows);
        Matrix result;
        for (std::size_t r = 0; r < rows.size(); ++r) {
            const json& row = rows[r];
            if (!row.is_array() || row.empty() || row.size() != rows[0].size())
                fail(path + path_step(r),
                     r == 0 ? "expected a row of numbers"
                            : fmt::format("expected a row of {} numbers", rows[0].size()),
                     row);
            for (std::size_t c = 0; c < row.size(); ++c) {
                if (!row[c].is_number())
                    fail(path + path_step(r) + path_step(c), "expected a number", row[c]);
                result.values.push_back(row[c].get<double>());
            }
        }
        if (result.values.size() > kMaxTensorElements)
            fail(path, fmt::format("a tensor has at most {} elements, got {}", kMaxTensorElements,
                                   result.values.size()));
        result.rows = static_cast<std::uint32_t>(rows.size());
        result.cols = static_cast<std::uint32_t>(rows[0].size());
        return result;
    }

    Op read_op(const std::string& path, const json& value) const {
        const std::string& name = text(path, value);
        for (Op op : kOps)
            if (op_name(op) == name) return op;
        fail(path, "unknown operation", value);
    }

    void check_node_keys(const std::string& path, const json& node, Op op) const {
        switch (op) {
            case Op::input:
                return check_keys(path, node, {"name", "op", "rows", "cols", "tag"});
            case Op::weight:
                return check_keys(path, node, {"name", "op", "values"});
            case Op::matmul:
                return check_keys(path, node,
                                  {"name", "op", "inputs", "scale", "transpose_b", "tag"});
            case Op::add:
            case Op::relu:
            case Op::concat_rows:
                return check_keys(path, node, {"name", "op", "inputs", "tag"});
            case Op::softmax:
            case Op::argmax:
            case Op::output:
                return check_keys(path, node, {"name", "op", "inputs"});
        }
    }

    std::vector<NodeId> read_operands(const std::string& node_path, const json& node, Op op) const {
        const std::string path = node_path + ".inputs";
        const json& names = array(path, member(node_path, node, "inputs"));
        const bool binary = op == Op::matmul || op == Op::add;
        if (op != Op::concat_rows && names.size() != (binary ? 2 : 1))
            fail(path, binary ? "expected two operands" : "expected one operand", names);
        std::vector<NodeId> ids;
        for (std::size_t i = 0; i < names.size(); ++i) {
            const auto found = ids_.find(text(path + path_step(i), names[i]));
            if (found == ids_.end())
                fail(path + path_step(i), "no earlier node has this name", names[i]);
            ids.push_back(found->second);
        }
        return ids;
    }

    double read_scale(const std::string& path, const json& node) const {
        const auto found = node.find("scale");
        return found == node.end() ? 1.0 : number(path + ".scale", *found);
    }

    bool read_flag(const std::string& path, const json& node, const char* key) const {
        const auto found = node.find(key);
        if (found == node.end()) return false;
        if (!found->is_boolean()) fail(path + path_step(key), "expected true or false", *found);
        return found->get<bool>();
    }

    std::string read_tag(const std::string& path, const json& node) const {
        const auto found = node.find("tag");
        return found == node.end() ? "" : text(path + ".tag", *found);
    }

    void read_node(GraphBuilder& builder, const std::string& path, const json& node) {
        node_.clear();
        if (!node.is_object()) fail(path, "expected an object", node);
        const std::string name = text(path + ".name", member(path, node, "name"));
        node_ = name;
        const Op op = read_op(path + ".op", member(path, node, "op"));
        check_node_keys(path, node, op);
        ids_.insert_or_assign(name, add_node(builder, path, node, op));
    }

    NodeId add_node(GraphBuilder& builder, const std::string& path, const json& node, Op op) {
        const std::string tag = read_tag(path, node);
        if (op == Op::input) {
            const std::uint32_t rows = size(path + ".rows", member(path, node, "rows"));
            const std::uint32_t cols = size(path + ".cols", member(path, node, "cols"));
            return guarded(path, [&] { return builder.input(node_, rows, cols, tag); });
        }
        if (op == Op::weight) {
            Matrix value = matrix(path + ".values", member(path, node, "values"));
            return guarded(path, [&] { return builder.weight(node_, std::move(value)); });
        }
        auto in = read_operands(path, node, op);
        const double scale = read_scale(path, node);
        const bool transpose = read_flag(path, node, "transpose_b");
        return guarded(path, [&]() -> NodeId {
            switch (op) {
                case Op::matmul:
                    return builder.matmul(node_, in[0], in[1], scale, transpose, tag);
                case Op::add:
                    return builder.add(node_, in[0], in[1], tag);
                case Op::relu:
                    return builder.relu(node_, in[0], tag);
                case Op::softmax:
                    return builder.softmax(node_, in[0]);
                case Op::argmax:
                    return builder.argmax(node_, in[0]);
                case Op::concat_rows:
                    return builder.concat_rows(node_, std::move(in), tag);
                default:
                    return builder.output(node_, in[0]);
            }
        });
    }

    Inputs read_sample(const Graph& graph, const std::string& path, const json& sample) {
        node_.clear();
        if (!sample.is_object()) fail(path, "expected an object", sample);
        Inputs inputs;
        for (const Node& node : graph.nodes) {
            if (node.op != Op::input) continue;
            node_ = node.name;
            const std::string at = path + path_step(node.name);
            Matrix value = matrix(at, member(path, sample, node.name.c_str()));
            if (value.rows != node.rows || value.cols != node.cols)
                fail(at, fmt::format("expected {} x {} values, got {} x {}", node.rows, node.cols,
                                     value.rows, value.cols));
            inputs.emplace(node.name, std::move(value));
        }
        node_.clear();
        for (const auto& [key, unused] : sample.items())
            if (!inputs.contains(key)) fail(path + path_step(key), "no input node has this name");
        return inputs;
    }

    const std::string& file_;
    std::string node_;  ///< the node being read, for error messages
    std::unordered_map<std::string, NodeId> ids_;
};

}  // namespace

ParsedGraph parse_graph(std::string_view text, const std::string& file) {
    return Reader(file).read(parse_strict_json(text, file));
}

}  // namespace capra::compiler
