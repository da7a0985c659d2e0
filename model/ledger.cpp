#include "model/ledger.hpp"

#include "isa/error.hpp"
#include "isa/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <string>

namespace capra::model {
namespace {

constexpr std::int64_t kGatedMatrices = 3;  // gate, up, down
constexpr std::int64_t kStemMatrices = 2;   // gate, down: a table row stands for the up-projection
constexpr std::int64_t kHundredthsOfPercent = 10000;

Exact product(std::initializer_list<std::int64_t> sizes) {
    Exact all = 1;
    for (const std::int64_t size : sizes) all = all * size;
    return all;
}

/// A part that multiplies every weight it has once per token.
LayerCost plain(const Exact& weights) {
    return {.macs = weights, .weights_read = weights, .weights_stored = weights};
}

LayerCost gated_block(std::int64_t width, std::int64_t hidden) {
    return plain(product({kGatedMatrices, width, hidden}));
}

/// The table of a layer and what is read of it: one row, or the query's projection, all sub-keys
/// and the best rows.
LayerCost table_cost(const LedgerSizes& sizes) {
    const bool keyed = sizes.address == TableAddress::product_key;
    const Exact rows = keyed ? product({sizes.sub_keys, sizes.sub_keys}) : Exact(sizes.table_rows);
    const Exact keys = keyed ? product({sizes.width, sizes.query_width}) +
                                   product({sizes.sub_keys, sizes.query_width})
                             : Exact(0);
    const Exact words = rows * sizes.row_width;
    return {.macs = address_macs(sizes),
            .weights_read = keys + product({keyed ? sizes.key_top : 1, sizes.row_width}),
            .weights_stored = keys + words,
            .table_bytes = words * sizes.bytes_per_weight};
}

void check_sizes(const LedgerSizes& sizes) {
    const auto refuse = [](const std::string& what) { throw Error("sizes: " + what); };
    if (sizes.query_heads % sizes.kv_groups != 0)
        refuse(fmt::format("{} query heads do not divide into {} groups", sizes.query_heads,
                           sizes.kv_groups));
    if (sizes.top > sizes.experts)
        refuse(fmt::format("top {} of {} experts", sizes.top, sizes.experts));
    if (sizes.address != TableAddress::product_key) return;
    if (sizes.query_width % 2 != 0)
        refuse(fmt::format("a query of {} words has no halves", sizes.query_width));
    if (Exact rows = product({sizes.sub_keys, sizes.sub_keys}); rows.numerator() < sizes.key_top)
        refuse(fmt::format("top {} of {} rows", sizes.key_top, rows.numerator()));
}

void check_pattern(std::string_view pattern) {
    if (pattern.empty()) throw Error("pattern: no letters");
    if (pattern.size() > kMaxLayers)
        throw Error(fmt::format("pattern: {} letters, at most {}", pattern.size(), kMaxLayers));
    const std::size_t place = pattern.find_first_not_of(kLayerLetters);
    if (place != std::string_view::npos)
        throw Error(fmt::format("pattern: '{}' at place {}: expected one of * S E R D",
                                printable(pattern.substr(place, 1)), place + 1));
}

void check_capacities(std::span<const Exact> capacities, std::size_t routed) {
    if (capacities.size() != 1 && capacities.size() != routed)
        throw Error(fmt::format("capacity: {} given for {} R layers: give one, or one for each",
                                capacities.size(), routed));
    for (std::size_t i = 0; i < capacities.size(); ++i)
        if (capacities[i].numerator() < 1 ||
            capacities[i].numerator() > capacities[i].denominator())
            throw Error(fmt::format("capacity: {} at place {}: expected above 0 to 1",
                                    to_string(capacities[i]), i + 1));
}

LedgerLayer make_layer(char letter, const Exact& capacity, const LedgerSizes& sizes) {
    LedgerLayer layer{.letter = letter};
    switch (letter) {
        case '*':
            layer.own = attention_cost(sizes);
            break;
        case 'S':
            layer.own = stem_cost(sizes);
            layer.shared = shared_cost(sizes);
            break;
        case 'E':
            layer.own = moe_cost(sizes);
            layer.shared = shared_cost(sizes);
            break;
        case 'R':
            layer.own = routed_cost(sizes, capacity);
            layer.capacity = capacity;
            break;
        default:  // 'D': the pattern was checked
            layer.own = dense_cost(sizes);
    }
    return layer;
}

Ledger layers_of(std::string_view pattern, std::span<const Exact> capacities,
                 const LedgerSizes& sizes) {
    Ledger ledger{.sizes = sizes};
    std::size_t routed = 0;
    for (const char letter : pattern) {
        const Exact capacity = letter != 'R'            ? Exact()
                               : capacities.size() == 1 ? capacities[0]
                                                        : capacities[routed++];
        ledger.layers.push_back(make_layer(letter, capacity, sizes));
    }
    return ledger;
}

}  // namespace

LayerCost operator+(const LayerCost& a, const LayerCost& b) {
    return {.macs = a.macs + b.macs,
            .weights_read = a.weights_read + b.weights_read,
            .weights_stored = a.weights_stored + b.weights_stored,
            .table_bytes = a.table_bytes + b.table_bytes};
}

LayerCost attention_cost(const LedgerSizes& sizes) {
    const Exact heads = product({sizes.query_heads, sizes.head_width});
    const Exact groups = product({sizes.kv_groups, sizes.head_width});
    LayerCost cost = plain(product({2, sizes.width}) * (heads + groups));
    cost.macs += product({2, sizes.context}) * heads;
    return cost;
}

LayerCost moe_cost(const LedgerSizes& sizes) {
    const LayerCost expert = gated_block(sizes.width, sizes.expert_hidden);
    LayerCost cost = plain(product({sizes.width, sizes.experts}));
    cost.macs += expert.macs * sizes.top;
    cost.weights_read += expert.weights_read * sizes.top;
    cost.weights_stored += expert.weights_stored * sizes.experts;
    return cost;
}

LayerCost shared_cost(const LedgerSizes& sizes) {
    return gated_block(sizes.width, sizes.shared_hidden);
}

LayerCost stem_cost(const LedgerSizes& sizes) {
    return plain(product({kStemMatrices, sizes.width, sizes.table_width})) + table_cost(sizes);
}

LayerCost routed_cost(const LedgerSizes& sizes, const Exact& capacity) {
    LayerCost admitted = moe_cost(sizes);
    admitted.macs = admitted.macs * capacity;
    admitted.weights_read = admitted.weights_read * capacity;
    return stem_cost(sizes) + plain(sizes.width) + admitted;
}

LayerCost dense_cost(const LedgerSizes& sizes) {
    return gated_block(sizes.width, sizes.dense_hidden);
}

Exact address_macs(const LedgerSizes& sizes) {
    if (sizes.address == TableAddress::token) return 0;
    return product({sizes.width, sizes.query_width}) +
           product({sizes.sub_keys, sizes.query_width}) + product({sizes.key_top, sizes.row_width});
}

LayerCost Ledger::sum_of(char letter) const {
    LayerCost sum;
    for (const LedgerLayer& layer : layers)
        if (layer.letter == letter) sum = sum + layer.own;
    return sum;
}

LayerCost Ledger::shared() const {
    LayerCost sum;
    for (const LedgerLayer& layer : layers) sum = sum + layer.shared;
    return sum;
}

LayerCost Ledger::total() const {
    LayerCost sum = shared();
    for (const LedgerLayer& layer : layers) sum = sum + layer.own;
    return sum;
}

std::int64_t Ledger::count(char letter) const {
    return std::count_if(layers.begin(), layers.end(),
                         [&](const LedgerLayer& layer) { return layer.letter == letter; });
}

void check_layers(std::string_view pattern, std::span<const Exact> capacities) {
    check_pattern(pattern);
    const auto routed = std::count(pattern.begin(), pattern.end(), 'R');
    if (routed > 0) check_capacities(capacities, static_cast<std::size_t>(routed));
    if (routed == 0 && !capacities.empty())
        throw Error("capacity: the pattern has no R layer that it could be of");
}

Ledger make_ledger(std::string_view pattern, std::span<const Exact> capacities,
                   const LedgerSizes& sizes) {
    check_layers(pattern, capacities);
    check_sizes(sizes);
    return layers_of(pattern, capacities, sizes);
}

Ledger control_of(const Ledger& ledger) {
    std::string pattern;
    for (const LedgerLayer& layer : ledger.layers) pattern += layer.letter == '*' ? '*' : 'E';
    return layers_of(pattern, {}, ledger.sizes);
}

std::int64_t above_control(const Exact& total, const Exact& control) {
    return ((total - control) * kHundredthsOfPercent / control).nearest();
}

std::int64_t address_share(const Ledger& ledger) {
    const Exact work = address_macs(ledger.sizes) * (ledger.count('S') + ledger.count('R'));
    Exact rest = work * -1;
    for (const char letter : {'S', 'E', 'R'}) rest += ledger.sum_of(letter).macs;
    return (work * kHundredthsOfPercent / rest).nearest();
}

const std::vector<LedgerPreset>& ledger_presets() {
    static const std::vector<LedgerPreset> presets = [] {
        constexpr std::string_view kControl = "*E*E*E*E*E*E*E*E*E*E";
        constexpr std::string_view kStem = "*E*S*S*E*S*S*E*S*S*E";
        constexpr std::string_view kRouted = "*R*R*R*R*R*R*R*R*R*R";
        const Exact eighth(1, 8);
        const Exact quarter(1, 4);
        const Exact more(13, 32);
        return std::vector<LedgerPreset>{
            {"circus-moe", kControl, {}},
            {"circus-stem", kStem, {}},
            {"circus-sr50", kRouted, {Exact(1, 2)}},
            {"circus-sr25", kRouted, {quarter}},
            {"circus-srpl",
             kRouted,
             {eighth, eighth, more, more, more, more, quarter, eighth, eighth, eighth}},
            {"circus-pk", kStem, {}, TableAddress::product_key}};
    }();
    return presets;
}

}  // namespace capra::model
