// What stacks consist of, by name and by pattern, and random ones.
#include "stem/random.hpp"
#include "stem_support.hpp"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

namespace capra::stem {
namespace {

using model::Exact;

TEST(Plan, knows_the_decoders_by_name) {
    EXPECT_EQ(decoder_names(),
              (std::vector<std::string_view>{
                  "dense", "top2", "stem_mult", "stem_add", "stem_dagger", "stem_gate", "hash",
                  "bigram", "split", "product_key", "routed_C50", "routed_C25", "on_chip"}));
    for (const std::string_view name : decoder_names()) {
        const Stack stack = make_stack(name, "random", 7);
        EXPECT_EQ(stack.name, name);
        EXPECT_EQ(stack.seed, 7U);
        EXPECT_EQ(stack.layers.size(), 2U);
        EXPECT_EQ(pattern_of(stack), pattern_of(make_stack(name, "structured", 7)));
    }
}

TEST(Plan, of_an_unknown_name_or_kind_is_refused_with_those_there_are) {
    expect_refused([] { make_stack("moe", "random", 1); },
                   "stem: no decoder 'moe'; there are dense, top2, stem_mult, ");
    expect_refused([] { make_stack("dense", "tiny", 1); },
                   "stem: no kind 'tiny'; there are structured, random");
    expect_refused([] { make_pattern_stack("*DX", "random", 1); }, "'X' at place 3");
    expect_refused([] { make_pattern_stack("*R", "random", 1); }, "capacity: 0 given for 1");
}

template <typename L>
L second(const Stack& stack) {
    return std::get<L>(stack.layers[1]);
}

/// Rows and columns of a matrix.
using Shape = std::pair<std::uint32_t, std::uint32_t>;
Shape shape(const Matrix& m) {
    return {m.rows, m.cols};
}

class EitherKind : public testing::TestWithParam<const char*> {
  protected:
    [[nodiscard]] static Stack stack(std::string_view decoder) {
        return make_stack(decoder, GetParam(), 1);
    }
};
INSTANTIATE_TEST_SUITE_P(Kinds, EitherKind, testing::Values("structured", "random"),
                         [](const auto& kind) { return std::string(kind.param); });

TEST_P(EitherKind, has_the_shapes_that_the_header_states) {
    const Stack dense = stack("dense");
    EXPECT_EQ(shape(dense.emb), Shape(16, 32));
    EXPECT_EQ(shape(dense.wout), Shape(32, 16));
    const auto& attention = std::get<Attention>(dense.layers[0]);
    for (const Matrix* m : {&attention.wq, &attention.wk, &attention.wv})
        EXPECT_EQ(shape(*m), Shape(32, 16));
    EXPECT_EQ(shape(attention.wo), Shape(16, 32));
    const Block block = second<DenseBlock>(dense).block;
    for (const Matrix* m : {&block.wg, &block.wu, &block.wd}) EXPECT_EQ(shape(*m), Shape(32, 32));
}

TEST_P(EitherKind, leaves_out_the_matrix_that_a_row_replaces) {
    const auto wg_and_wu = [](std::string_view decoder) {
        const Block block = second<StemBlock>(stack(decoder)).block;
        return std::pair{block.wg.values.empty(), block.wu.values.empty()};
    };
    EXPECT_EQ(wg_and_wu("stem_mult"), std::pair(false, true));
    EXPECT_EQ(wg_and_wu("stem_add"), std::pair(false, true));
    EXPECT_EQ(wg_and_wu("stem_dagger"), std::pair(false, false));
    EXPECT_EQ(wg_and_wu("stem_gate"), std::pair(true, false));
    EXPECT_EQ(second<StemBlock>(stack("stem_add")).combine, Combine::additive);
    EXPECT_EQ(second<StemBlock>(stack("bigram")).combine, Combine::multiplicative);
}

TEST_P(EitherKind, addresses_its_rows_as_its_name_says) {
    const auto table = [](std::string_view decoder) {
        return second<StemBlock>(stack(decoder)).table;
    };
    EXPECT_EQ(shape(std::get<TokenRows>(table("stem_mult")).rows), Shape(16, 32));
    EXPECT_EQ(shape(std::get<TokenRows>(table("stem_add")).rows), Shape(16, 32));
    EXPECT_EQ(shape(std::get<BigramRows>(table("bigram")).rows), Shape(272, 32));
    const auto split = std::get<TokenAndBigramRows>(table("split"));
    EXPECT_EQ(shape(split.token_rows), Shape(16, 16));
    EXPECT_EQ(shape(split.bigram_rows), Shape(272, 16));
    const auto keyed = std::get<ProductKeyRows>(table("product_key"));
    EXPECT_EQ(shape(keyed.query), Shape(32, 16));
    EXPECT_EQ(shape(keyed.keys_1), Shape(8, 8));
    EXPECT_EQ(shape(keyed.keys_2), Shape(8, 8));
    EXPECT_EQ(shape(keyed.rows), Shape(64, 32));
}

TEST_P(EitherKind, has_experts_a_router_or_a_hash_and_a_shared_one_where_its_name_says) {
    const auto top2 = second<Moe>(stack("top2"));
    EXPECT_EQ(top2.experts.size(), 4U);
    EXPECT_EQ(top2.top, 2U);
    EXPECT_EQ(shape(top2.wr), Shape(32, 4));
    EXPECT_TRUE(top2.shared.has_value());
    EXPECT_FALSE(top2.is_hash());
    const auto on_chip = second<Moe>(stack("on_chip"));
    EXPECT_EQ(on_chip.top, 1U);
    EXPECT_FALSE(on_chip.shared.has_value());
    const auto hash = second<Moe>(stack("hash"));
    EXPECT_EQ(hash.hash, token_hash());
    EXPECT_EQ(hash.top, 1U);
    EXPECT_TRUE(hash.wr.values.empty());
    EXPECT_FALSE(hash.shared.has_value());
}

TEST_P(EitherKind, routes_with_an_additive_table_a_score_and_two_experts_none_shared) {
    const auto routed = second<RoutedLayer>(stack("routed_C25"));
    EXPECT_EQ(routed.table.combine, Combine::additive);
    EXPECT_TRUE(std::holds_alternative<TokenRows>(routed.table.table));
    EXPECT_EQ(shape(routed.score), Shape(32, 1));
    EXPECT_EQ(routed.bias, 2);
    EXPECT_EQ(routed.capacity, Exact(1, 4));
    EXPECT_EQ(routed.moe.top, 2U);
    EXPECT_EQ(routed.moe.experts.size(), 4U);
    EXPECT_FALSE(routed.moe.shared.has_value());
    EXPECT_EQ(second<RoutedLayer>(stack("routed_C50")).capacity, Exact(1, 2));
}

TEST(Pattern, gives_each_routed_layer_its_capacity_and_experts_the_shared_one) {
    const std::vector<Exact> two{{1, 8}, {3, 4}};
    const Stack stack = make_pattern_stack("*RERSD", "random", 1, two);
    EXPECT_EQ(stack.name, "*RERSD");
    EXPECT_EQ(pattern_of(stack), "*RERSD");
    EXPECT_EQ(std::get<RoutedLayer>(stack.layers[1]).capacity, Exact(1, 8));
    EXPECT_EQ(std::get<RoutedLayer>(stack.layers[3]).capacity, Exact(3, 4));
    EXPECT_EQ(std::get<RoutedLayer>(stack.layers[3]).table.combine, Combine::additive);
    EXPECT_TRUE(std::get<Moe>(stack.layers[2]).shared.has_value());
    EXPECT_EQ(std::get<Moe>(stack.layers[2]).top, 2U);
    EXPECT_EQ(std::get<StemBlock>(stack.layers[4]).combine, Combine::multiplicative);
    const std::vector<Exact> one{{1, 4}};
    const Stack same = make_pattern_stack("RR", "structured", 1, one);
    for (const Layer& layer : same.layers)
        EXPECT_EQ(std::get<RoutedLayer>(layer).capacity, Exact(1, 4));
}

TEST(TokenHash, gives_every_expert_four_tokens) {
    EXPECT_EQ(token_hash(),
              (std::vector<std::uint32_t>{0, 2, 1, 0, 3, 1, 0, 3, 2, 0, 3, 2, 1, 3, 2, 1}));
}

/// A random stack's steps on a random text.
std::vector<StackStep> read_randomly(const Stack& stack) {
    auto text = calibration_text(stack);
    text.resize(64);
    return read_tokens(stack, calibrated_thresholds(stack, text), text);
}

TEST(Random, is_another_stack_with_another_seed) {
    EXPECT_EQ(make_stack("dense", "random", 1).emb, make_stack("dense", "random", 1).emb);
    EXPECT_NE(make_stack("dense", "random", 1).emb, make_stack("dense", "random", 2).emb);
}

TEST(Random, states_neither_vanish_nor_grow_over_twenty_layers) {
    const std::vector<Exact> half{{1, 2}};
    for (const char* pattern : {"*D", "*E*S*R*D", "*E*S*S*E*S*S*E*S*S*E", "*R*R*R*R*R*R*R*R*R*R"})
        for (std::uint32_t seed = 1; seed <= 3; ++seed) {
            const bool routed = std::string_view(pattern).find('R') != std::string_view::npos;
            const Stack stack =
                make_pattern_stack(pattern, "random", seed, routed ? half : std::vector<Exact>{});
            for (const StackStep& step : read_randomly(stack)) {
                double squares = 0;
                for (const double word : step.h) squares += word * word;
                const double size = std::sqrt(squares / kWidth);
                EXPECT_GT(size, 0.2) << pattern;
                EXPECT_LT(size, 3.0) << pattern;
            }
        }
}

TEST(Random, routes_reach_three_experts_of_four_and_ten_rows_of_a_product_key) {
    for (std::uint32_t seed = 1; seed <= 3; ++seed) {
        for (const char* decoder : {"top2", "on_chip", "hash", "routed_C50", "routed_C25"}) {
            std::set<std::uint32_t> used;
            for (const StackStep& step : read_randomly(make_stack(decoder, "random", seed)))
                for (const std::uint32_t e : step.layers[1].experts) used.insert(e);
            EXPECT_GE(used.size(), 3U) << decoder << ", seed " << seed;
        }
        std::set<std::uint32_t> rows;
        for (const StackStep& step : read_randomly(make_stack("product_key", "random", seed)))
            rows.insert(step.layers[1].rows.begin(), step.layers[1].rows.end());
        EXPECT_GE(rows.size(), 10U) << "seed " << seed;
    }
}

}  // namespace
}  // namespace capra::stem
