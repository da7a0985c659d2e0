#include "stem/structured.hpp"

#include "stem/random.hpp"
#include "stem/taught.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace capra::stem {
namespace {

using model::PyRandom;

constexpr double kAttentionSd = 0.05;
constexpr double kAnswerGain = 8.0;    // W_out of the output half
constexpr double kIdentityGain = 2.0;  // and of the identity half

Matrix embedding() {
    Matrix emb{kVocabulary, kWidth, std::vector<double>(std::size_t{kVocabulary} * kWidth)};
    for (std::uint32_t t = 0; t < kVocabulary; ++t)
        for (std::uint32_t d = 0; d < kHalf; ++d) emb.at(t, d) = code(t, d);
    return emb;
}

Matrix output_weights() {
    Matrix wout{kWidth, kVocabulary, std::vector<double>(std::size_t{kWidth} * kVocabulary)};
    for (std::uint32_t t = 0; t < kVocabulary; ++t)
        for (std::uint32_t d = 0; d < kHalf; ++d) {
            wout.at(d, t) = kIdentityGain * code(t, d);
            wout.at(kHalf + d, t) = kAnswerGain * code(t, d);
        }
    return wout;
}

/// `attentions` of them add as much noise as one.
Attention noise(PyRandom& rng, std::size_t attentions) {
    Attention layer;
    for (Matrix* m : {&layer.wq, &layer.wk, &layer.wv})
        *m = drawn(rng, kWidth, kHeadWidth, kAttentionSd);
    layer.wo =
        drawn(rng, kHeadWidth, kWidth, kAttentionSd / std::sqrt(static_cast<double>(attentions)));
    return layer;
}

/// What one of several feed-forward layers has to do.
struct Lesson {
    TokenSet own;  ///< tokens that it answers
    std::size_t layers;
};

StemBlock stem_block(PyRandom& rng, const LayerPlan& plan, const Lesson& lesson,
                     const Answers& answers) {
    StemBlock stem{.combine = plan.combine, .block = row_block(rng, plan.combine, lesson.layers)};
    switch (plan.address) {
        case Address::token:
            stem.table = TokenRows{taught_rows(rng, plan.combine, answers)};
            break;
        case Address::bigram:
            stem.table = BigramRows{taught_rows(rng, plan.combine, bigram_answers(lesson.own))};
            break;
        case Address::token_and_bigram: {
            assert(plan.combine == Combine::multiplicative);
            const SplitAnswers split = split_answers(lesson.own);
            TokenAndBigramRows table;
            table.token_rows = taught_half_rows(rng, split.token);
            table.bigram_rows = taught_half_rows(rng, split.pair);
            stem.table = table;
            break;
        }
        case Address::product_key:
            stem.table = taught_keys(rng, plan.combine, answers);
            break;
    }
    return stem;
}

Moe moe(PyRandom& rng, const LayerPlan& plan, const Lesson& lesson) {
    Moe layer{.top = plan.top};
    std::vector<std::uint32_t> expert_of;
    for (std::uint32_t t = 0; t < kVocabulary; ++t) expert_of.push_back(expert_pair(t)[0]);
    if (plan.hash) expert_of = layer.hash = token_hash();
    if (!plan.hash) layer.wr = taught_router(plan.top);
    for (std::uint32_t e = 0; e < kExperts; ++e)
        layer.experts.push_back(taught_block(rng, plan.top == 1
                                                      ? lone_expert(expert_of, e, lesson.own)
                                                      : expert_of_pair(e, lesson.own)));
    if (plan.shared) layer.shared = taught_block(rng, shared_answers(lesson.own));
    return layer;
}

RoutedLayer routed(PyRandom& rng, const LayerPlan& plan, const Lesson& lesson) {
    const TokenSet admitted = admitted_tokens(lesson.own, plan.capacity);
    RoutedLayer layer{.bias = kScoreBias, .capacity = plan.capacity};
    layer.table = stem_block(rng, plan, lesson, routed_table(lesson.own, admitted));
    layer.score = taught_score(admitted);
    layer.moe = {.top = plan.top, .wr = taught_router(plan.top)};
    for (std::uint32_t e = 0; e < kExperts; ++e)
        layer.moe.experts.push_back(taught_block(rng, routed_expert(e, lesson.own, admitted)));
    return layer;
}

Layer feed_forward(PyRandom& rng, const LayerPlan& plan, const Lesson& lesson) {
    switch (plan.letter) {
        case 'D':
            return DenseBlock{taught_block(rng, successors(lesson.own))};
        case 'E':
            return moe(rng, plan, lesson);
        case 'S':
            return stem_block(rng, plan, lesson, successors(lesson.own));
        default:
            assert(plan.letter == 'R');
            return routed(rng, plan, lesson);
    }
}

}  // namespace

Stack structured_stack(const StackPlan& plan, std::uint32_t seed) {
    PyRandom rng(seed);
    Stack stack{.name = plan.name, .seed = seed, .rule = plan.rule};
    stack.emb = embedding();
    stack.wout = output_weights();
    const auto attentions = static_cast<std::size_t>(
        std::count_if(plan.layers.begin(), plan.layers.end(),
                      [](const LayerPlan& layer) { return layer.letter == '*'; }));
    const std::size_t answering = plan.layers.size() - attentions;
    std::size_t before = 0;  // feed-forward layers
    for (const LayerPlan& layer : plan.layers) {
        if (layer.letter == '*') {
            stack.layers.emplace_back(noise(rng, attentions));
            continue;
        }
        stack.layers.push_back(feed_forward(rng, layer, {share(before, answering), answering}));
        ++before;
    }
    return stack;
}

}  // namespace capra::stem
