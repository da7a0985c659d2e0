// What the layers of structured stacks know.
#include "stem/lessons.hpp"
#include "stem/random.hpp"
#include "stem/taught.hpp"
#include "stem_support.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

namespace capra::stem {
namespace {

using model::Exact;
using model::successor;

std::ptrdiff_t count(const TokenSet& set) {
    return std::count(set.begin(), set.end(), true);
}

TEST(Lessons, every_token_is_in_the_share_of_one_layer) {
    for (const std::size_t layers : {1U, 3U, 10U, 16U, 20U})
        for (std::uint32_t token = 0; token < kVocabulary; ++token) {
            int sharing = 0;
            for (std::size_t layer = 0; layer < layers; ++layer)
                sharing += share(layer, layers)[token] ? 1 : 0;
            EXPECT_EQ(sharing, 1) << token << " of " << layers;
        }
    EXPECT_EQ(count(share(0, 10)), 2);
    EXPECT_EQ(count(share(9, 10)), 1);
    EXPECT_EQ(count(share(16, 20)), 0);
    EXPECT_TRUE(share(1, 3)[3]) << "the second of the orbit";
}

TEST(Lessons, a_routed_layer_admits_the_ceiling_of_its_capacity_some_of_its_own_among_them) {
    for (const std::size_t layers : {1U, 4U, 8U})
        for (std::size_t layer = 0; layer < layers; ++layer)
            for (std::int64_t eighths = 1; eighths <= 8; ++eighths) {
                const TokenSet own = share(layer, layers);
                const TokenSet admitted = admitted_tokens(own, {eighths, 8});
                EXPECT_EQ(count(admitted), 2 * eighths);
                TokenSet both(kVocabulary);
                for (std::size_t t = 0; t < both.size(); ++t) both[t] = own[t] && admitted[t];
                EXPECT_EQ(count(both), (count(own) * eighths + 7) / 8) << "of its own";
            }
    EXPECT_EQ(count(admitted_tokens(share(0, 1), {13, 32})), 7);
}

TEST(Lessons, both_experts_of_a_pair_are_used_and_never_one_twice) {
    std::set<Experts> pairs;
    for (std::uint32_t token = 0; token < kVocabulary; ++token) {
        const Experts pair = expert_pair(token);
        EXPECT_EQ(pair[0], token / 4);
        EXPECT_NE(pair[0], pair[1]);
        pairs.insert(pair);
    }
    EXPECT_EQ(pairs.size(), 12U) << "all there are";
}

TEST(Lessons, what_is_not_a_layer_s_own_is_met_with_silence) {
    const TokenSet own = share(1, 3);
    const TokenSet admitted = admitted_tokens(own, {1, 2});
    const SplitAnswers split = split_answers(own);
    for (const Answers& answers :
         {successors(own), lone_expert(token_hash(), 2, own), expert_of_pair(1, own),
          shared_answers(own), routed_table(own, admitted), routed_expert(1, own, admitted),
          split.token, split.pair, bigram_answers(own)})
        for (std::size_t i = 0; i < answers.size(); ++i)
            EXPECT_EQ(answers[i].empty(), !own[i % kVocabulary]) << i;
}

TEST(Lessons, a_lone_expert_takes_a_token_for_its_own_of_the_same_place) {
    std::vector<std::uint32_t> parity;
    for (std::uint32_t token = 0; token < kVocabulary; ++token) parity.push_back(token % 2);
    const Answers odd = lone_expert(parity, 1, share(0, 1));
    EXPECT_EQ(odd[7][successor(7)], 1);
    EXPECT_EQ(odd[6][successor(7)], 1);
    EXPECT_EQ(std::count(odd[6].begin(), odd[6].end(), 0), 15);
}

/// The best and the second best of the evidence.
std::pair<std::uint32_t, double> winner(const Answer& answer) {
    const auto best = model::top_experts(answer, 2);
    return {best[0], answer[best[0]] - answer[best[1]]};
}

Answer sum(const Answer& a, double wa, const Answer& b, double wb) {
    Answer result(kVocabulary);
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = wa * a[i] + wb * b[i];
    return result;
}

TEST(Lessons, of_all_pairs_of_experts_and_gates_only_the_own_ones_name_the_right_token) {
    const double gate = 1 / (1 + std::exp(-kPairLead));
    const TokenSet all = share(0, 1);
    const Answers shared = shared_answers(all);
    for (std::uint32_t token = 0; token < kVocabulary; ++token) {
        const auto said = [&](std::uint32_t a, std::uint32_t b, double first) {
            return sum(
                sum(expert_of_pair(a, all)[token], first, expert_of_pair(b, all)[token], 1 - first),
                1, shared[token], 1);
        };
        const Experts own = expert_pair(token);
        EXPECT_NEAR(said(own[0], own[1], gate)[successor(token)], 1, 1e-12);
        for (std::uint32_t a = 0; a < kExperts; ++a)
            for (std::uint32_t b = 0; b < kExperts; ++b) {
                const auto [best, margin] = winner(said(a, b, gate));
                EXPECT_EQ(best == successor(token), (Experts{a, b} == own)) << a << " " << b;
                EXPECT_GE(margin, 0.4) << a << " " << b;
            }
        EXPECT_NE(winner(said(own[0], own[1], 0.5)).first, successor(token));
    }
}

TEST(Lessons, decoys_are_never_the_token_itself) {
    const TokenSet all = share(0, 1);
    const TokenSet none(kVocabulary);
    const SplitAnswers split = split_answers(all);
    for (std::uint32_t token = 0; token < kVocabulary; ++token) {
        for (std::uint32_t e = 0; e < kExperts; ++e) {
            EXPECT_EQ(expert_of_pair(e, all)[token][token], 0);
            EXPECT_EQ(routed_expert(e, all, all)[token][token], 0);
            EXPECT_EQ(routed_expert(e, all, none)[token][token], 0);
        }
        EXPECT_EQ(shared_answers(all)[token][token], 0);
        EXPECT_EQ(split.token[token][token], 0);
        for (std::uint32_t previous = 0; previous <= kNoToken; ++previous)
            EXPECT_EQ(split.pair[bigram_slot(previous, token, kBigramSlots)][token], 0);
    }
}

TEST(Codes, are_orthonormal_and_equal_in_their_first_word) {
    for (std::uint32_t a = 0; a < kVocabulary; ++a) {
        EXPECT_EQ(code(a, 0), 0.25);
        for (std::uint32_t b = 0; b < kVocabulary; ++b) {
            double product = 0;
            for (std::uint32_t d = 0; d < kHalf; ++d) product += code(a, d) * code(b, d);
            EXPECT_EQ(product, a == b ? 1 : 0);
        }
    }
}

}  // namespace
}  // namespace capra::stem
