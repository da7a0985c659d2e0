#include "compiler/quantise.hpp"

#include "compiler/activation.hpp"
#include "compiler/node_error.hpp"
#include "isa/numerics.hpp"
#include "isa/target.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace capra::compiler {

namespace {

constexpr double kInt8Max = 127;
constexpr double kLargestSoftmaxScale = isa::field_max(isa::Opcode::sm, &isa::Instruction::scale);

double scale_of_range(const Node& node, double range) {
    if (range == 0) fail(node, "all values are zero, so it has no scale");
    const double scale = range / kInt8Max;
    if (!std::isnormal(scale)) fail(node, fmt::format("no int8 scale for the range {}", range));
    return scale;
}

double weight_range(const Node& node) {
    double range = 0;
    for (double v : node.value.values) range = std::max(range, std::fabs(v));
    return range;
}

/// One scale a column; that of the whole weight where a column is too small for its own.
std::vector<double> column_scales(const Node& node) {
    const double whole = scale_of_range(node, weight_range(node));
    std::vector<double> scales;
    for (std::uint32_t c = 0; c < node.cols; ++c) {
        double range = 0;
        for (std::uint32_t r = 0; r < node.rows; ++r)
            range = std::max(range, std::fabs(node.value.at(r, c)));
        scales.push_back(std::isnormal(range / kInt8Max) ? range / kInt8Max : whole);
    }
    return scales;
}

/// Which weights can have one scale a column: every use is as the right operand of a matmul.
std::vector<bool> scalable_columns(const Graph& graph) {
    std::vector<bool> result(graph.nodes.size());
    for (NodeId id = 0; id < graph.nodes.size(); ++id) {
        const Node& user = graph.nodes[id];
        result[id] = user.op == Op::weight;
        for (std::size_t i = 0; i < user.inputs.size(); ++i)
            if (user.op != Op::matmul || i != 1 || user.transpose_b) result[user.inputs[i]] = false;
    }
    return result;
}

double observed_range(const Node& node, const Ranges& ranges) {
    const auto range = ranges.find(range_key(node));
    if (!range) fail(node, fmt::format("no calibrated range \"{}\"", range_key(node)));
    return *range;
}

IntMatrix quantise_columns(const Matrix& matrix, const std::vector<double>& scales) {
    IntMatrix result{matrix.rows, matrix.cols, {}};
    result.values.reserve(matrix.values.size());
    for (std::size_t i = 0; i < matrix.values.size(); ++i)
        result.values.push_back(quantise_value(matrix.values[i], scales[i % matrix.cols]));
    return result;
}

class Quantiser {
  public:
    Quantiser(const Graph& graph, const Ranges& ranges, WeightScales scales)
        : graph_(graph), ranges_(ranges), uses_(count_uses(graph)), user_(graph.nodes.size()) {
        by_column_.resize(graph.nodes.size());
        if (scales == WeightScales::per_column) by_column_ = scalable_columns(graph);
        for (NodeId id = 0; id < graph.nodes.size(); ++id)
            for (NodeId operand : graph.nodes[id].inputs) user_[operand] = id;
    }

    QuantisedGraph run() {
        result_.graph = graph_;
        result_.nodes.resize(graph_.nodes.size());
        // Users first: some operands are stored at the scale of the one node that uses them.
        for (auto id = static_cast<NodeId>(graph_.nodes.size()); id-- > 0;) choose_scale(id);
        for (NodeId id = 0; id < graph_.nodes.size(); ++id) choose_numbers(id);
        return std::move(result_);
    }

  private:
    const Node& node(NodeId id) const { return graph_.nodes[id]; }

    /// The one node that uses `id`, null when there are several.
    const Node* only_user(NodeId id) const { return uses_[id] == 1 ? &node(user_[id]) : nullptr; }

    bool fuses_relu(NodeId id) const {
        const Node* user = only_user(id);
        return node(id).op == Op::matmul && user != nullptr && user->op == Op::relu;
    }

    /// True if `id` is produced at the scale of its only user, `user_[id]`.
    bool takes_users_scale(NodeId id) const {
        const Node* user = only_user(id);
        if (user == nullptr) return false;
        switch (node(id).op) {
            case Op::input:
            case Op::weight:
                return user->op == Op::concat_rows || user->op == Op::concat_cols;
            case Op::matmul:
            case Op::mul:
            case Op::relu:
                return fuses_relu(id) || (user->op == Op::add && user->inputs[1] == id);
            default:
                return false;
        }
    }

    void choose_scale(NodeId id) {
        const Node& n = node(id);
        double& scale = result_.nodes[id].scale;
        if (n.op == Op::softmax || n.op == Op::sigmoid)
            scale = 1.0 / isa::kSoftmaxOne;
        else if (by_column_[id])
            result_.nodes[id].column_scales = column_scales(n);
        else if (n.op == Op::weight)
            scale = scale_of_range(n, weight_range(n));
        else if (has_range(n.op) && !takes_users_scale(id))
            scale = scale_of_range(n, observed_range(n, ranges_));
        if (takes_users_scale(id)) scale = result_.nodes[user_[id]].scale;
    }

    Requant requant(NodeId id, double factor) const {
        const auto found = requant_for(factor);
        if (!found) fail(node(id), fmt::format("no requantise multiplies by {}", factor));
        return *found;
    }

    double scale_of(NodeId id) const { return result_.nodes[id].scale; }

    /// Whose value, or part of it, a node holds as it stands.
    std::optional<NodeId> source_of(const Node& n) const {
        switch (n.op) {
            case Op::output:
            case Op::element:
            case Op::lookup:
                return n.inputs[0];
            case Op::topk_values:
                return node(n.inputs[0]).inputs[0];
            default:
                return std::nullopt;
        }
    }

    void choose_numbers(NodeId id) {
        const Node& n = node(id);
        QuantisedNode& q = result_.nodes[id];
        if (const auto source = source_of(n)) q.scale = scale_of(*source);
        switch (n.op) {
            case Op::weight:
                q.weights = q.column_scales.empty() ? quantise_matrix(n.value, q.scale)
                                                    : quantise_columns(n.value, q.column_scales);
                break;
            case Op::matmul:
                q.fused_relu = fuses_relu(id);
                choose_requant(id);
                break;
            case Op::mul:
                q.requant = requant(id, scale_of(n.inputs[0]) * scale_of(n.inputs[1]) / q.scale);
                break;
            case Op::relu:
                q.fused_relu = fuses_relu(n.inputs[0]);
                if (!q.fused_relu) q.requant = requant(id, scale_of(n.inputs[0]) / q.scale);
                break;
            case Op::silu:
            case Op::sigmoid:
            case Op::gelu:
                q.table = activation_table(n.op, scale_of(n.inputs[0]), q.scale);
                break;
            case Op::softmax:
                q.softmax_scale = softmax_scale(scale_of(n.inputs[0]));
                break;
            case Op::add:
            case Op::concat_rows:
            case Op::concat_cols:
                bring_operands(id);
                break;
            case Op::argmax:
            case Op::topk:
                q.of_accumulators = result_.nodes[n.inputs[0]].column_requant.has_value();
                break;
            default:
                break;
        }
    }

    /// Of a matmul: all three scales, and the factor of the node.
    void choose_requant(NodeId id) {
        const Node& n = node(id);
        QuantisedNode& q = result_.nodes[id];
        const auto factor = [&](double b_scale) {
            return scale_of(n.inputs[0]) * b_scale * n.scale / q.scale;
        };
        if (!by_column_[n.inputs[1]]) {
            q.requant = requant(id, factor(scale_of(n.inputs[1])));
            return;
        }
        std::vector<double> factors;
        for (double scale : result_.nodes[n.inputs[1]].column_scales)
            factors.push_back(factor(scale));
        q.column_requant = column_requant_for(factors);
        if (!q.column_requant)
            fail(n, fmt::format("no requantise of columns multiplies by {}",
                                *std::max_element(factors.begin(), factors.end())));
    }

    void bring_operands(NodeId id) {
        for (NodeId operand : node(id).inputs) {
            auto& brought = result_.nodes[id].operands;
            if (takes_users_scale(operand))
                brought.emplace_back(std::nullopt);
            else
                brought.emplace_back(requant(id, scale_of(operand) / scale_of(id)));
        }
    }

    static std::uint32_t softmax_scale(double input_scale) {
        const double exact = input_scale * std::numbers::log2e * (1 << isa::kSoftmaxScaleBits);
        // Saturated, one step already divides the probability by 2^16.
        return static_cast<std::uint32_t>(std::min(std::floor(exact + 0.5), kLargestSoftmaxScale));
    }

    const Graph& graph_;
    const Ranges& ranges_;
    std::vector<std::uint32_t> uses_;
    std::vector<NodeId> user_;     ///< the last node that uses each node
    std::vector<bool> by_column_;  ///< a weight with one scale a column
    QuantisedGraph result_;
};

}  // namespace

std::int8_t quantise_value(double value, double scale) {
    const double steps = std::floor(value / scale + 0.5);
    if (std::isnan(steps)) throw Error(fmt::format("no int8 value for {} / {}", value, scale));
    return static_cast<std::int8_t>(std::clamp(steps, -128.0, 127.0));
}

IntMatrix quantise_matrix(const Matrix& matrix, double scale) {
    IntMatrix result{matrix.rows, matrix.cols, {}};
    result.values.reserve(matrix.values.size());
    for (double v : matrix.values) result.values.push_back(quantise_value(v, scale));
    return result;
}

Matrix dequantise_matrix(const IntMatrix& matrix, double scale) {
    Matrix result{matrix.rows, matrix.cols, {}};
    result.values.reserve(matrix.values.size());
    for (std::int8_t v : matrix.values) result.values.push_back(scale == 0 ? v : v * scale);
    return result;
}

QuantisedGraph quantise(const Graph& graph, const Ranges& ranges, WeightScales scales) {
    try {
        return Quantiser(graph, ranges, scales).run();
    } catch (const Error& error) {
        throw Error(fmt::format("graph \"{}\": {}", graph.name, error.what()));
    }
}

}  // namespace capra::compiler
