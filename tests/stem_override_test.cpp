// What a layer can be made to do, and what it cannot.
#include "stem_support.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace capra::stem {
namespace {

using Rows = std::vector<std::uint32_t>;

/// What forcing does on the second layer of a decoder, or on another layer.
void expect_misfit(std::string_view decoder, Override forced, const std::string& part,
                   std::size_t layer = kFeedForward) {
    const Stack stack = make_stack(decoder, "random", 1);
    expect_refused(
        [&] {
            check_overrides(stack, {{layer, forced}});
        },
        fmt::format("stem: layer {}: {}", layer, part));
}

TEST(Overrides, of_rows_fit_the_table) {
    expect_misfit("dense", {.rows = {0}}, "a row is forced where there is no table");
    expect_misfit("stem_add", {.rows = {1, 2}}, "2 rows forced in place of 1");
    expect_misfit("stem_add", {.rows = {16}}, "row 16 is outside 0..15");
    expect_misfit("routed_C50", {.rows = {16}}, "row 16 is outside 0..15");
    expect_misfit("bigram", {.rows = {272}}, "row 272 is outside 0..271");
    expect_misfit("split", {.rows = {1}}, "1 rows forced in place of 2");
    expect_misfit("split", {.rows = {16, 271}}, "row 16 is outside 0..15");
    expect_misfit("split", {.rows = {15, 272}}, "row 272 is outside 0..271");
    expect_misfit("product_key", {.rows = {63, 64}}, "row 64 is outside 0..63");
    expect_misfit("product_key", {.rows = {63}}, "1 rows forced in place of 2");
    for (const auto& [decoder, rows] : {std::pair<const char*, Rows>{"stem_add", {15}},
                                        {"routed_C50", {15}},
                                        {"bigram", {271}},
                                        {"split", {15, 271}},
                                        {"product_key", {63, 63}}})
        EXPECT_NO_THROW(check_overrides(make_stack(decoder, "random", 1), {{1, {.rows = rows}}}));
}

TEST(Overrides, of_experts_and_admissions_fit_the_layer) {
    expect_misfit("stem_add", {.experts = {0}}, "an expert is forced where there are none");
    expect_misfit("top2", {.experts = {0}}, "1 experts forced in place of 2");
    expect_misfit("top2", {.experts = {3, 4}}, "expert 4 is outside 0..3");
    expect_misfit("routed_C50", {.experts = {0, 4}}, "expert 4 is outside 0..3");
    expect_misfit("hash", {.experts = {4}}, "expert 4 is outside 0..3");
    expect_misfit("top2", {.admitted = false}, "an admission is forced where no token is routed");
    expect_misfit("top2", {.admitted = true}, "an admission", 0);
    expect_misfit("top2", {}, "the stack has 2", 2);
    for (const auto& [decoder, experts] :
         {std::pair<const char*, Experts>{"top2", {3, 3}}, {"hash", {3}}, {"routed_C25", {0, 3}}})
        EXPECT_NO_THROW(
            check_overrides(make_stack(decoder, "random", 1), {{1, {.experts = experts}}}));
    EXPECT_NO_THROW(
        check_overrides(make_stack("routed_C25", "random", 1), {{1, {.admitted = false}}}));
    EXPECT_NO_THROW(check_overrides(make_stack("top2", "random", 1), {{0, {}}, {1, {}}}));
}

}  // namespace
}  // namespace capra::stem
