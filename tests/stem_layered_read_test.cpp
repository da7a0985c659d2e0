// Texts read as a prefill does, with programs that are made up.
#include "stem/layered_read.hpp"
#include "stem_support.hpp"

#include <gtest/gtest.h>

namespace capra::stem {
namespace {

Matrix row(Vector values) {
    return {1, static_cast<std::uint32_t>(values.size()), std::move(values)};
}

/// Scores are the tokens themselves, plus 100 in the second layer.
Values scored_by_token(const Segment&, const TokenWalk& walk) {
    const auto token = static_cast<double>(walk.step.input);
    return {{"token", row({9})},         {"logits", row({0.5, 1})},
            {"l1_experts", row({3, 1})}, {"l3_experts", row({0, 1})},
            {"l1_score", row({token})},  {"l3_score", row({100 + token})}};
}

TEST(LayeredRead, brings_all_tokens_to_a_routed_layer_before_any_is_admitted) {
    const Stack stack = make_pattern_stack("*R*R", "random", 1, std::vector{model::Exact(1, 2)});
    std::vector<HostLoop> loops(2, HostLoop(stack, Dispatch::host, scored_by_token));
    const std::vector<Tokens> texts = {{5, 1, 2}, {4}};
    std::vector<std::vector<double>> seen;
    const auto steps = read_layered(loops, texts, [&](std::size_t routed, const auto& scores) {
        EXPECT_EQ(routed, seen.size());
        seen.push_back(scores);
        std::vector<bool> admitted;
        for (const double score : scores) admitted.push_back(score == 1 || score == 104);
        return admitted;
    });
    EXPECT_EQ(seen, (std::vector<std::vector<double>>{{5, 1, 2, 4}, {105, 101, 102, 104}}));
    ASSERT_EQ(steps.size(), 2U);
    ASSERT_EQ(steps[0].size(), 3U);
    ASSERT_EQ(steps[1].size(), 1U);
    EXPECT_EQ(steps[0][2].input, 2U);
    EXPECT_FALSE(steps[0][0].layers[1].admitted);
    EXPECT_TRUE(steps[0][1].layers[1].admitted);
    EXPECT_FALSE(steps[0][1].layers[3].admitted);
    EXPECT_TRUE(steps[1][0].layers[3].admitted);
    EXPECT_EQ(steps[1][0].prediction, 9U);
}

TEST(LayeredRead, has_no_step_of_a_text_without_tokens) {
    const Stack stack = make_pattern_stack("*R", "random", 1, std::vector{model::Exact(1, 2)});
    std::vector<HostLoop> loops(1, HostLoop(stack, Dispatch::host, scored_by_token));
    const std::vector<Tokens> texts(1);
    const auto steps = read_layered(loops, texts, [](std::size_t, const auto&) {
        ADD_FAILURE() << "nothing waits";
        return std::vector<bool>{};
    });
    ASSERT_EQ(steps.size(), 1U);
    EXPECT_TRUE(steps[0].empty());
}

TEST(LayeredRead, passes_attention_layers_in_the_order_of_the_tokens) {
    const Stack stack = make_pattern_stack("*R*R", "random", 1, std::vector{model::Exact(1, 2)});
    std::vector<std::uint32_t> contexts;
    const auto execute = [&](const Segment& segment, const TokenWalk& walk) {
        if (segment.context > 0) contexts.push_back(segment.context);
        return scored_by_token(segment, walk);
    };
    std::vector<HostLoop> loops(1, HostLoop(stack, Dispatch::host, execute));
    const std::vector<Tokens> texts = {{5, 1, 2}};
    read_layered(loops, texts, [&](std::size_t, const auto&) {
        return std::vector<bool>{true, false, true};
    });
    EXPECT_EQ(contexts, (std::vector<std::uint32_t>{1, 2, 3, 1, 2, 3}));
}

}  // namespace
}  // namespace capra::stem
