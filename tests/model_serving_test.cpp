// Serving arithmetic against the chapter's derived figures.
#include "model/serving.hpp"

#include <gtest/gtest.h>

namespace capra::model {
namespace {

struct Published {
    std::uint32_t experts;
    double total_gb;
    double tokens_per_s;  ///< per request at batch 8, whole
};
constexpr Published kPublished[] = {{1, 12, 83}, {4, 36, 30}, {16, 132, 18}, {64, 516, 15}};

TEST(Serving, memory_and_speed_are_the_published_ones) {
    const ServingAssumptions assumed;
    for (const auto& row : kPublished) {
        EXPECT_EQ(assumed.total_gb(row.experts), row.total_gb);
        EXPECT_NEAR(assumed.tokens_per_second(row.experts, 8), row.tokens_per_s, 0.5);
        EXPECT_NEAR(assumed.tokens_per_second(row.experts, 1), 1000.0 / 12, 1e-9)
            << "one request reads one expert, however many there are";
    }
}

TEST(Serving, figures_scale_with_what_is_assumed) {
    const ServingAssumptions assumed{.shared_gb = 1, .expert_gb = 2, .bandwidth_gb_s = 30};
    EXPECT_EQ(assumed.total_gb(3), 7);
    EXPECT_EQ(assumed.tokens_per_second(1, 5), 10);
    EXPECT_NEAR(assumed.tokens_per_second(2, 2), 30 / (1 + 2 * 1.5), 1e-12);
}

}  // namespace
}  // namespace capra::model
