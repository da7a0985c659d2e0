// Every mechanism of a structured stack is necessary: another row, expert, order or admission than
// its own is another token.
#include "stem/lessons.hpp"
#include "stem/random.hpp"
#include "stem_support.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace capra::stem {
namespace {

using model::successor;
using Rows = std::vector<std::uint32_t>;

constexpr std::uint32_t kSeeds = 3;
constexpr double kClear = 0.1;  // of the logits' range

/// A structured decoder that is about to read the token at one place of a text that obeys its rule.
struct Moment {
    FloatStack decoder;
    std::uint32_t previous;
    std::uint32_t token;
    std::uint32_t right;  ///< what the rule says comes next

    /// The step, the feed-forward layer being made to do this.
    [[nodiscard]] StackStep with(Override forced, std::size_t layer = kFeedForward) const {
        FloatStack copy = decoder;
        return copy.step(token, {{layer, std::move(forced)}});
    }
};

/// Moments at the first token and at later ones, of texts from every start. The model outlives
/// them.
std::vector<Moment> moments(const Model& model) {
    std::vector<Moment> all;
    for (std::uint32_t start = 0; start < kVocabulary; ++start) {
        FloatStack decoder = model.decoder();
        std::uint32_t previous = kNoToken;
        std::uint32_t token = start;
        for (std::uint32_t i = 0; i < 10; ++i) {
            const std::uint32_t right = next_token(model.stack.rule, previous, token);
            if (i % 3 == 0) all.push_back({decoder, previous, token, right});
            decoder.step(token);
            previous = std::exchange(token, right);
        }
    }
    return all;
}

/// Calls what each moment of the decoder of each seed.
template <typename Check>
void at_moments(std::string_view name, Check check) {
    for (std::uint32_t seed = 1; seed <= kSeeds; ++seed) {
        SCOPED_TRACE(fmt::format("{}, seed {}", name, seed));
        const Model model(name, "structured", seed);
        for (const Moment& moment : moments(model)) check(model.stack, moment);
    }
}

void expect_clearly(const StackStep& step, std::uint32_t token) {
    EXPECT_GE(lead(step.logits, token), kClear) << "after " << step.input;
}

/// Some other token leads the right one clearly.
void expect_clearly_not(const StackStep& step, std::uint32_t right) {
    const auto [low, high] = std::minmax_element(step.logits.begin(), step.logits.end());
    EXPECT_GE(*high - step.logits[right], kClear * (*high - *low)) << "after " << step.input;
}

TEST(Tables, another_row_gives_the_successor_of_its_token) {
    for (const char* name : {"stem_mult", "stem_add", "stem_dagger", "stem_gate"})
        at_moments(name, [](const Stack&, const Moment& moment) {
            for (std::uint32_t row = 0; row < kVocabulary; ++row)
                expect_clearly(moment.with({.rows = {row}}), successor(row));
        });
}

TEST(Tables, another_bigram_row_gives_what_follows_that_pair) {
    at_moments("bigram", [](const Stack&, const Moment& moment) {
        for (std::uint32_t slot = 0; slot < kBigramSlots; slot += 7)
            expect_clearly(moment.with({.rows = {slot}}),
                           next_token(Rule::bigram, slot / kVocabulary, slot % kVocabulary));
    });
}

TEST(Tables, a_split_row_with_another_half_gives_a_decoy_or_what_follows_that_pair) {
    const auto decoy = [](std::uint32_t token) { return (successor(token) + 15) % kVocabulary; };
    at_moments("split", [&](const Stack&, const Moment& moment) {
        const std::uint32_t own = bigram_slot(moment.previous, moment.token, kBigramSlots);
        for (std::uint32_t t = 0; t < kVocabulary; ++t)
            if (t != moment.token)
                expect_clearly(moment.with({.rows = {t, own}}), decoy(moment.token));
        for (std::uint32_t slot = 0; slot < kBigramSlots; slot += 7) {
            const std::uint32_t token = slot % kVocabulary;
            const std::uint32_t next = token == moment.token
                                           ? next_token(Rule::bigram, slot / kVocabulary, token)
                                           : decoy(token);
            expect_clearly(moment.with({.rows = {moment.token, slot}}), next);
        }
    });
}

TEST(Tables, another_pair_of_sub_keys_gives_another_token) {
    at_moments("product_key", [](const Stack&, const Moment& moment) {
        const Rows own = moment.with({}).layers[kFeedForward].rows;
        for (std::uint32_t row = 0; row < kSubKeys * kSubKeys; ++row)
            if (row != own[0])
                expect_clearly_not(moment.with({.rows = {row, own[1]}}), moment.right);
        expect_clearly(moment.with({.rows = {own[1], own[0]}}), successor(moment.token ^ 2));
    });
}

TEST(Experts, of_one_each_a_wrong_one_gives_the_successor_of_a_token_of_its_own) {
    at_moments("on_chip", [](const Stack&, const Moment& moment) {
        for (std::uint32_t e = 0; e < kExperts; ++e)
            expect_clearly(moment.with({.experts = {e}}), successor(4 * e + moment.token % 4));
    });
    at_moments("hash", [](const Stack& stack, const Moment& moment) {
        const auto& hash = std::get<Moe>(stack.layers[kFeedForward]).hash;
        for (std::uint32_t e = 0; e < kExperts; ++e)
            if (e != hash[moment.token])
                expect_clearly_not(moment.with({.experts = {e}}), moment.right);
    });
}

/// All ordered pairs of experts.
std::vector<Experts> all_pairs() {
    std::vector<Experts> pairs;
    for (std::uint32_t i = 0; i < kExperts; ++i)
        for (std::uint32_t j = 0; j < kExperts; ++j) pairs.push_back({i, j});
    return pairs;
}

TEST(Experts, in_pairs_a_wrong_one_at_either_place_or_the_other_order_gives_a_wrong_token) {
    at_moments("top2", [](const Stack&, const Moment& moment) {
        for (const Experts& pair : all_pairs())
            if (pair != expert_pair(moment.token))
                expect_clearly_not(moment.with({.experts = pair}), moment.right);
    });
}

TEST(Experts, in_pairs_are_right_only_with_their_gate_weights) {
    for (std::uint32_t seed = 1; seed <= kSeeds; ++seed) {
        Stack stack = make_stack("top2", "structured", seed);
        for (double& weight : std::get<Moe>(stack.layers[kFeedForward]).wr.values) weight = 0;
        const Model model(std::move(stack));
        for (const Moment& moment : moments(model))
            expect_clearly_not(moment.with({.experts = expert_pair(moment.token)}), moment.right);
    }
}

TEST(Experts, in_pairs_are_right_only_with_the_shared_one) {
    for (std::uint32_t seed = 1; seed <= kSeeds; ++seed) {
        Stack stack = make_stack("top2", "structured", seed);
        std::get<Moe>(stack.layers[kFeedForward]).shared.reset();
        const Model model(std::move(stack));
        for (const Moment& moment : moments(model))
            expect_clearly_not(moment.with({}), moment.right);
    }
}

TEST(Routed, the_score_admits_a_share_of_the_tokens_equal_to_the_capacity) {
    for (const auto& [name, every] : {std::pair{"routed_C50", 2U}, {"routed_C25", 4U}})
        at_moments(name, [every = every](const Stack&, const Moment& moment) {
            EXPECT_EQ(moment.with({}).layers[kFeedForward].admitted, moment.token % every == 0)
                << moment.token;
        });
}

TEST(Routed, a_wrong_admission_gives_a_wrong_token_whoever_the_experts_are) {
    for (const char* name : {"routed_C50", "routed_C25"})
        at_moments(name, [](const Stack&, const Moment& moment) {
            if (moment.with({}).layers[kFeedForward].admitted)
                return expect_clearly_not(moment.with({.admitted = false}), moment.right);
            for (const Experts& pair : all_pairs())
                expect_clearly_not(moment.with({.experts = pair, .admitted = true}), moment.right);
        });
}

TEST(Routed, a_wrong_expert_at_either_place_or_the_other_order_gives_a_wrong_token) {
    for (const char* name : {"routed_C50", "routed_C25"})
        at_moments(name, [](const Stack&, const Moment& moment) {
            if (!moment.with({}).layers[kFeedForward].admitted) return;
            for (const Experts& pair : all_pairs())
                if (pair != expert_pair(moment.token))
                    expect_clearly_not(moment.with({.experts = pair}), moment.right);
        });
}

TEST(Routed, another_row_gives_the_token_that_it_names_whether_right_or_wrong) {
    for (const auto& [name, every] : {std::pair{"routed_C50", 2U}, {"routed_C25", 4U}})
        at_moments(name, [every = every](const Stack&, const Moment& moment) {
            for (std::uint32_t row = 0; row < kVocabulary; ++row) {
                if (row == moment.token) continue;
                const std::uint32_t ahead = row % every == 0 ? 12 : 0;  // a decoy to the admitted
                expect_clearly(moment.with({.rows = {row}}),
                               (successor(row) + ahead) % kVocabulary);
            }
        });
}

}  // namespace
}  // namespace capra::stem
