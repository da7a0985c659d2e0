// What a token costs in a stack of attention, feed-forward, expert and table layers: MACs, weights
// stored and read, table bytes. Arithmetic on sizes alone; nothing is run.
//
// Counted: every product of an activation with a weight, a key, a value or a weighted table row.
// Not counted: norms, activation functions, softmax, products and sums of two activations, the
// embedding before the stack and the projection to the vocabulary after it, and, among the weights
// read, the keys and values of earlier tokens.
#pragma once

#include "model/exact.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace capra::model {

/// How a token finds its table rows.
enum class TableAddress {
    token,        ///< the row of its number
    product_key,  ///< the best of all pairs of two sub-keys, each scored by half of a query
};

/// Sizes of every layer of a stack. The defaults are those of the Circus models, but for
/// `table_rows` and `dense_hidden`, which are assumptions.
struct LedgerSizes {
    std::int64_t width = 1024;  ///< of the activations between layers
    std::int64_t query_heads = 16;
    std::int64_t kv_groups = 4;  ///< key and value heads; they divide the query heads
    std::int64_t head_width = 64;
    std::int64_t context = 1024;  ///< tokens that each token attends to
    std::int64_t experts = 24;
    std::int64_t top = 2;              ///< experts that an admitted token uses
    std::int64_t expert_hidden = 512;  ///< experts are gated blocks: three matrices
    std::int64_t shared_hidden = 512;  ///< of the shared expert of S and E; 0 for none
    std::int64_t table_width = 1536;   ///< hidden width of a StemFFN
    std::int64_t row_width = 1536;     ///< words of a table row
    std::int64_t table_rows = 65536;   ///< of a table that the token addresses
    std::int64_t dense_hidden = 1536;  ///< of a dense gated block
    TableAddress address = TableAddress::token;
    std::int64_t query_width = 64;      ///< of a product key; even
    std::int64_t sub_keys = 512;        ///< in each of the two sets; rows are their pairs
    std::int64_t key_top = 16;          ///< rows that a product key reads
    std::int64_t bytes_per_weight = 1;  ///< of a word of a table
};

/// What one layer, or several, cost. A routed layer's experts work for a share of the tokens: the
/// amounts per token are then means over tokens, and may be fractions.
struct LayerCost {
    Exact macs;            ///< per token
    Exact weights_read;    ///< words per token of a batch of one, table rows included
    Exact weights_stored;  ///< words, all experts and tables included
    Exact table_bytes;

    friend bool operator==(const LayerCost& a, const LayerCost& b) = default;
};
LayerCost operator+(const LayerCost& a, const LayerCost& b);

/// Projections, scores and values, d the width: 2 d (query heads + kv groups) (head width)
/// + 2 (context) (query heads) (head width).
LayerCost attention_cost(const LedgerSizes& sizes);
/// Router and experts, f their hidden width: d (experts) + (top) 3 d f.
LayerCost moe_cost(const LedgerSizes& sizes);
/// 3 d f, f the shared hidden width.
LayerCost shared_cost(const LedgerSizes& sizes);
/// W_d (silu(W_g x) * row) or W_d silu(W_g x) + row: 2 d f, f the table width, and `address_macs`.
LayerCost stem_cost(const LedgerSizes& sizes);
/// StemFFN for every token; a score of d MACs; the MoE for the share `capacity` of the tokens.
LayerCost routed_cost(const LedgerSizes& sizes, const Exact& capacity);
/// W_d (silu(W_g x) * W_u x): 3 d f.
LayerCost dense_cost(const LedgerSizes& sizes);

/// MACs that finding and joining the rows takes: 0 for a token's own row. For a product key with a
/// query of q, two sets of n sub-keys and k rows of w words: d q + 2 n q / 2 + k w.
Exact address_macs(const LedgerSizes& sizes);

/// The letters of a pattern: `*` attention, `S` StemFFN with shared expert, `E` MoE with shared
/// expert, `R` routed layer, `D` dense gated block.
inline constexpr std::string_view kLayerLetters = "*SERD";
inline constexpr std::size_t kMaxLayers = 1000;

/// An Error unless every letter of the pattern is a layer's, and the capacities are none without
/// an R layer, else one for all of them or one each, from above 0 to 1. It names the letter and its
/// place from 1, or the capacity.
void check_layers(std::string_view pattern, std::span<const Exact> capacities);

struct LedgerLayer {
    char letter = '*';
    std::optional<Exact> capacity;  ///< of a routed layer
    LayerCost own;                  ///< without the shared expert
    LayerCost shared;               ///< the shared expert of S and E

    [[nodiscard]] LayerCost total() const { return own + shared; }
};

struct Ledger {
    LedgerSizes sizes;
    std::vector<LedgerLayer> layers;

    /// The layers of one letter, without shared experts.
    [[nodiscard]] LayerCost sum_of(char letter) const;
    /// The shared experts.
    [[nodiscard]] LayerCost shared() const;
    [[nodiscard]] LayerCost total() const;
    /// How many layers have this letter.
    [[nodiscard]] std::int64_t count(char letter) const;
};

/// The costs of a pattern, one letter a layer. `capacities` are the shares of tokens that the
/// routed layers admit, in order. An Error as `check_layers`, or for sizes that do not fit each
/// other.
Ledger make_ledger(std::string_view pattern, std::span<const Exact> capacities,
                   const LedgerSizes& sizes);

/// The same stack with an MoE (and shared expert) for every other feed-forward layer.
Ledger control_of(const Ledger& ledger);

/// By how much `total` is above `control` MACs, in hundredths of a percent, halves away from zero.
std::int64_t above_control(const Exact& total, const Exact& control);

/// The work of finding rows as a share of the conditional feed-forward MACs, which are those of
/// StemFFN, MoE and routed layers without that work and without shared experts; in hundredths of a
/// percent. There must be such layers.
std::int64_t address_share(const Ledger& ledger);

/// A named stack of the Circus models.
struct LedgerPreset {
    std::string_view name;
    std::string_view pattern;
    std::vector<Exact> capacities;
    TableAddress address = TableAddress::token;
};

/// circus-moe, circus-stem, circus-sr50, circus-sr25, circus-srpl, circus-pk.
const std::vector<LedgerPreset>& ledger_presets();

}  // namespace capra::model
