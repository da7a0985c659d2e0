// Routes on random models. The bounds are required of all 30 seeds together; seeds 1-3 are
// printed by ch17_run beside the published figures and not asserted.
#include "model/quality.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace capra::model {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(RandomModels, routes_agree_and_flips_are_near_ties_over_seeds_1_to_30) {
    const auto quality = measure_random_models(1, 30, 12);
    EXPECT_EQ(quality.decisions, 5760U);
    EXPECT_EQ(quality.route_agrees + quality.flips.size(), 5760U);
    EXPECT_GE(quality.agreement(), 0.988);
    EXPECT_TRUE(quality.worst_margin().within(0.16));
    EXPECT_TRUE(quality.logit_error.within(0.25));
    EXPECT_GE(quality.token_agrees_same_route, 0.96 * quality.route_agrees);
}

/// Seeds on which no choice in the numerics was made; the bound leaves room for their scatter.
TEST(RandomModels, routes_agree_on_seeds_nobody_looked_at) {
    const auto quality = measure_random_models(1001, 1030, 12);
    EXPECT_GE(quality.agreement(), 0.98);
    EXPECT_TRUE(quality.logit_error.within(0.25));
}

/// One scale a column, routes taken of accumulators.
TEST(RandomModels, routes_agree_more_often_with_one_scale_a_column) {
    const auto quality = measure_random_models(1, 30, 12, compiler::WeightScales::per_column);
    EXPECT_EQ(quality.decisions, 5760U);
    EXPECT_GE(quality.agreement(), 0.992);
    EXPECT_TRUE(quality.worst_margin().within(0.16));
    EXPECT_TRUE(quality.logit_error.within(0.25));
    EXPECT_GE(quality.token_agrees_same_route, 0.97 * quality.route_agrees);
}

TEST(Quality, sums_and_extremes_survive_addition) {
    Quality a;
    a.decisions = 4;
    a.route_agrees = 3;
    a.token_agrees_same_route = 2;
    a.logit_error.add(0.1);
    a.sum_logit_error = 0.3;
    a.flips = {{1, 2, 3, 0.05}};
    Quality b;
    b.decisions = 6;
    b.route_agrees = 4;
    b.logit_error.add(0.2);
    b.logit_error.add(kNan);
    b.sum_logit_error = 0.4;
    b.flips = {{2, 0, 1, 0.06}, {2, 0, 2, 0.01}};
    a += b;
    EXPECT_EQ(a.decisions, 10U);
    EXPECT_DOUBLE_EQ(a.agreement(), 0.7);
    EXPECT_DOUBLE_EQ(a.logit_error.value, 0.2);
    EXPECT_EQ(a.logit_error.undefined, 1U);
    EXPECT_DOUBLE_EQ(a.mean_logit_error(), 0.1);
    EXPECT_DOUBLE_EQ(a.worst_margin().value, 0.06);
    EXPECT_EQ(a.flips_at_or_above(0.06), 1U);
    EXPECT_EQ(a.flips.size(), 3U);
    EXPECT_EQ(a.token_agrees_same_route, 2U);
}

TEST(Quality, the_structured_model_has_no_flips) {
    const auto compiled = compile_model(structured_model(1), DecoderKind::routed, 6);
    const auto engine = sim::make_engine("model", compiled.target);
    const auto quality = measure_quality(compiled, *engine, 6);
    EXPECT_EQ(quality.decisions, 96U);
    EXPECT_EQ(quality.route_agrees, 96U);
    EXPECT_EQ(quality.token_agrees_same_route, 96U);
    EXPECT_EQ(quality.worst_margin().value, 0);
}

/// Programs of one model against the float decode of another: the routes must differ somewhere.
TEST(Quality, a_chip_that_routes_differently_is_measured_as_such) {
    auto compiled = compile_model(random_model(1), DecoderKind::routed, 4);
    for (std::uint32_t d = 0; d < kWidth; ++d)
        std::swap(compiled.model.wr.at(d, 0), compiled.model.wr.at(d, 1));
    const auto engine = sim::make_engine("model", compiled.target);
    const auto quality = measure_quality(compiled, *engine, 4);
    EXPECT_LT(quality.agreement(), 0.8);
    EXPECT_GT(quality.worst_margin().value, 0.16);
    EXPECT_EQ(quality.flips.front().seed, 1U);
}

TEST(Quality, a_logit_error_that_is_no_number_is_counted) {
    auto compiled = compile_model(random_model(1), DecoderKind::routed, 2);
    compiled.model.wout.at(0, 15) = kNan;
    const auto engine = sim::make_engine("model", compiled.target);
    const auto quality = measure_quality(compiled, *engine, 2);
    EXPECT_GT(quality.route_agrees, 0U);
    EXPECT_EQ(quality.logit_error.undefined, quality.route_agrees);
}

TEST(Quality, a_margin_that_is_no_number_is_counted) {
    auto compiled = compile_model(random_model(1), DecoderKind::routed, 2);
    compiled.model.wr.at(0, 0) = kNan;
    const auto engine = sim::make_engine("model", compiled.target);
    const auto quality = measure_quality(compiled, *engine, 2);
    EXPECT_FALSE(quality.flips.empty());
    EXPECT_EQ(quality.worst_margin().undefined, quality.flips.size());
}

TEST(Worst, is_within_a_bound_only_if_every_figure_is) {
    Worst worst;
    EXPECT_TRUE(worst.within(0));
    worst.add(0.25);
    worst.add(0.1);
    EXPECT_TRUE(worst.within(0.25));
    EXPECT_FALSE(worst.within(0.2499));
    worst.add(kNan);
    worst.add(std::numeric_limits<double>::infinity());
    EXPECT_EQ(worst.undefined, 2U);
    EXPECT_FALSE(worst.within(1));
}

}  // namespace
}  // namespace capra::model
