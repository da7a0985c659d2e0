// What the structured model does with each token alone, against the chapter's figures.
#include "model/router_table.hpp"

#include <gtest/gtest.h>

namespace capra::model {
namespace {

TEST(FirstSteps, read_every_token_alone_and_score_it_as_published) {
    const auto steps = first_steps(structured_model(1));
    ASSERT_EQ(steps.size(), 16U);
    for (std::uint32_t t = 0; t < 16; ++t) {
        EXPECT_EQ(steps[t].input, t);
        EXPECT_EQ(steps[t].route, t % 4);
        EXPECT_EQ(steps[t].token, (5 * t + 3) % 16);
    }
    // The last token read: nothing of the others may be in its context.
    constexpr double kToken15[] = {-0.09, -0.08, 0.06, 2.04};
    for (std::uint32_t e = 0; e < 4; ++e) EXPECT_NEAR(steps[15].router[e], kToken15[e], 0.005);
}

TEST(ForcedPredictions, follow_the_rule_with_the_right_expert_and_repeat_the_token_with_another) {
    const auto forced = forced_predictions(structured_model(1));
    ASSERT_EQ(forced.size(), 16U);
    EXPECT_EQ(forced[5], (std::vector<std::uint32_t>{5, 12, 5, 5}));
    EXPECT_EQ(forced[6], (std::vector<std::uint32_t>{6, 6, 1, 6}));
    for (std::uint32_t t = 0; t < 16; ++t) {
        ASSERT_EQ(forced[t].size(), 4U);
        for (std::uint32_t e = 0; e < 4; ++e)
            EXPECT_EQ(forced[t][e], e == t % 4 ? (5 * t + 3) % 16 : t) << t << " " << e;
    }
}

TEST(ForcedPredictions, have_as_many_columns_as_the_model_has_experts) {
    for (const auto& row : forced_predictions(structured_model(1, kStructuredNoise, 8)))
        EXPECT_EQ(row.size(), 8U);
}

TEST(ActiveUnits, are_those_above_the_threshold_by_index) {
    const auto active = active_units({0.05, 0.5, 0, 0.06, -1}, 0.05);
    ASSERT_EQ(active.size(), 2U);
    EXPECT_EQ(active[0].index, 1U);
    EXPECT_EQ(active[0].value, 0.5);
    EXPECT_EQ(active[1].index, 3U);
    EXPECT_TRUE(active_units({}, 0).empty());
    EXPECT_EQ(active_units({0.06}, 0.05).at(0).index, 0U);
}

TEST(ActiveUnits, of_token_5_are_unit_1_of_expert_1_alone) {
    const auto active = active_units(first_steps(structured_model(1))[5].hidden, 0.05);
    ASSERT_EQ(active.size(), 1U);
    EXPECT_EQ(active[0].index, 1U);
    EXPECT_NEAR(active[0].value, 3.80, 0.005);
}

}  // namespace
}  // namespace capra::model
