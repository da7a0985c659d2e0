#include "compiler/quantise.hpp"

#include "compiler/node_error.hpp"
#include "isa/numerics.hpp"
#include "isa/target.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <utility>

namespace capra::compiler {

namespace {

constexpr double kInt8Max = 127;
constexpr double kLargestSoftmaxScale = isa::field_max(isa::Opcode::sm, &isa::Instruction::scale);
constexpr int kMultBits = std::bit_width(isa::field_max(isa::Opcode::rq, &isa::Instruction::mult));
constexpr int kMaxShift = isa::field_max(isa::Opcode::rq, &isa::Instruction::shift);

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

double observed_range(const Node& node, const Ranges& ranges) {
    const auto range = ranges.find(range_key(node));
    if (!range) fail(node, fmt::format("no calibrated range \"{}\"", range_key(node)));
    return *range;
}

class Quantiser {
  public:
    Quantiser(const Graph& graph, const Ranges& ranges)
        : graph_(graph), ranges_(ranges), uses_(count_uses(graph)), user_(graph.nodes.size()) {
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
                return user->op == Op::concat_rows;
            case Op::matmul:
            case Op::relu:
                return fuses_relu(id) || (user->op == Op::add && user->inputs[1] == id);
            default:
                return false;
        }
    }

    void choose_scale(NodeId id) {
        const Node& n = node(id);
        double& scale = result_.nodes[id].scale;
        if (n.op == Op::softmax)
            scale = 1.0 / isa::kSoftmaxOne;
        else if (n.op == Op::weight)
            scale = scale_of_range(n, weight_range(n));
        else if (n.op != Op::argmax && n.op != Op::output && !takes_users_scale(id))
            scale = scale_of_range(n, observed_range(n, ranges_));
        if (takes_users_scale(id)) scale = result_.nodes[user_[id]].scale;
    }

    Requant requant(NodeId id, double factor) const {
        const auto found = requant_for(factor);
        if (!found) fail(node(id), fmt::format("no requantise multiplies by {}", factor));
        return *found;
    }

    double scale_of(NodeId id) const { return result_.nodes[id].scale; }

    void choose_numbers(NodeId id) {
        const Node& n = node(id);
        QuantisedNode& q = result_.nodes[id];
        switch (n.op) {
            case Op::weight:
                q.weights = quantise_matrix(n.value, q.scale);
                break;
            case Op::matmul:
                q.fused_relu = fuses_relu(id);
                q.requant =
                    requant(id, scale_of(n.inputs[0]) * scale_of(n.inputs[1]) * n.scale / q.scale);
                break;
            case Op::relu:
                q.fused_relu = fuses_relu(n.inputs[0]);
                if (!q.fused_relu) q.requant = requant(id, scale_of(n.inputs[0]) / q.scale);
                break;
            case Op::softmax:
                q.softmax_scale = softmax_scale(scale_of(n.inputs[0]));
                break;
            case Op::add:
            case Op::concat_rows:
                bring_operands(id);
                break;
            case Op::output:
                q.scale = scale_of(n.inputs[0]);
                break;
            case Op::input:
            case Op::argmax:
                break;
        }
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
    std::vector<NodeId> user_;  ///< the last node that uses each node
    QuantisedGraph result_;
};

}  // namespace

std::optional<Requant> requant_for(double factor) {
    if (!std::isfinite(factor) || factor <= 0) return std::nullopt;
    int exponent{};
    std::frexp(factor, &exponent);
    // The shift that gives the multiplier all its bits, or as many as the shift can give.
    int shift = std::min(kMultBits - exponent, kMaxShift);
    double mult = std::floor(std::ldexp(factor, shift) + 0.5);
    if (mult == std::ldexp(1.0, kMultBits)) {
        mult /= 2;
        --shift;
    }
    if (shift < 0) return std::nullopt;
    return Requant{static_cast<std::uint32_t>(mult), static_cast<std::uint32_t>(shift)};
}

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

QuantisedGraph quantise(const Graph& graph, const Ranges& ranges) {
    try {
        return Quantiser(graph, ranges).run();
    } catch (const Error& error) {
        throw Error(fmt::format("graph \"{}\": {}", graph.name, error.what()));
    }
}

}  // namespace capra::compiler
