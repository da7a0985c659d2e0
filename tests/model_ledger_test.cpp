// The ledger of MACs and weights: every published figure to the digit, amounts worked by hand on
// small sizes, and the laws that a sum over layers has.
#include "model/ledger.hpp"

#include "isa/error.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace capra::model {
namespace {

using Capacities = std::vector<Exact>;

Ledger preset(const std::string& name) {
    for (const LedgerPreset& preset : ledger_presets())
        if (preset.name == name) {
            LedgerSizes sizes;
            sizes.address = preset.address;
            return make_ledger(preset.pattern, preset.capacities, sizes);
        }
    ADD_FAILURE() << name;
    return {};
}

std::string refusal(const std::string& pattern, const Capacities& capacities = {},
                    const LedgerSizes& sizes = {}) {
    try {
        make_ledger(pattern, capacities, sizes);
    } catch (const Error& error) {
        return error.what();
    }
    return "accepted";
}

std::int64_t above_moe(const std::string& name) {
    return above_control(preset(name).total().macs, preset("circus-moe").total().macs);
}

TEST(LedgerFigures, of_one_layer_of_each_kind_are_the_published_ones) {
    const LedgerSizes circus;
    EXPECT_EQ(attention_cost(circus).macs, Exact(4718592));
    EXPECT_EQ(attention_cost(circus).weights_read, Exact(2621440)) << "the projections";
    EXPECT_EQ(moe_cost(circus).macs, Exact(3170304));
    EXPECT_EQ(shared_cost(circus).macs, Exact(1572864));
    EXPECT_EQ(stem_cost(circus).macs, Exact(3145728));
    EXPECT_EQ(routed_cost(circus, {1, 2}).macs, Exact(4731904));
    EXPECT_EQ(routed_cost(circus, {1, 4}).macs, Exact(3939328));
    EXPECT_EQ(address_macs(circus), Exact(0));
}

TEST(LedgerFigures, of_the_presets_are_the_published_totals) {
    EXPECT_EQ(preset("circus-moe").total().macs, Exact(94617600));
    EXPECT_EQ(preset("circus-stem").total().macs, Exact(94470144));
    EXPECT_EQ(preset("circus-sr50").total().macs, Exact(94504960));
    EXPECT_EQ(preset("circus-sr25").total().macs, Exact(86579200));
    EXPECT_EQ(preset("circus-srpl").total().macs, Exact(86579200)) << "equal to sr25 to the bit";
    EXPECT_EQ(above_moe("circus-moe"), 0);
    EXPECT_EQ(above_moe("circus-stem"), -16);
    EXPECT_EQ(above_moe("circus-sr50"), -12);
    EXPECT_EQ(above_moe("circus-sr25"), -850);
    EXPECT_EQ(above_moe("circus-srpl"), -850);
}

TEST(LedgerFigures, of_product_keys_are_the_published_ones) {
    const Ledger keyed = preset("circus-pk");
    EXPECT_EQ(address_macs(keyed.sizes), Exact(122880));
    EXPECT_EQ(address_share(keyed), 234);
    EXPECT_EQ(keyed.total().macs, preset("circus-stem").total().macs + Exact(6 * 122880));
    // 262,144 rows, the sub-keys and the projection of the query; 16 rows are read.
    const LayerCost token = stem_cost(preset("circus-stem").sizes);
    const LayerCost key = stem_cost(keyed.sizes);
    EXPECT_EQ(key.table_bytes, Exact(std::int64_t{262144} * 1536));
    EXPECT_EQ(key.weights_stored - key.table_bytes, Exact(3145728 + 65536 + 32768));
    EXPECT_EQ(key.weights_read - token.weights_read, Exact(65536 + 32768 + 15 * 1536));
}

TEST(LedgerFigures, count_layers_of_the_published_patterns) {
    const auto counts = [](const std::string& name) {
        const Ledger ledger = preset(name);
        std::vector<std::int64_t> by_letter;
        for (const char letter : kLayerLetters) by_letter.push_back(ledger.count(letter));
        return by_letter;
    };
    EXPECT_EQ(counts("circus-moe"), (std::vector<std::int64_t>{10, 0, 10, 0, 0}));
    EXPECT_EQ(counts("circus-stem"), (std::vector<std::int64_t>{10, 6, 4, 0, 0}));
    EXPECT_EQ(counts("circus-srpl"), (std::vector<std::int64_t>{10, 0, 0, 10, 0}));
    EXPECT_EQ(preset("circus-stem").layers[3].letter, 'S');
    EXPECT_EQ(preset("circus-srpl").layers[5].capacity, Exact(13, 32));
    EXPECT_EQ(preset("circus-srpl").layers[13].capacity, Exact(1, 4));
    EXPECT_EQ(preset("circus-srpl").layers[4].capacity, std::nullopt);
}

/// A third less MACs and weights than a dense block of the same hidden width, plus one row.
TEST(LedgerFigures, a_stem_block_saves_a_third_of_a_dense_one) {
    const LedgerSizes circus;
    EXPECT_EQ(stem_cost(circus).macs * 3, dense_cost(circus).macs * 2);
    EXPECT_EQ((stem_cost(circus).weights_read - 1536) * 3, dense_cost(circus).weights_read * 2);
}

/// Every size different, so that none can stand for another.
LedgerSizes small_sizes() {
    return {.width = 2,
            .query_heads = 6,
            .kv_groups = 3,
            .head_width = 5,
            .context = 7,
            .experts = 11,
            .top = 4,
            .expert_hidden = 13,
            .shared_hidden = 17,
            .table_width = 19,
            .row_width = 23,
            .table_rows = 29,
            .dense_hidden = 31,
            .address = TableAddress::token,
            .query_width = 8,
            .sub_keys = 37,
            .key_top = 9,
            .bytes_per_weight = 10};
}

TEST(LedgerByHand, every_kind_of_layer_on_sizes_that_all_differ) {
    LedgerSizes s = small_sizes();
    EXPECT_EQ(attention_cost(s), (LayerCost{180 + 420, 180, 180, 0}));
    EXPECT_EQ(moe_cost(s), (LayerCost{22 + 312, 22 + 312, 22 + 858, 0}));
    EXPECT_EQ(shared_cost(s), (LayerCost{102, 102, 102, 0}));
    EXPECT_EQ(stem_cost(s), (LayerCost{76, 76 + 23, 76 + 667, 6670}));
    EXPECT_EQ(dense_cost(s), (LayerCost{186, 186, 186, 0}));
    EXPECT_EQ(routed_cost(s, {1, 3}),
              (LayerCost{76 + 2 + Exact(334, 3), 99 + 2 + Exact(334, 3), 743 + 2 + 880, 6670}));
    s.address = TableAddress::product_key;
    EXPECT_EQ(address_macs(s), Exact(16 + 296 + 207));
    EXPECT_EQ(stem_cost(s),
              (LayerCost{76 + 519, 76 + 16 + 296 + 207, 76 + 16 + 296 + 31487, 314870}));
}

TEST(LedgerByHand, only_s_and_e_have_a_shared_expert_and_only_r_a_capacity) {
    const LedgerSizes s = small_sizes();
    const Ledger ledger = make_ledger("*SERD", Capacities{{1, 2}}, s);
    const std::vector<LayerCost> own = {attention_cost(s), stem_cost(s), moe_cost(s),
                                        routed_cost(s, {1, 2}), dense_cost(s)};
    const std::vector<LayerCost> shared = {{}, shared_cost(s), shared_cost(s), {}, {}};
    ASSERT_EQ(ledger.layers.size(), 5U);
    for (std::size_t i = 0; i < 5; ++i) {
        EXPECT_EQ(ledger.layers[i].letter, kLayerLetters[i]);
        EXPECT_EQ(ledger.layers[i].own, own[i]) << i;
        EXPECT_EQ(ledger.layers[i].shared, shared[i]) << i;
        EXPECT_EQ(ledger.layers[i].total(), own[i] + shared[i]) << i;
        EXPECT_EQ(ledger.layers[i].capacity.has_value(), i == 3);
    }
    EXPECT_EQ(ledger.shared().macs, Exact(204));
}

TEST(LedgerByHand, capacities_belong_to_routed_layers_in_order) {
    const LedgerSizes s = small_sizes();
    const Ledger ledger = make_ledger("R*RR", Capacities{{1, 8}, 1, {13, 32}}, s);
    EXPECT_EQ(ledger.layers[0].capacity, Exact(1, 8));
    EXPECT_EQ(ledger.layers[2].capacity, Exact(1));
    EXPECT_EQ(ledger.layers[3].capacity, Exact(13, 32));
    EXPECT_EQ(ledger.sum_of('R'),
              routed_cost(s, {1, 8}) + routed_cost(s, 1) + routed_cost(s, {13, 32}));
    EXPECT_EQ(make_ledger("R*RR", Capacities{{1, 8}}, s).layers[3].capacity, Exact(1, 8));
}

TEST(LedgerControl, has_experts_at_every_place_but_attention) {
    const LedgerSizes s = small_sizes();
    const Ledger control = control_of(make_ledger("*SERD", Capacities{1}, s));
    EXPECT_EQ(control.total(), make_ledger("*EEEE", {}, s).total());
    EXPECT_EQ(control_of(preset("circus-srpl")).total().macs, Exact(94617600));
    EXPECT_EQ(above_control(3, 2), 5000);
    EXPECT_EQ(above_control(2, 3), -3333);
}

TEST(LedgerControl, the_share_of_finding_rows_is_of_stem_experts_and_routed_layers_alone) {
    LedgerSizes s = small_sizes();
    s.address = TableAddress::product_key;
    // 519 of S: 76 and E: 334; and of R: 76 + 2 + 334.
    EXPECT_EQ(address_share(make_ledger("*SED", {}, s)), 12659);
    EXPECT_EQ(address_share(make_ledger("*RSE", Capacities{1}, s)), 12628);
}

TEST(LedgerBadInput, names_the_letter_and_its_place) {
    EXPECT_EQ(refusal(""), "pattern: no letters");
    EXPECT_EQ(refusal("X"), "pattern: 'X' at place 1: expected one of * S E R D");
    EXPECT_EQ(refusal("*Ee*"), "pattern: 'e' at place 3: expected one of * S E R D");
    EXPECT_EQ(refusal("*E\n"), "pattern: '?' at place 3: expected one of * S E R D");
    EXPECT_EQ(refusal(std::string(1000, 'E')), "accepted");
    EXPECT_EQ(refusal(std::string(1001, 'E')), "pattern: 1001 letters, at most 1000");
}

TEST(LedgerBadInput, names_the_capacity_and_its_place) {
    EXPECT_EQ(refusal("RR", {}), "capacity: 0 given for 2 R layers: give one, or one for each");
    EXPECT_EQ(refusal("RR*R", {{1, 2}, {1, 2}}),
              "capacity: 2 given for 3 R layers: give one, or one for each");
    EXPECT_EQ(refusal("*E", {{1, 2}}), "capacity: the pattern has no R layer that it could be of");
    EXPECT_EQ(refusal("*E", {{1, 2}, {1, 2}}),
              "capacity: the pattern has no R layer that it could be of");
    EXPECT_EQ(refusal("RR", {1, 0}), "capacity: 0 at place 2: expected above 0 to 1");
    EXPECT_EQ(refusal("R", {{33, 32}}), "capacity: 33/32 at place 1: expected above 0 to 1");
    EXPECT_EQ(refusal("RR", {1, {1, 1000000}}), "accepted");
}

TEST(LedgerBadInput, names_the_sizes_that_do_not_fit) {
    EXPECT_EQ(refusal("*", {}, {.query_heads = 16, .kv_groups = 3}),
              "sizes: 16 query heads do not divide into 3 groups");
    EXPECT_EQ(refusal("E", {}, {.experts = 2, .top = 3}), "sizes: top 3 of 2 experts");
    EXPECT_EQ(refusal("E", {}, {.experts = 2, .top = 2}), "accepted");
    LedgerSizes keyed{.address = TableAddress::product_key, .query_width = 7};
    EXPECT_EQ(refusal("S", {}, keyed), "sizes: a query of 7 words has no halves");
    keyed = {.address = TableAddress::product_key, .sub_keys = 3, .key_top = 10};
    EXPECT_EQ(refusal("S", {}, keyed), "sizes: top 10 of 9 rows");
    keyed.key_top = 9;
    EXPECT_EQ(refusal("S", {}, keyed), "accepted");
    keyed = {.query_width = 7, .sub_keys = 1};
    EXPECT_EQ(refusal("S", {}, keyed), "accepted") << "a token's own row needs no query";
}

std::string draw_pattern() {
    return *rc::gen::nonEmpty(
        rc::gen::container<std::string>(rc::gen::elementOf(std::string(kLayerLetters))));
}

Capacities draw_capacities(const std::string& pattern) {
    Capacities capacities;
    for (const char letter : pattern)
        if (letter == 'R') capacities.emplace_back(*rc::gen::inRange<std::int64_t>(1, 33), 32);
    return capacities;
}

RC_GTEST_PROP(LedgerLaws, a_total_is_the_sum_of_its_layers_and_of_its_kinds, ()) {
    const std::string pattern = draw_pattern();
    const Ledger ledger = make_ledger(pattern, draw_capacities(pattern), small_sizes());
    LayerCost by_layer;
    for (const LedgerLayer& layer : ledger.layers) by_layer = by_layer + layer.total();
    LayerCost by_kind = ledger.shared();
    for (const char letter : kLayerLetters) by_kind = by_kind + ledger.sum_of(letter);
    RC_ASSERT(ledger.total() == by_layer);
    RC_ASSERT(ledger.total() == by_kind);
}

RC_GTEST_PROP(LedgerLaws, a_letter_more_adds_that_layer_and_order_does_not_matter, ()) {
    const std::string pattern = draw_pattern();
    const char letter = *rc::gen::elementOf(std::string("*SED"));
    const Capacities capacities = draw_capacities(pattern);
    const LedgerSizes s = small_sizes();
    const LayerCost before = make_ledger(pattern, capacities, s).total();
    const LayerCost layer = make_ledger(std::string(1, letter), {}, s).total();
    RC_ASSERT(make_ledger(pattern + letter, capacities, s).total() == before + layer);
    RC_ASSERT(make_ledger(letter + pattern, capacities, s).total() == before + layer);
}

RC_GTEST_PROP(LedgerLaws, schedules_of_one_sum_cost_the_same_to_the_bit, ()) {
    const auto c = *rc::gen::inRange<std::int64_t>(2, 32);
    const Capacities equal = {{c, 32}, {c, 32}};
    const Capacities unequal = {{c - 1, 32}, {c + 1, 32}};
    const LedgerSizes s = small_sizes();
    RC_ASSERT(make_ledger("*RR", equal, s).total() == make_ledger("*RR", unequal, s).total());
}

}  // namespace
}  // namespace capra::model
