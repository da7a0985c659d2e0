// The reference decoder: experts and routed layers, worked out by hand.
#include "stem_by_hand.hpp"
#include "stem_support.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace capra::stem {
namespace {

/// Four experts, each writing to a word of its own: 5 + e. Scores 1, 3, 2, 0.
Moe four_experts(std::uint32_t top) {
    Moe moe{.top = top, .wr = sparse(kWidth, 4, {{0, 0, 1}, {0, 1, 3}, {0, 2, 2}})};
    for (std::uint32_t e = 0; e < 4; ++e) moe.experts.push_back(unit_block(2, 1, 5 + e));
    return moe;
}
/// What such an expert writes for token 4.
double written() {
    return silu(2) * 4;
}

TEST(FloatExperts, two_experts_are_weighed_by_the_softmax_of_their_own_scores) {
    Moe moe = four_experts(2);
    const Stack stack = stack_of(moe);
    const StackStep step = FloatStack(stack).step(4);
    EXPECT_EQ(step.layers[0].router, (Vector{1, 3, 2, 0}));
    EXPECT_EQ(step.layers[0].experts, (Experts{1, 2}));
    ASSERT_EQ(step.layers[0].gates.size(), 2U);
    EXPECT_DOUBLE_EQ(step.layers[0].gates[0], sigmoid(1));
    EXPECT_DOUBLE_EQ(step.h[6], sigmoid(1) * written());
    EXPECT_DOUBLE_EQ(step.h[7], sigmoid(-1) * written());
    EXPECT_EQ(step.h[5], 0);
    EXPECT_FALSE(step.layers[0].score.has_value());
    moe.shared = unit_block(2, 1, 10);
    const Stack with_shared = stack_of(moe);
    EXPECT_DOUBLE_EQ(FloatStack(with_shared).step(4).h[10], written());
    EXPECT_DOUBLE_EQ(FloatStack(with_shared).step(4).h[6], sigmoid(1) * written());
}

TEST(FloatExperts, forced_experts_get_the_gates_of_the_chosen_by_place) {
    const Stack stack = stack_of(four_experts(2));
    const StackStep step = FloatStack(stack).step(4, {{0, {.experts = {3, 1}}}});
    EXPECT_EQ(step.layers[0].experts, (Experts{3, 1}));
    EXPECT_DOUBLE_EQ(step.h[8], sigmoid(1) * written());
    EXPECT_DOUBLE_EQ(step.h[6], sigmoid(-1) * written());
    EXPECT_EQ(step.h[7], 0);
}

TEST(FloatExperts, one_expert_has_a_gate_of_1) {
    const Stack stack = stack_of(four_experts(1));
    const StackStep step = FloatStack(stack).step(4);
    EXPECT_EQ(step.layers[0].gates, Vector{1});
    EXPECT_DOUBLE_EQ(step.h[6], written());
}

TEST(FloatExperts, a_hash_names_the_expert_of_each_token_without_a_router) {
    Moe moe = four_experts(1);
    moe.wr = {};
    moe.hash.assign(kVocabulary, 0);
    moe.hash[4] = 3;
    const Stack stack = stack_of(moe);
    const StackStep step = FloatStack(stack).step(4);
    EXPECT_TRUE(step.layers[0].router.empty());
    EXPECT_EQ(step.layers[0].experts, Experts{3});
    EXPECT_EQ(step.layers[0].gates, Vector{1});
    EXPECT_DOUBLE_EQ(step.h[8], written());
    EXPECT_EQ(FloatStack(stack).step(5).layers[0].experts, Experts{0});
    EXPECT_EQ(FloatStack(stack).step(4, {{0, {.experts = {2}}}}).layers[0].experts, Experts{2});
}

/// Scores the token as it is, with a bias of 0.5.
RoutedLayer routed_layer() {
    return {.table = table_block(Combine::multiplicative),
            .score = sparse(kWidth, 1, {{1, 0, 1}}),
            .bias = 0.5,
            .moe = four_experts(2)};
}

TEST(FloatExperts, a_routed_layer_adds_its_experts_weighed_by_the_score_from_the_threshold_on) {
    const Stack stack = stack_of(routed_layer());
    for (const double threshold : {4.5, std::nextafter(4.5, 5.0)}) {
        const StackStep step = FloatStack(stack, {threshold}).step(4);
        const LayerTrace& trace = step.layers[0];
        const bool admitted = threshold == 4.5;
        EXPECT_EQ(trace.admitted, admitted);
        EXPECT_EQ(trace.score, 4.5);
        EXPECT_EQ(trace.rows, Rows{4});
        EXPECT_EQ(trace.router, (Vector{1, 3, 2, 0}));
        EXPECT_EQ(trace.experts, admitted ? (Experts{1, 2}) : Experts{});
        EXPECT_EQ(trace.gates.size(), admitted ? 2U : 0U);
        EXPECT_DOUBLE_EQ(step.h[5], silu(2) * 5) << "the table, for every token";
        EXPECT_DOUBLE_EQ(step.h[6], admitted ? sigmoid(4.5) * sigmoid(1) * written() : 0);
    }
}

TEST(FloatExperts, a_forced_admission_overrules_the_threshold_and_keeps_the_score) {
    const Stack stack = stack_of(routed_layer());
    const StackStep in = FloatStack(stack, {9.0}).step(4, {{0, {.admitted = true}}});
    EXPECT_TRUE(in.layers[0].admitted);
    EXPECT_DOUBLE_EQ(in.h[6], sigmoid(4.5) * sigmoid(1) * written());
    const StackStep out =
        FloatStack(stack, {0.0}).step(4, {{0, {.experts = {0, 1}, .admitted = false}}});
    EXPECT_FALSE(out.layers[0].admitted);
    EXPECT_TRUE(out.layers[0].experts.empty());
    EXPECT_EQ(out.h[6], 0);
}

TEST(FloatExperts, thresholds_belong_to_the_routed_layers_in_order) {
    Stack stack = stack_of(routed_layer());
    stack.layers.emplace_back(DenseBlock{unit_block(0, 0, 12)});
    stack.layers.emplace_back(routed_layer());
    const StackStep step = FloatStack(stack, {5.0, 4.0}).step(4);
    EXPECT_FALSE(step.layers[0].admitted);
    EXPECT_TRUE(step.layers[2].admitted);
    expect_refused([&] { FloatStack(stack, {5.0}); }, "stem: 1 thresholds given for 2 R layers");
    expect_refused([&] { FloatStack(stack, {5.0, 4.0, 3.0}); }, "3 thresholds given for 2");
    expect_refused([&] { FloatStack{stack}; }, "0 thresholds given for 2");
}

}  // namespace
}  // namespace capra::stem
