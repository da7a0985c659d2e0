// The integer interpreter against float, with a bound derived node by node.
#include "compiler/integer_interpreter.hpp"

#include "isa/error.hpp"
#include "tests/compiler_graph_json.hpp"
#include "tests/compiler_random_graph.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace capra {
namespace {

using namespace compiler;
using namespace compiler_testing;

/// How far each stored value may be from float, given that the sample was calibrated on. Rounding
/// moves a value by half a step; saturation and relu never move it away from a float value that
/// is in range.
class ErrorBound {
  public:
    ErrorBound(const QuantisedGraph& quantised, const std::vector<Matrix>& exact)
        : q_(quantised), exact_(exact) {
        for (NodeId id = 0; id < exact.size(); ++id) bounds_.push_back(bound(id));
    }
    const Matrix& operator[](NodeId id) const { return bounds_[id]; }

  private:
    const Node& node(NodeId id) const { return q_.graph.nodes[id]; }

    // Multipliers are exact to 2^-31, those of columns see `product`; 1e-6 steps also cover the
    // float evaluation's own rounding.
    double half_step(NodeId id) const { return 0.5000001 * q_.nodes[id].scale; }

    Matrix bound(NodeId id) const {
        const Node& n = node(id);
        Matrix result = exact_[id];
        switch (n.op) {
            case Op::weight:
                for (std::size_t i = 0; i < result.values.size(); ++i)
                    result.values[i] = 0.5000001 * weight_scale(id, i % n.cols);
                return result;
            case Op::input:
                std::fill(result.values.begin(), result.values.end(), half_step(id));
                return result;
            case Op::matmul:
                return product(id);
            case Op::softmax:
                return probabilities(id);
            case Op::argmax:
                return result;
            case Op::output:
                return bounds_[n.inputs[0]];
            case Op::relu:
                if (q_.nodes[id].fused_relu) return bounds_[n.inputs[0]];
                return plus(bounds_[n.inputs[0]], half_step(id));
            case Op::add: {
                result = brought(id, 0);
                const Matrix right = brought(id, 1);
                for (std::size_t i = 0; i < right.values.size(); ++i)
                    result.values[i] += right.values[i];
                return result;
            }
            case Op::concat_rows:
            case Op::concat_cols:
                result.values.clear();
                for (std::size_t i = 0; i < n.inputs.size(); ++i) {
                    const Matrix part = brought(id, i);
                    result.values.insert(result.values.end(), part.values.begin(),
                                         part.values.end());
                }
                return result;
            default:
                break;
        }
        return result;
    }

    static Matrix plus(Matrix m, double more) {
        for (double& v : m.values) v += more;
        return m;
    }

    Matrix brought(NodeId id, std::size_t i) const {
        const Matrix& own = bounds_[node(id).inputs[i]];
        return q_.nodes[id].operands[i] ? plus(own, half_step(id)) : own;
    }

    double weight_scale(NodeId id, std::size_t column) const {
        const auto& scales = q_.nodes[id].column_scales;
        return scales.empty() ? q_.nodes[id].scale : scales[column];
    }

    /// What the multiplier of column j may be off, relative to itself: 2^-16 of the largest one.
    double multiplier_error(NodeId id, std::uint32_t j) const {
        if (!q_.nodes[id].column_requant) return 0;
        const auto& scales = q_.nodes[node(id).inputs[1]].column_scales;
        return std::ldexp(*std::max_element(scales.begin(), scales.end()) / scales[j], -16);
    }

    // |(a + da)(b + db) - ab| <= |a| db + |b| da + da db
    Matrix product(NodeId id) const {
        const Node& n = node(id);
        const Matrix& a = exact_[n.inputs[0]];
        const Matrix& b = exact_[n.inputs[1]];
        const Matrix& da = bounds_[n.inputs[0]];
        const Matrix& db = bounds_[n.inputs[1]];
        Matrix result = exact_[id];
        for (std::uint32_t i = 0; i < n.rows; ++i)
            for (std::uint32_t j = 0; j < n.cols; ++j) {
                double sum = 0;
                double product = 0;
                for (std::uint32_t t = 0; t < a.cols; ++t) {
                    const auto r = n.transpose_b ? j : t;
                    const auto c = n.transpose_b ? t : j;
                    sum += std::fabs(a.at(i, t)) * db.at(r, c) +
                           std::fabs(b.at(r, c)) * da.at(i, t) + da.at(i, t) * db.at(r, c);
                    product += std::fabs(a.at(i, t) * b.at(r, c));
                }
                sum += (product + sum) * multiplier_error(id, j);
                result.at(i, j) = sum * n.scale * 1.0000001 + half_step(id);
            }
        return result;
    }

    // Exponents off by `e` change a probability p by at most p (exp(2 e) - 1). The exponent is
    // off by the operand's error, half of 1/256 from its rounding, and 2^-21 a step from the
    // scale field's. The table and shifts round to 2^-15 each, the division to 2^-16, the result
    // to half of 1/127.
    Matrix probabilities(NodeId id) const {
        const Matrix& operand = bounds_[node(id).inputs[0]];
        Matrix result = exact_[id];
        for (std::uint32_t r = 0; r < result.rows; ++r) {
            double e = 0;
            for (std::uint32_t c = 0; c < result.cols; ++c) e = std::max(e, operand.at(r, c));
            e += std::numbers::ln2 * (1.0 / 512 + 255 * std::ldexp(1, -21));
            for (std::uint32_t c = 0; c < result.cols; ++c)
                result.at(r, c) = std::min(1.0, result.at(r, c) * (std::exp(2 * e) - 1) +
                                                    (result.cols + 1) * std::ldexp(1, -15) +
                                                    std::ldexp(1, -15) + half_step(id));
        }
        return result;
    }

    const QuantisedGraph& q_;
    const std::vector<Matrix>& exact_;
    std::vector<Matrix> bounds_;
};

/// The float value of the index that was picked is the largest, up to both errors.
void expect_near_best(const Matrix& values, const Matrix& bounds, const IntMatrix& picked) {
    for (std::uint32_t r = 0; r < values.rows; ++r) {
        const auto best = static_cast<std::uint32_t>(picked.values[r]);
        RC_ASSERT(best < values.cols);
        for (std::uint32_t c = 0; c < values.cols; ++c)
            RC_ASSERT(values.at(r, best) + bounds.at(r, best) >= values.at(r, c) - bounds.at(r, c));
    }
}

RC_GTEST_PROP(CompilerInterpreter, integer_result_stays_within_the_derived_bound_of_float, ()) {
    const auto seed = *rc::gen::arbitrary<std::uint32_t>();
    const Graph graph = GraphFromChoices(*choices(), seed).build();
    std::mt19937 random(seed);
    const std::vector<Inputs> samples = {random_inputs(random, graph),
                                         random_inputs(random, graph)};
    RC_LOG() << graph_to_json(graph, samples);
    const auto tried = try_quantise(graph, samples, *weight_scales());
    RC_PRE(tried.has_value());
    const QuantisedGraph& quantised = *tried;
    const auto exact = evaluate(graph, samples[1]);
    const auto stored = evaluate(quantised, quantise_inputs(quantised, samples[1]));
    const ErrorBound bounds(quantised, exact);
    for (NodeId id = 0; id < graph.nodes.size(); ++id) {
        const Node& node = graph.nodes[id];
        if (node.op == Op::argmax) {
            const NodeId operand = node.inputs[0];
            expect_near_best(exact[operand], bounds[operand], stored[id]);
            continue;
        }
        // The output of an index, or a weight with one scale a column.
        if (quantised.nodes[id].scale == 0) continue;
        // With its relu fused, a matmul holds the relu's result already.
        const bool as_relu = node.op == Op::matmul && quantised.nodes[id].fused_relu;
        const Matrix real = dequantise_matrix(stored[id], quantised.nodes[id].scale);
        for (std::size_t i = 0; i < real.values.size(); ++i) {
            const double wanted =
                as_relu ? std::max(exact[id].values[i], 0.0) : exact[id].values[i];
            RC_ASSERT(std::fabs(real.values[i] - wanted) <= bounds[id].values[i]);
        }
    }
}

/// A graph of one node on one input, and its quantised form with every range at 127 (scale 1).
template <typename Add>
QuantisedGraph unit_scale_graph(std::uint32_t rows, std::uint32_t cols, Add add) {
    GraphBuilder b("unit");
    const NodeId x = b.input("x", rows, cols, "t");
    b.output("out", add(b, x));
    Ranges ranges;
    ranges.widen("t", 127);
    return quantise(b.build(), ranges);
}

std::vector<std::int8_t> output_of(const QuantisedGraph& q, std::uint32_t rows, std::uint32_t cols,
                                   const std::vector<std::int8_t>& x) {
    return evaluate(q, IntInputs{{"x", {rows, cols, x}}}).back().values;
}

TEST(CompilerInterpreter, softmax_equals_hand_worked_values) {
    // Scale field round(log2(e) 2^20) = 1512775. One element: all of the probability.
    const auto one =
        unit_scale_graph(1, 1, [](GraphBuilder& b, NodeId x) { return b.softmax("p", x); });
    EXPECT_EQ(one.nodes[1].softmax_scale, 1512775U);
    EXPECT_EQ(output_of(one, 1, 1, {-128}), (std::vector<std::int8_t>{127}));
    // Two equal elements: e = 32768 each, R = 127 2^32 / 65536, p = 127 / 2 rounded half up.
    const auto two =
        unit_scale_graph(1, 2, [](GraphBuilder& b, NodeId x) { return b.softmax("p", x); });
    EXPECT_EQ(output_of(two, 1, 2, {5, 5}), (std::vector<std::int8_t>{64, 64}));
    // One step apart: u = (1512775 + 2048) div 4096 = 369, fraction 113, one halving:
    // round(32768 2^(-113/256)) = 24130, halved 12065; 127 e / 44833 = 92.82 and 34.18.
    EXPECT_EQ(output_of(two, 1, 2, {5, 4}), (std::vector<std::int8_t>{93, 34}));
    // The extremes: 255 steps are 368 halvings, beyond 16.
    EXPECT_EQ(output_of(two, 1, 2, {-128, 127}), (std::vector<std::int8_t>{0, 127}));
}

TEST(CompilerInterpreter, softmax_counts_16_halvings_and_drops_17) {
    GraphBuilder b("halvings");
    b.output("out", b.softmax("p", b.input("x", 1, 256)));
    Ranges ranges;
    ranges.widen("x", 127 * std::numbers::ln2);  // one step is one halving
    const auto q = quantise(b.build(), ranges);
    EXPECT_EQ(q.nodes[1].softmax_scale, 1U << 20);
    const auto top = [&](std::int8_t rest) {
        std::vector<std::int8_t> x(256, rest);
        x[9] = 0;
        return int{output_of(q, 1, 256, x)[9]};
    };
    EXPECT_EQ(top(-17), 127);
    EXPECT_EQ(top(-16), 126);  // 255 times 1 beside 32768: 127 * 32768 / 33023 = 126.02
    EXPECT_EQ(top(-15), 126);  // 127 * 32768 / 33023, since 32768 / 2^15 is 1 too
    EXPECT_EQ(top(-14), 125);  // 127 * 32768 / 33278 = 125.05
}

TEST(CompilerInterpreter, argmax_takes_the_lowest_of_equal_elements) {
    const auto q =
        unit_scale_graph(2, 4, [](GraphBuilder& b, NodeId x) { return b.argmax("i", x); });
    EXPECT_EQ(output_of(q, 2, 4, {1, 9, 9, 3, -5, -7, -5, -6}), (std::vector<std::int8_t>{1, 0}));
}

TEST(CompilerInterpreter, requantise_rounds_halves_up_and_saturates_at_both_ends) {
    // Both parts are rescaled, since x is used twice: from scale 1 to `range` / 127.
    const auto rescaled = [](double range, int v) {
        GraphBuilder b("rescale");
        const NodeId x = b.input("x", 1, 1, "x");
        b.output("out", b.concat_rows("y", {x, x}, "y"));
        Ranges ranges;
        ranges.widen("x", 127);
        ranges.widen("y", range);
        return int{output_of(quantise(b.build(), ranges), 1, 1, {static_cast<std::int8_t>(v)})[1]};
    };
    const auto halved = [&](int v) { return rescaled(254, v); };
    EXPECT_EQ(halved(1), 1);
    EXPECT_EQ(halved(3), 2);
    EXPECT_EQ(halved(-1), 0);
    EXPECT_EQ(halved(-3), -1);
    EXPECT_EQ(halved(-4), -2);
    const auto tripled = [&](int v) { return rescaled(127.0 / 3, v); };
    EXPECT_EQ(tripled(42), 126);
    EXPECT_EQ(tripled(43), 127);
    EXPECT_EQ(tripled(-42), -126);
    EXPECT_EQ(tripled(-43), -128);
}

TEST(CompilerInterpreter, missing_wrong_and_unknown_inputs_are_refused_by_name) {
    const auto q =
        unit_scale_graph(1, 2, [](GraphBuilder& b, NodeId x) { return b.relu("r", x, "t"); });
    const auto message = [&](const IntInputs& inputs) -> std::string {
        try {
            evaluate(q, inputs);
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_NE(message({}).find("\"x\": no value"), std::string::npos);
    EXPECT_NE(message({{"x", {2, 1, {0, 0}}}}).find("\"x\": input of 1 x 2"), std::string::npos);
    EXPECT_EQ(message({{"x", {1, 2, {0, 0}}}, {"z", {}}}), "no input node is named \"z\"");
}

}  // namespace
}  // namespace capra
