// What the host decides with the router's scores.
#include "model/routing.hpp"

#include <gtest/gtest.h>

namespace capra::model {
namespace {

TEST(TopExperts, are_the_highest_scores_best_first) {
    const std::vector<double> scores = {1, 5, -3, 4};
    EXPECT_EQ(top_experts(scores, 0), Experts{});
    EXPECT_EQ(top_experts(scores, 1), Experts{1});
    EXPECT_EQ(top_experts(scores, 2), (Experts{1, 3}));
    EXPECT_EQ(top_experts(scores, 4), (Experts{1, 3, 0, 2}));
}

TEST(TopExperts, of_equal_scores_are_the_lowest_indices_and_never_the_same_twice) {
    EXPECT_EQ(top_experts(std::vector<double>{7, 7, 7, 7}, 2), (Experts{0, 1}));
    EXPECT_EQ(top_experts(std::vector<double>{0, 7, 3, 7}, 2), (Experts{1, 3}));
    EXPECT_EQ(top_experts(std::vector<double>{3, 1, 7, 3}, 2), (Experts{2, 0}));
}

TEST(TopExperts, may_have_negative_scores) {
    EXPECT_EQ(top_experts(std::vector<double>{-4, -1, -3, -2}, 2), (Experts{1, 3}));
}

TEST(Capacity, admits_the_first_of_each_expert_in_the_order_of_the_batch) {
    const std::vector<std::uint32_t> routes = {1, 0, 1, 1, 0, 3, 1, 0};
    EXPECT_EQ(within_capacity(routes, 1),
              (std::vector<bool>{true, true, false, false, false, true, false, false}));
    EXPECT_EQ(within_capacity(routes, 2),
              (std::vector<bool>{true, true, true, false, true, true, false, false}));
    EXPECT_EQ(within_capacity(routes, 3),
              (std::vector<bool>{true, true, true, true, true, true, false, true}));
    EXPECT_EQ(within_capacity(routes, 4), std::vector<bool>(8, true));
}

TEST(Capacity, of_zero_admits_nothing_and_an_empty_batch_has_no_answers) {
    EXPECT_EQ(within_capacity(std::vector<std::uint32_t>{2, 5}, 0), std::vector<bool>(2, false));
    EXPECT_TRUE(within_capacity({}, 3).empty());
}

}  // namespace
}  // namespace capra::model
