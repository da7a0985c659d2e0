// The integer interpreter against float, with a bound derived node by node.
#include "compiler/integer_interpreter.hpp"

#include "isa/error.hpp"
#include "tests/compiler_error_bound.hpp"
#include "tests/compiler_graph_json.hpp"
#include "tests/compiler_random_graph.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <vector>

namespace capra {
namespace {

using namespace compiler;
using namespace compiler_testing;

/// The float value of the index that was picked is the largest, up to both errors.
void expect_near_best(const Matrix& values, const Matrix& bounds, const IntMatrix& picked) {
    for (std::uint32_t r = 0; r < values.rows; ++r) {
        const auto best = static_cast<std::uint32_t>(picked.values[r]);
        RC_ASSERT(best < values.cols);
        for (std::uint32_t c = 0; c < values.cols; ++c)
            RC_ASSERT(values.at(r, best) + bounds.at(r, best) >= values.at(r, c) - bounds.at(r, c));
    }
}

/// Winners are distinct, and each is as large as the float one of its place, up to both errors.
void expect_near_top(const Matrix& values, const Matrix& bounds, const IntMatrix& picked) {
    std::vector<double> sorted = values.values;
    std::sort(sorted.begin(), sorted.end(), std::greater());
    const double most = *std::max_element(bounds.values.begin(), bounds.values.end());
    std::set<std::int8_t> winners;
    for (std::size_t p = 0; p < picked.values.size(); ++p) {
        RC_ASSERT(winners.insert(picked.values[p]).second);
        const double value = values.values.at(static_cast<std::size_t>(picked.values[p]));
        RC_ASSERT(std::fabs(value - sorted[p]) <= 2 * most);
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
    const auto stored =
        evaluate(quantised, quantise_inputs(quantised, samples[1]), indices_of(graph, samples[1]));
    const ErrorBound bounds(quantised, exact);
    for (NodeId id = 0; id < graph.nodes.size(); ++id) {
        const Node& node = graph.nodes[id];
        if (node.op == Op::argmax) {
            const NodeId operand = node.inputs[0];
            expect_near_best(exact[operand], bounds[operand], stored[id]);
            continue;
        }
        if (node.op == Op::topk) {
            const NodeId operand = node.inputs[0];
            expect_near_top(exact[operand], bounds[operand], stored[id]);
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
