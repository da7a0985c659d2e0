// The STEM family: stacks of attention, gated blocks, experts, tables and routed layers. With h the
// state of a token before a layer and Block(h) = silu(h W_g) * (h W_u), then times W_d:
//
//     *  h + Attention(h)              one head over all positions so far
//     D  h + Block(h)                  the dense gated block
//     E  h + sum_i g_i Block_e_i(h)    `top` experts of some; plus a shared one, if there is
//     S  h + Stem(h)                   see `Combine`
//     R  h + Stem(h), and for an admitted token
//          + sigmoid(h w + bias) * sum_i g_i Block_e_i(h)
//
// with e_i the experts of the highest router scores h W_r, best first, and g the softmax of those
// scores alone. logits = h W_out. Sources: STEM for S, Circus for R (docs/chapter-7,
// docs/chapter-8).
#pragma once

#include "compiler/graph.hpp"
#include "model/exact.hpp"
#include "model/language_model.hpp"
#include "model/routing.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace capra::stem {

using compiler::Matrix;
using model::Experts;

inline constexpr std::uint32_t kVocabulary = 16;
inline constexpr std::uint32_t kWidth = 32;      ///< of the state between layers
inline constexpr std::uint32_t kHeadWidth = 16;  ///< of keys, queries and values
inline constexpr std::uint32_t kHidden = 32;     ///< of every gated block

/// The factor on q K^T, 1 / sqrt(kHeadWidth).
inline constexpr double kAttentionScale = 0.25;

struct Attention {
    Matrix wq{}, wk{}, wv{};  // (kWidth, kHeadWidth)
    Matrix wo{};              // (kHeadWidth, kWidth)
};

/// A gated block. A table may stand for wu or wg, which is then empty.
struct Block {
    Matrix wg{}, wu{};  // (kWidth, kHidden)
    Matrix wd{};        // (kHidden, kWidth)
};

/// One row a token. (kVocabulary or more, words of a row)
struct TokenRows {
    Matrix rows;
};

/// The row of `bigram_slot`. (slots, words of a row)
struct BigramRows {
    Matrix rows;
};

/// A row of the first table, then one of the second: their words together are the row.
struct TokenAndBigramRows {
    Matrix token_rows;
    Matrix bigram_rows;
};

/// A query h W_q in two halves, each scored against one set of sub-keys; of all pairs (i, j) of the
/// `top` best of either set the `top` with the highest sums, the rows i * (sub-keys) + j, weighted
/// by the softmax of those sums.
struct ProductKeyRows {
    Matrix query;               // (kWidth, 2 * half)
    Matrix keys_1{}, keys_2{};  // (half, sub-keys)
    Matrix rows{};              // (sub-keys * sub-keys, words of a row)
    std::uint32_t top = 2;
};

using TableRows = std::variant<TokenRows, BigramRows, TokenAndBigramRows, ProductKeyRows>;

/// What a table's row is to its block.
enum class Combine : std::uint8_t {
    multiplicative,  ///< STEM: (silu(h W_g) * row) W_d
    additive,        ///< silu(h W_g) W_d + row, a row of kWidth
    dagger,          ///< STEM-dagger: (silu(h W_g) * (h W_u + row)) W_d
    gate,            ///< the row in place of the gate: (silu(row) * h W_u) W_d
};

struct StemBlock {
    Combine combine = Combine::multiplicative;
    Block block{};
    TableRows table{};
};

struct Moe {
    std::vector<Block> experts{};
    std::uint32_t top = 1;
    Matrix wr{};                        // (kWidth, experts); empty with a hash
    std::vector<std::uint32_t> hash{};  ///< Hash layer: the expert of each token; else empty
    std::optional<Block> shared{};

    [[nodiscard]] bool is_hash() const { return !hash.empty(); }
};

struct DenseBlock {
    Block block;
};

struct RoutedLayer {
    StemBlock table{};
    Matrix score{};  // (kWidth, 1)
    double bias = 0;
    Moe moe{};                    ///< learned router, no shared expert
    model::Exact capacity{1, 2};  ///< share of tokens that it is calibrated to admit
};

using Layer = std::variant<Attention, DenseBlock, Moe, StemBlock, RoutedLayer>;

/// What a structured stack computes: the token after `previous`, `token`. Where a text begins,
/// previous is kNoToken.
enum class Rule : std::uint8_t {
    none,       ///< random weights
    successor,  ///< 5 t + 3 mod 16
    bigram,     ///< 5 t + 3 + 2 previous mod 16: needs the previous token as well
};
inline constexpr std::uint32_t kNoToken = kVocabulary;

/// The token after `previous` (up to kNoToken) and `token` by a rule other than `none`. It is never
/// `token` itself, as the difference, 4 t + 3 or 4 t + 3 + 2 previous, is odd.
constexpr std::uint32_t next_token(Rule rule, std::uint32_t previous, std::uint32_t token) {
    const std::uint32_t successor = model::successor(token);
    return rule == Rule::bigram ? (successor + 2 * previous) % kVocabulary : successor;
}

struct Stack {
    std::string name;
    std::uint32_t seed = 0;
    Rule rule = Rule::none;
    Matrix emb{};   // (kVocabulary, kWidth)
    Matrix wout{};  // (kWidth, kVocabulary)
    std::vector<Layer> layers{};
};

/// The letters of the layers, as `model::kLayerLetters`.
std::string pattern_of(const Stack& stack);

/// The table, or the experts (not the shared one), of a layer; null if it has none.
const TableRows* table_of(const Layer& layer);
TableRows* table_of(Layer& layer);
const Moe* moe_of(const Layer& layer);

/// Slot of a pair of tokens, `previous` up to kNoToken: (16 previous + token) mod slots, which is
/// another one for each pair from 272 slots on.
constexpr std::uint32_t bigram_slot(std::uint32_t previous, std::uint32_t token,
                                    std::uint32_t slots) {
    return (kVocabulary * previous + token) % slots;
}

}  // namespace capra::stem
