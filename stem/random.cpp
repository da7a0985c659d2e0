#include "stem/random.hpp"

#include <cassert>
#include <cmath>

namespace capra::stem {
namespace {

using model::PyRandom;

// Standard deviations. The state has entries of about 0.5; what layers read of it, of about 0.5.
constexpr double kEmbedding = 0.5;
constexpr double kReading = 0.18;  // of what reads the state
constexpr double kWriting = 0.35;  // of what is added to it, over the root of the number of layers
constexpr double kRouter = 0.5;
constexpr double kFactorRow = 0.5;  // of a row in place of, or added to, what a block reads
constexpr double kSubKey = 0.5;
constexpr double kScore = 0.25;
constexpr double kStartBias = 2.0;

/// The stream of weights, and the scale of those that write to the state: the more layers, the less
/// each may add.
struct Source {
    PyRandom rng;
    double writing;
};

Attention attention(Source& from) {
    Attention layer;
    for (Matrix* m : {&layer.wq, &layer.wk, &layer.wv})
        *m = drawn(from.rng, kWidth, kHeadWidth, kReading);
    layer.wo = drawn(from.rng, kHeadWidth, kWidth, from.writing);
    return layer;
}

Block block(Source& from) {
    Block b;
    b.wg = drawn(from.rng, kWidth, kHidden, kReading);
    b.wu = drawn(from.rng, kWidth, kHidden, kReading);
    b.wd = drawn(from.rng, kHidden, kWidth, from.writing);
    return b;
}

TableRows rows(Source& from, Address address, std::uint32_t words, double sd) {
    switch (address) {
        case Address::token:
            return TokenRows{drawn(from.rng, kVocabulary, words, sd)};
        case Address::bigram:
            return BigramRows{drawn(from.rng, kBigramSlots, words, sd)};
        case Address::token_and_bigram: {
            TokenAndBigramRows split;
            split.token_rows = drawn(from.rng, kVocabulary, kSplitWords, sd);
            split.bigram_rows = drawn(from.rng, kBigramSlots, words - kSplitWords, sd);
            return split;
        }
        case Address::product_key:
            break;
    }
    ProductKeyRows keyed;
    keyed.query = drawn(from.rng, kWidth, 2 * kQueryHalf, kReading);
    keyed.keys_1 = drawn(from.rng, kQueryHalf, kSubKeys, kSubKey);
    keyed.keys_2 = drawn(from.rng, kQueryHalf, kSubKeys, kSubKey);
    keyed.rows = drawn(from.rng, kSubKeys * kSubKeys, words, sd);
    return keyed;
}

StemBlock stem_block(Source& from, const LayerPlan& plan) {
    StemBlock stem{.combine = plan.combine, .block = block(from)};
    const bool added = plan.combine == Combine::additive;
    if (added || plan.combine == Combine::multiplicative) stem.block.wu = {};
    if (plan.combine == Combine::gate) stem.block.wg = {};
    stem.table =
        rows(from, plan.address, added ? kWidth : kHidden, added ? from.writing : kFactorRow);
    return stem;
}

Moe moe(Source& from, const LayerPlan& plan) {
    Moe layer{.top = plan.top};
    for (std::uint32_t e = 0; e < kExperts; ++e) layer.experts.push_back(block(from));
    if (plan.hash)
        layer.hash = token_hash();
    else
        layer.wr = drawn(from.rng, kWidth, kExperts, kRouter);
    if (plan.shared) layer.shared = block(from);
    return layer;
}

RoutedLayer routed(Source& from, const LayerPlan& plan) {
    RoutedLayer layer{.table = stem_block(from, plan), .bias = kStartBias};
    layer.score = drawn(from.rng, kWidth, 1, kScore);
    layer.moe = moe(from, plan);
    layer.capacity = plan.capacity;
    return layer;
}

Layer drawn_layer(Source& from, const LayerPlan& plan) {
    switch (plan.letter) {
        case '*':
            return attention(from);
        case 'D':
            return DenseBlock{block(from)};
        case 'E':
            return moe(from, plan);
        case 'S':
            return stem_block(from, plan);
        default:
            assert(plan.letter == 'R');
            return routed(from, plan);
    }
}

}  // namespace

Matrix drawn(PyRandom& rng, std::uint32_t rows, std::uint32_t cols, double sd) {
    Matrix m{rows, cols, std::vector<double>(std::size_t{rows} * cols)};
    for (double& value : m.values) value = rng.gauss(sd);
    return m;
}

std::vector<std::uint32_t> token_hash() {
    std::vector<std::uint32_t> experts;
    for (std::uint32_t t = 0; t < kVocabulary; ++t)
        experts.push_back(11 * t % kVocabulary * kExperts / kVocabulary);
    return experts;
}

Stack random_stack(const StackPlan& plan, std::uint32_t seed) {
    Source from{PyRandom(seed), kWriting / std::sqrt(static_cast<double>(plan.layers.size()))};
    Stack stack{.name = plan.name, .seed = seed, .rule = Rule::none};
    stack.emb = drawn(from.rng, kVocabulary, kWidth, kEmbedding);
    for (const LayerPlan& layer : plan.layers) stack.layers.push_back(drawn_layer(from, layer));
    stack.wout = drawn(from.rng, kWidth, kVocabulary, kReading);
    return stack;
}

}  // namespace capra::stem
