// What streams of tokens ask for: deduplicated batches, contexts, hash-routed experts, Zipf's law.
#include "model/row_traffic.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

namespace capra::model {
namespace {

using Tokens = std::vector<std::uint32_t>;

constexpr std::uint64_t kFirst = 0xe220a8397b1dcdaf;
constexpr std::uint64_t kSecond = 0x6e789e6aa1b965f4;
constexpr std::uint64_t kThird = 0x06c45d188009454f;

TEST(BatchedRequests, ask_for_each_row_once_a_batch_at_its_first_token) {
    const Tokens tokens = {5, 5, 3, 5, 3, 3, 8};
    EXPECT_EQ(batched_requests(tokens, 1), tokens);
    EXPECT_EQ(batched_requests(tokens, 2), (Tokens{5, 3, 5, 3, 8}));
    EXPECT_EQ(batched_requests(tokens, 3), (Tokens{5, 3, 5, 3, 8}));
    EXPECT_EQ(batched_requests(tokens, 6), (Tokens{5, 3, 8}));
    EXPECT_EQ(batched_requests(tokens, 7), (Tokens{5, 3, 8}));
    EXPECT_EQ(batched_requests(tokens, 100), (Tokens{5, 3, 8}));
    EXPECT_EQ(batched_requests({}, 4), Tokens{});
}

TEST(DistinctRows, counts_each_number_once) {
    EXPECT_EQ(distinct_rows({}), 0U);
    EXPECT_EQ(distinct_rows(Tokens{4, 4, 0, 4}), 2U);
}

/// Whole contexts only: of 7 tokens the contexts of 3 are the first two.
TEST(MeanDistinct, is_the_mean_over_whole_contexts) {
    const Tokens tokens = {1, 1, 1, 1, 2, 3, 9};
    EXPECT_EQ(mean_distinct(tokens, 1, 1), 1);
    EXPECT_EQ(mean_distinct(tokens, 1, 3), 2);
    EXPECT_EQ(mean_distinct(tokens, 1, 7), 4);
    EXPECT_EQ(mean_distinct(tokens, 1, 2), (1 + 1 + 2) / 3.0);
    // Pairs of items: contexts of one token are (1 1), (1 1), (2 3), and of three tokens all six.
    EXPECT_EQ(mean_distinct(tokens, 2, 1), (1 + 1 + 2) / 3.0);
    EXPECT_EQ(mean_distinct(tokens, 2, 3), 3);
}

/// Of 12 experts the published first numbers of SplitMix64 from 0 swap place 0 with 7, 1 with
/// 1 + 10, and 2 with 2 + 9, where by then expert 1 stands.
TEST(HashedExperts, are_the_first_of_a_shuffle) {
    EXPECT_EQ(kFirst % 12, 7U);
    EXPECT_EQ(kSecond % 11, 10U);
    EXPECT_EQ(kThird % 10, 9U);
    EXPECT_EQ(hashed_experts(0, 12, 1), Tokens{7});
    EXPECT_EQ(hashed_experts(0, 12, 3), (Tokens{7, 11, 1}));
    // Remainders by large primes tell whether all bits of the numbers are right.
    EXPECT_EQ(hashed_experts(0, 65521, 1)[0], kFirst % 65521);
    EXPECT_EQ(hashed_experts(0, 65522, 2)[1], kSecond % 65521 + 1);
    EXPECT_EQ(hashed_experts(9, 1, 1), Tokens{0});
}

TEST(HashedExperts, of_many_tokens_are_used_alike) {
    std::vector<double> uses(24);
    for (std::uint32_t token = 0; token < 12000; ++token)
        for (const std::uint32_t expert : hashed_experts(token, 24, 2)) ++uses[expert];
    // 1,000 uses each on average; five standard deviations are about 155.
    for (const double count : uses) EXPECT_NEAR(count, 1000, 155);
}

TEST(ExpertStream, gives_every_token_its_experts_in_turn) {
    const Tokens seven = hashed_experts(7, 10, 3);
    const Tokens two = hashed_experts(2, 10, 3);
    EXPECT_EQ(expert_stream(Tokens{7, 2, 7}, 10, 3),
              (Tokens{seven[0], seven[1], seven[2], two[0], two[1], two[2], seven[0], seven[1],
                      seven[2]}));
}

TEST(ZipfTokens, follow_the_law_and_the_seed) {
    constexpr std::size_t kCount = 100000;
    const Tokens tokens = zipf_tokens(1, 4, kCount, 1);
    ASSERT_EQ(tokens.size(), kCount);
    std::vector<double> counts(4);
    for (const std::uint32_t token : tokens) ++counts.at(token);
    const double sum = 1 + 1 / 2.0 + 1 / 3.0 + 1 / 4.0;
    // Five standard deviations of a count are at most 5 sqrt(kCount / 4).
    for (std::size_t t = 0; t < 4; ++t)
        EXPECT_NEAR(counts[t], kCount / sum / (static_cast<double>(t) + 1), 791) << t;
    EXPECT_EQ(zipf_tokens(1, 4, kCount, 1), tokens);
    EXPECT_NE(zipf_tokens(1, 4, kCount, 2), tokens);
}

TEST(ZipfTokens, a_number_at_a_bound_stands_for_the_token_after_it) {
    const std::vector<double> bounds = {1, 1.5, 2};
    EXPECT_EQ(token_at(bounds, 0), 0U);
    EXPECT_EQ(token_at(bounds, 0.999), 0U);
    EXPECT_EQ(token_at(bounds, 1), 1U);
    EXPECT_EQ(token_at(bounds, 1.5), 2U);
    EXPECT_EQ(token_at(bounds, 1.999), 2U);
}

/// CPython's random.Random(1): 0.134, 0.847, 0.764, 0.255, 0.495, 0.449, 0.652, 0.789. Weights 1
/// and 1/2 and 1/3: token 0 below 6/11 = 0.545, token 1 below 9/11 = 0.818. With exponent 0 all
/// three alike: bounds 0.333 and 0.667. With exponent 2: weights 1, 1/4, 1/9, bounds 0.735, 0.918.
TEST(ZipfTokens, are_drawn_as_a_python_script_would) {
    EXPECT_EQ(zipf_tokens(1, 3, 8, 1), (Tokens{0, 2, 1, 0, 0, 0, 1, 1}));
    EXPECT_EQ(zipf_tokens(0, 3, 8, 1), (Tokens{0, 2, 2, 0, 1, 1, 1, 2}));
    EXPECT_EQ(zipf_tokens(2, 3, 8, 1), (Tokens{0, 1, 1, 0, 0, 0, 0, 1}));
    EXPECT_EQ(zipf_tokens(1, 1, 3, 1), (Tokens{0, 0, 0}));
    EXPECT_EQ(zipf_tokens(1, 3, 0, 1), Tokens{});
}

RC_GTEST_PROP(TrafficLaws, a_batch_requests_its_distinct_rows, ()) {
    const auto tokens = *rc::gen::container<Tokens>(rc::gen::inRange(0U, 9U));
    const auto batch = *rc::gen::inRange<std::size_t>(1, 12);
    std::size_t distinct = 0;
    for (std::size_t at = 0; at < tokens.size(); at += batch) {
        const auto end = std::min(at + batch, tokens.size());
        distinct += std::set(tokens.begin() + static_cast<std::ptrdiff_t>(at),
                             tokens.begin() + static_cast<std::ptrdiff_t>(end))
                        .size();
    }
    RC_ASSERT(batched_requests(tokens, batch).size() == distinct);
}

RC_GTEST_PROP(TrafficLaws, the_experts_of_a_token_differ_and_exist, ()) {
    const auto token = *rc::gen::arbitrary<std::uint32_t>();
    const auto experts = *rc::gen::inRange(1U, 40U);
    const auto top = *rc::gen::inRange(1U, experts + 1);
    const Tokens chosen = hashed_experts(token, experts, top);
    RC_ASSERT(chosen.size() == top);
    RC_ASSERT(std::set(chosen.begin(), chosen.end()).size() == top);
    RC_ASSERT(*std::max_element(chosen.begin(), chosen.end()) < experts);
}

}  // namespace
}  // namespace capra::model
