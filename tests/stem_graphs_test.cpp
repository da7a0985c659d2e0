// The graphs that are compiled and the float decoder were written separately: run by the host loop
// in double precision they must say the same, decisions and logits.
#include "stem/calibration.hpp"
#include "stem/float_programs.hpp"
#include "stem/graphs.hpp"
#include "stem_support.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

namespace capra::stem {
namespace {

constexpr double kTolerance = 1e-9;
std::vector<model::Exact> half() {
    return {model::Exact(1, 2)};
}

/// Those of a routed layer are handed over times the sigmoid of the score.
void expect_same_gates(const LayerTrace& graph, const LayerTrace& reference, bool routed) {
    const double factor = routed ? 1 / (1 + std::exp(-*reference.score)) : 1;
    if (graph.gates.empty()) return;
    for (std::size_t i = 0; i < reference.gates.size(); ++i)
        EXPECT_NEAR(graph.gates[i], factor * reference.gates[i], kTolerance);
}

void expect_same_layer(const Layer& layer, const LayerTrace& graph, const LayerTrace& reference) {
    EXPECT_EQ(graph.experts, reference.experts);
    EXPECT_EQ(graph.rows, reference.rows);
    EXPECT_EQ(graph.admitted, reference.admitted);
    ASSERT_EQ(graph.score.has_value(), reference.score.has_value());
    if (graph.score) {
        EXPECT_NEAR(*graph.score, *reference.score, kTolerance);
    }
    expect_same_gates(graph, reference, std::holds_alternative<RoutedLayer>(layer));
}

void expect_same_step(const Stack& stack, const StackStep& graph, const StackStep& reference) {
    EXPECT_EQ(graph.input, reference.input);
    EXPECT_EQ(graph.prediction, reference.prediction);
    ASSERT_EQ(graph.logits.size(), reference.logits.size());
    for (std::size_t i = 0; i < reference.logits.size(); ++i)
        ASSERT_NEAR(graph.logits[i], reference.logits[i], kTolerance);
    for (std::size_t layer = 0; layer < stack.layers.size(); ++layer)
        expect_same_layer(stack.layers[layer], graph.layers[layer], reference.layers[layer]);
}

void expect_same_decode(const Stack& stack, Dispatch dispatch) {
    SCOPED_TRACE(stack.name + ", " + std::string(dispatch_name(dispatch)));
    const Model model(stack);
    const StepPlan plan(stack, dispatch);
    SegmentGraphs graphs(stack, plan);
    const auto texts = calibration_texts(stack, 6);
    for (const std::uint32_t start : {3U, 6U}) {
        HostLoop loop(stack, dispatch, in_double(graphs));
        FloatStack reference = model.decoder();
        for (const std::uint32_t token : texts[start]) {
            const auto step = loop.step(token, [&](std::size_t routed, double score) {
                return score >= model.thresholds[routed];
            });
            expect_same_step(stack, step, reference.step(token));
        }
    }
}

TEST(StemGraphs, equal_the_float_decoder_for_every_decoder_and_dispatch) {
    for (const auto* kind : {"structured", "random"})
        for (const auto decoder : decoder_names())
            for (const auto dispatch : {Dispatch::host, Dispatch::on_chip})
                expect_same_decode(make_stack(decoder, kind, 2), dispatch);
}

TEST(StemGraphs, equal_the_float_decoder_in_stacks_of_many_layers) {
    for (const auto* letters : {"*R*E*S*D*R", "RE*S*", "*D*R*R"})
        expect_same_decode(make_pattern_stack(letters, "random", 3, half()), Dispatch::host);
    expect_same_decode(make_pattern_stack("*E*R*E", "random", 3, half()), Dispatch::on_chip);
    expect_same_decode(make_pattern_stack("*R*E*S", "structured", 3, half()), Dispatch::host);
}

/// Combinations that no decoder by name has.
TEST(StemGraphs, equal_the_float_decoder_for_layers_combined_otherwise) {
    const auto layer = [](std::string_view decoder) {
        return make_stack(decoder, "random", 4).layers[1];
    };
    Stack keyed = make_stack("routed_C50", "random", 4);
    std::get<RoutedLayer>(keyed.layers[1]).table = std::get<StemBlock>(layer("product_key"));
    std::get<RoutedLayer>(keyed.layers[1]).bias = 0;
    expect_same_decode(keyed, Dispatch::host);

    Stack lone = make_stack("routed_C50", "random", 4);
    std::get<RoutedLayer>(lone.layers[1]).moe.top = 1;
    expect_same_decode(lone, Dispatch::host);

    Stack shared = make_stack("on_chip", "random", 4);
    std::get<Moe>(shared.layers[1]).shared = std::get<Moe>(layer("top2")).shared;
    shared.layers.push_back(layer("hash"));
    std::get<Moe>(shared.layers[2]).shared = std::get<Moe>(layer("top2")).shared;
    shared.layers.push_back(shared.layers[2]);
    auto& hash = std::get<Moe>(shared.layers[3]).hash;
    std::reverse(hash.begin(), hash.end());
    for (const auto dispatch : {Dispatch::host, Dispatch::on_chip})
        expect_same_decode(shared, dispatch);

    for (const auto* decoder : {"hash", "on_chip", "stem_mult"}) {
        Stack alone = make_stack(decoder, "random", 4);
        alone.layers.erase(alone.layers.begin());
        for (const auto dispatch : {Dispatch::host, Dispatch::on_chip})
            expect_same_decode(alone, dispatch);
    }

    Stack three = make_stack("top2", "random", 4);
    std::get<Moe>(three.layers[1]).top = 3;
    std::get<Moe>(three.layers[1]).shared.reset();
    for (const auto dispatch : {Dispatch::host, Dispatch::on_chip})
        expect_same_decode(three, dispatch);

    Stack one_pair = make_stack("product_key", "random", 4);
    std::get<ProductKeyRows>(std::get<StemBlock>(one_pair.layers[1]).table).top = 1;
    expect_same_decode(one_pair, Dispatch::host);
}

std::vector<std::string> names_of(const compiler::Graph& graph, bool outputs) {
    std::vector<std::string> names;
    for (const auto& node : graph.nodes)
        if (outputs ? node.op == compiler::Op::output : compiler::is_given(node.op))
            names.push_back(node.name);
    std::sort(names.begin(), names.end());
    return names;
}

using Names = std::vector<std::string>;

TEST(StemGraphs, take_and_leave_what_the_host_hands_over) {
    const Stack stack = make_stack("routed_C50", "random", 1);
    const StepPlan plan(stack, Dispatch::host);
    const auto graph = [&](std::uint32_t start, std::uint32_t choice, std::uint32_t context) {
        return segment_graph(stack, plan, plan.segment(start, choice, {0, 0}, context));
    };
    EXPECT_EQ(names_of(graph(0, 0, 1), false), (Names{"l1_row0", "x"}));
    EXPECT_EQ(names_of(graph(0, 0, 2), false), (Names{"l0_k_cache", "l0_v_cache", "l1_row0", "x"}));
    EXPECT_EQ(names_of(graph(0, 0, 2), true),
              (Names{"l0_k", "l0_v", "l1_experts", "l1_gates", "l1_h", "l1_score", "l1_y0"}));
    EXPECT_EQ(names_of(graph(1, kSkip, 2), false), Names{"l1_y0"});
    EXPECT_EQ(names_of(graph(1, kSkip, 2), true), (Names{"logits", "token"}));
    EXPECT_EQ(names_of(graph(1, 3, 2), false), (Names{"l1_gates", "l1_h", "l1_y0"}));
    EXPECT_EQ(names_of(graph(1, 3, 2), true), Names{"l1_y1"});
    EXPECT_EQ(names_of(graph(2, 3, 2), false), (Names{"l1_gates", "l1_h", "l1_y1"}));
    EXPECT_EQ(names_of(graph(2, 3, 2), true), (Names{"logits", "token"}));
}

TEST(StemGraphs, hand_over_no_more_than_the_next_program_needs) {
    const Stack stack = make_stack("on_chip", "random", 1);
    const StepPlan plan(stack, Dispatch::host);
    const auto first = segment_graph(stack, plan, plan.segment(0, 0, {0, 0}, 1));
    EXPECT_EQ(names_of(first, true), (Names{"l0_k", "l0_v", "l1_experts", "l1_h"}));
    const auto second = segment_graph(stack, plan, plan.segment(1, 2, {0, 0}, 1));
    EXPECT_EQ(names_of(second, false), Names{"l1_h"});

    const StepPlan whole(stack, Dispatch::on_chip);
    const auto only = segment_graph(stack, whole, whole.segment(0, 0, {0, 0}, 1));
    EXPECT_EQ(names_of(only, true), (Names{"l0_k", "l0_v", "l1_experts", "logits", "token"}));
}

}  // namespace
}  // namespace capra::stem
