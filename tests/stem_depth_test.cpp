// In a structured stack several layers deep, every layer is necessary to the tokens of its share,
// and to those alone.
#include "stem/lessons.hpp"
#include "stem_support.hpp"

#include <gtest/gtest.h>

namespace capra::stem {
namespace {

using model::Exact;
using model::successor;

/// Calls what each feed-forward layer of the model and the tokens of its share.
template <typename Check>
void for_each_layer(const Model& model, Check check) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < model.stack.layers.size(); ++i)
        if (!std::holds_alternative<Attention>(model.stack.layers[i])) places.push_back(i);
    for (std::size_t i = 0; i < places.size(); ++i) check(places[i], share(i, places.size()));
}

Model deep(std::uint32_t seed) {
    const std::vector<Exact> capacities{{1, 2}, {1, 4}};
    return Model(make_pattern_stack("*D*E*S*R*R", "structured", seed, capacities));
}

TEST(Depth, without_a_layer_the_tokens_of_its_share_predict_themselves_and_the_others_rightly) {
    for (std::uint32_t seed = 1; seed <= 2; ++seed) {
        const Model model = deep(seed);
        for_each_layer(model, [&](std::size_t layer, const TokenSet& own) {
            Stack without = model.stack;
            without.layers[layer] = DenseBlock{{.wg = {kWidth, 1, Vector(kWidth)},
                                                .wu = {kWidth, 1, Vector(kWidth)},
                                                .wd = {1, kWidth, Vector(kWidth)}}};
            Vector thresholds = model.thresholds;
            if (pattern_of(model.stack)[layer] == 'R')
                thresholds.erase(thresholds.begin() + (layer == 7 ? 0 : 1));
            for (std::uint32_t token = 0; token < kVocabulary; ++token) {
                const StackStep step = FloatStack(without, thresholds).step(token);
                EXPECT_EQ(step.prediction, own[token] ? token : successor(token))
                    << "layer " << layer << " taken from " << token;
            }
        });
    }
}

/// The row of another token than this one, of another layer's share.
std::uint32_t silent_row(const TokenSet& own, std::uint32_t token) {
    std::uint32_t row = 0;
    while (own[row] || row == token) ++row;
    return row;
}

TEST(Depth, a_wrong_row_or_admission_at_any_layer_is_a_wrong_token_for_its_share_alone) {
    for (std::uint32_t seed = 1; seed <= 2; ++seed) {
        const Model model = deep(seed);
        for_each_layer(model, [&](std::size_t layer, const TokenSet& own) {
            for (std::uint32_t token = 0; token < kVocabulary; ++token) {
                const StackStep right = model.decoder().step(token);
                const Layer& changed = model.stack.layers[layer];
                Override forced;
                if (std::holds_alternative<RoutedLayer>(changed))
                    forced.admitted = !right.layers[layer].admitted;
                else if (table_of(changed) != nullptr)
                    forced.rows = {silent_row(own, token)};
                else
                    return;
                const StackStep step = model.decoder().step(token, {{layer, forced}});
                EXPECT_EQ(step.prediction != successor(token), own[token])
                    << "layer " << layer << ", token " << token;
            }
        });
    }
}

TEST(Depth, wrong_experts_at_any_layer_are_a_wrong_token_for_those_of_its_share_they_run_for) {
    for (std::uint32_t seed = 1; seed <= 2; ++seed) {
        const Model model = deep(seed);
        for_each_layer(model, [&](std::size_t layer, const TokenSet& own) {
            if (moe_of(model.stack.layers[layer]) == nullptr) return;
            for (std::uint32_t token = 0; token < kVocabulary; ++token) {
                const Experts chosen = model.decoder().step(token).layers[layer].experts;
                if (!own[token] || chosen.empty()) continue;
                EXPECT_EQ(chosen, expert_pair(token));
                for (std::uint32_t pair = 0; pair < kExperts * kExperts; ++pair) {
                    const Experts forced{pair / kExperts, pair % kExperts};
                    const StackStep step =
                        model.decoder().step(token, {{layer, {.experts = forced}}});
                    EXPECT_EQ(step.prediction == successor(token), forced == chosen)
                        << "layer " << layer << ", token " << token;
                }
            }
        });
    }
}

}  // namespace
}  // namespace capra::stem
