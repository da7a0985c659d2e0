// Shares of experts and the number of distinct ones in a batch: formula, chapter's figures, and
// counts by hand.
#include "model/load_balance.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

namespace capra::model {
namespace {

constexpr std::array<std::uint32_t, 4> kMeasured = {165, 107, 196, 108};
constexpr std::array<std::uint32_t, 6> kBatches = {1, 2, 4, 8, 16, 32};
constexpr std::array<double, 6> kUniform = {1.00, 1.75, 2.73, 3.60, 3.96, 4.00};
/// Published as approximate.
constexpr std::array<double, 6> kSkewed = {1.00, 1.74, 2.68, 3.52, 3.92, 4.00};
constexpr double kHalfDigit = 0.005;

TEST(Shares, of_uniform_experts_are_equal_and_those_of_counts_proportional) {
    EXPECT_EQ(uniform_shares(4), (Shares{0.25, 0.25, 0.25, 0.25}));
    EXPECT_EQ(measured_shares(std::array<std::uint32_t, 3>{1, 0, 3}), (Shares{0.25, 0, 0.75}));
}

TEST(Shares, imbalance_is_1_when_even_and_the_number_of_experts_when_one_takes_all) {
    EXPECT_EQ(load_imbalance(uniform_shares(8)), 1);
    EXPECT_EQ(load_imbalance({0, 1, 0}), 3);
    EXPECT_NEAR(load_imbalance(measured_shares(kMeasured)), 196.0 / 144, 1e-12);
}

TEST(ExpectedDistinct, of_uniform_experts_is_the_published_table) {
    for (std::size_t i = 0; i < kBatches.size(); ++i)
        EXPECT_NEAR(expected_distinct(uniform_shares(4), kBatches[i]), kUniform[i], kHalfDigit)
            << kBatches[i];
    EXPECT_NEAR(expected_distinct(uniform_shares(8), 4), 3.31, kHalfDigit);
    EXPECT_EQ(expected_distinct(uniform_shares(4), 0), 0);
    EXPECT_EQ(expected_distinct(uniform_shares(1), 8), 1);
}

/// The published figures were drawn; they are good to about 0.01.
TEST(ExpectedDistinct, of_the_measured_skew_is_near_the_published_simulation) {
    const auto shares = measured_shares(kMeasured);
    for (std::size_t i = 0; i < kBatches.size(); ++i)
        EXPECT_NEAR(expected_distinct(shares, kBatches[i]), kSkewed[i], 0.015) << kBatches[i];
}

/// Two tokens need two experts unless they choose the same one.
TEST(ExpectedDistinct, of_two_tokens_is_2_less_the_chance_to_meet) {
    const Shares shares = {0.5, 0.3, 0.2};
    EXPECT_NEAR(expected_distinct(shares, 2), 2 - (0.25 + 0.09 + 0.04), 1e-12);
}

TEST(DrawnExpert, has_the_part_that_holds_the_number_and_begins_with_it) {
    const Shares shares = {0.25, 0.25, 0, 0.5};
    EXPECT_EQ(drawn_expert(shares, 0), 0U);
    EXPECT_EQ(drawn_expert(shares, std::nextafter(0.25, 0)), 0U);
    EXPECT_EQ(drawn_expert(shares, 0.25), 1U);
    EXPECT_EQ(drawn_expert(shares, 0.5), 3U) << "a part without length holds nothing";
    EXPECT_EQ(drawn_expert(shares, 0.999), 3U);
    EXPECT_EQ(drawn_expert({0.5, 0.25}, 0.9), 1U) << "the rest is the last one's";
}

/// CPython's random.Random(1) sends the first eight tokens to the experts 0 3 3 1 1 1 2 3.
TEST(SimulatedDistinct, counts_new_experts_of_a_sequence_as_a_python_script_would) {
    EXPECT_EQ(simulated_distinct(uniform_shares(4), 8, 1, 1),
              (std::vector<double>{1, 2, 2, 3, 3, 3, 4, 4}));
}

TEST(SimulatedDistinct, agrees_with_the_formula_for_every_batch) {
    for (const Shares& shares : {uniform_shares(4), measured_shares(kMeasured)}) {
        const auto means = simulated_distinct(shares, 32, 20000, 1);
        ASSERT_EQ(means.size(), 32U);
        for (std::uint32_t batch = 1; batch <= 32; ++batch)
            EXPECT_NEAR(means[batch - 1], expected_distinct(shares, batch), 0.02) << batch;
        EXPECT_TRUE(std::is_sorted(means.begin(), means.end()));
        EXPECT_EQ(means.front(), 1);
    }
}

TEST(SimulatedDistinct, never_draws_an_expert_without_a_share) {
    EXPECT_EQ(simulated_distinct({0, 1, 0}, 4, 100, 1), (std::vector<double>{1, 1, 1, 1}));
    EXPECT_EQ(simulated_distinct({0, 0.5, 0, 0.5, 0}, 64, 200, 1).back(), 2);
}

/// Ten tenths add up to a little less than 1.
TEST(SimulatedDistinct, shares_that_round_below_1_leave_the_rest_to_the_last_expert) {
    const auto shares = uniform_shares(10);
    ASSERT_LT(std::accumulate(shares.begin(), shares.end(), 0.0), 1);
    EXPECT_NEAR(simulated_distinct(shares, 200, 200, 1).back(), 10, 0.01);
    EXPECT_EQ(simulated_distinct({0, 0}, 3, 10, 1).back(), 1);
}

TEST(SimulatedDistinct, depends_on_the_seed_alone) {
    const auto means = [](std::uint32_t seed) {
        return simulated_distinct(uniform_shares(4), 4, 50, seed);
    };
    EXPECT_EQ(means(1), means(1));
    EXPECT_NE(means(1), means(2));
}

}  // namespace
}  // namespace capra::model
