// How random models route, against the chapter's figures.
#include "model/route_statistics.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace capra::model {
namespace {

RouteStatistics with_margins(std::vector<double> margins) {
    RouteStatistics statistics;
    statistics.margins = std::move(margins);
    return statistics;
}

TEST(RouteStatistics, of_seeds_1_to_3_are_the_published_ones) {
    const auto routes = measure_float_routes(1, 3, 12);
    EXPECT_EQ(routes.decisions, 576U);
    EXPECT_EQ(routes.chosen, (std::vector<std::uint32_t>{165, 107, 196, 108}));
    EXPECT_EQ(routes.margins.size(), 576U);
    EXPECT_TRUE(std::is_sorted(routes.margins.begin(), routes.margins.end()));
    EXPECT_NEAR(routes.median_margin(), 0.32, 0.005);
    EXPECT_NEAR(100 * routes.share_below(0.05), 9.9, 0.05);
    EXPECT_NEAR(100 * routes.share_below(0.15), 25.9, 0.05);
}

TEST(RouteStatistics, of_several_seeds_are_those_of_each_together) {
    const auto both = measure_float_routes(4, 5, 3);
    const auto first = measure_float_routes(4, 4, 3);
    const auto second = measure_float_routes(5, 5, 3);
    EXPECT_EQ(first.decisions, 48U);
    EXPECT_EQ(both.decisions, first.decisions + second.decisions);
    for (std::size_t e = 0; e < 4; ++e)
        EXPECT_EQ(both.chosen[e], first.chosen[e] + second.chosen[e]);
    EXPECT_EQ(both.margins_below(0.1), first.margins_below(0.1) + second.margins_below(0.1));
}

TEST(RouteStatistics, median_is_the_middle_margin_or_the_mean_of_both) {
    EXPECT_EQ(with_margins({0.25}).median_margin(), 0.25);
    EXPECT_EQ(with_margins({0, 0.25, 1}).median_margin(), 0.25);
    EXPECT_EQ(with_margins({0, 0.25, 0.75, 1}).median_margin(), 0.5);
}

TEST(RouteStatistics, a_margin_at_the_bound_is_not_below_it) {
    const auto statistics = with_margins({0, 0.25, 0.25, 1});
    EXPECT_EQ(statistics.margins_below(0.25), 1U);
    EXPECT_EQ(statistics.share_below(0.25), 0.25);
    EXPECT_EQ(statistics.share_below(2), 1);
    EXPECT_EQ(statistics.share_below(0), 0);
}

TEST(RouteStatistics, without_margins_are_no_number) {
    EXPECT_TRUE(std::isnan(RouteStatistics{}.median_margin()));
    EXPECT_TRUE(std::isnan(RouteStatistics{}.share_below(1)));
}

}  // namespace
}  // namespace capra::model
