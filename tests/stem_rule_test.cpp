// Structured stacks follow their rule.
#include "stem_support.hpp"

#include <gtest/gtest.h>

namespace capra::stem {
namespace {

constexpr std::uint32_t kSteps = 24;
constexpr std::uint32_t kSeeds = 3;

/// 24 steps from every start, each reading what the rule says; every prediction is the rule's and
/// leads by a quarter of the range of logits.
void follows_its_rule(const Stack& stack) {
    SCOPED_TRACE(stack.name + ", seed " + std::to_string(stack.seed));
    const Model model(stack);
    for (std::uint32_t start = 0; start < kVocabulary; ++start) {
        FloatStack decoder = model.decoder();
        std::uint32_t previous = kNoToken;
        std::uint32_t token = start;
        for (std::uint32_t i = 0; i < kSteps; ++i) {
            const StackStep step = decoder.step(token);
            previous = std::exchange(token, next_token(stack.rule, previous, token));
            ASSERT_EQ(step.prediction, token) << "start " << start << ", step " << i;
            ASSERT_GE(lead(step.logits, token), 0.25) << "start " << start << ", step " << i;
        }
    }
}

TEST(Rule, is_a_cycle_of_successors_or_needs_the_previous_token_and_never_repeats_one) {
    EXPECT_EQ(next_token(Rule::successor, 7, 2), 13U);
    EXPECT_EQ(next_token(Rule::bigram, 7, 2), 11U);
    EXPECT_EQ(next_token(Rule::bigram, 8, 2), 13U);
    for (const Rule rule : {Rule::successor, Rule::bigram})
        for (std::uint32_t previous = 0; previous <= kNoToken; ++previous)
            for (std::uint32_t token = 0; token < kVocabulary; ++token)
                EXPECT_NE(next_token(rule, previous, token), token);
}

TEST(Structured, every_decoder_follows_its_rule_by_a_quarter_of_the_range) {
    for (const std::string_view decoder : decoder_names())
        for (std::uint32_t seed = 1; seed <= kSeeds; ++seed)
            follows_its_rule(make_stack(decoder, "structured", seed));
}

TEST(Structured, only_decoders_with_a_bigram_in_their_key_need_the_previous_token) {
    for (const std::string_view decoder : decoder_names()) {
        const bool bigram = decoder == "bigram" || decoder == "split";
        EXPECT_EQ(make_stack(decoder, "structured", 1).rule,
                  bigram ? Rule::bigram : Rule::successor);
        EXPECT_EQ(make_stack(decoder, "random", 1).rule, Rule::none);
    }
}

TEST(Structured, stacks_several_layers_deep_follow_the_rule) {
    const std::vector<model::Exact> half{{1, 2}};
    for (std::uint32_t seed = 1; seed <= kSeeds; ++seed) {
        follows_its_rule(make_pattern_stack("*D*E*S*R", "structured", seed, half));
        follows_its_rule(make_pattern_stack("*E*S*S*E*S*S*E*S*S*E", "structured", seed));
        follows_its_rule(make_pattern_stack("DSE", "structured", seed));
    }
}

TEST(Structured, a_stack_with_capacities_of_their_own_for_ten_routed_layers_follows_the_rule) {
    const std::vector<model::Exact> schedule{{1, 8},   {1, 8}, {13, 32}, {13, 32}, {13, 32},
                                             {13, 32}, {1, 4}, {1, 8},   {1, 8},   {1, 8}};
    for (std::uint32_t seed = 1; seed <= kSeeds; ++seed)
        follows_its_rule(make_pattern_stack("*R*R*R*R*R*R*R*R*R*R", "structured", seed, schedule));
}

}  // namespace
}  // namespace capra::stem
