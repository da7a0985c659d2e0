// The reference decoder: attention, dense blocks and tables, worked out by hand; runs.
#include "stem_by_hand.hpp"
#include "stem_support.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace capra::stem {
namespace {

TEST(FloatStack, dense_block_adds_to_the_state_the_product_of_a_gate_and_what_it_lets_through) {
    const Stack stack = stack_of(DenseBlock{unit_block(2, 3, 5, 0.5)});
    const StackStep step = FloatStack(stack).step(7);
    EXPECT_DOUBLE_EQ(step.h[5], silu(2) * 21 * 0.5);
    EXPECT_EQ(step.h[0], 1);
    EXPECT_EQ(step.h[1], 7);
    EXPECT_EQ(step.h[31], -1);
    ASSERT_EQ(step.layers.size(), 1U);
    EXPECT_EQ(step.layers[0].h[5], 0) << "the state before the layer";
    EXPECT_EQ(step.logits[5], step.h[5]);
    EXPECT_EQ(step.prediction, 5U);
    EXPECT_EQ(step.input, 7U);
}

TEST(FloatStack, predicts_the_first_of_equal_logits) {
    const Stack stack = stack_of(DenseBlock{unit_block(0, 0, 5)});
    EXPECT_EQ(FloatStack(stack).step(1).prediction, 0U);
}

TEST(FloatStack, attention_weighs_the_values_of_all_tokens_so_far) {
    // Query 1 and 2 in the first and the last word of the head, where the keys are the token, as is
    // the value in word 3.
    const Attention attention{.wq = sparse(kWidth, kHeadWidth, {{0, 0, 1}, {0, 15, 2}}),
                              .wk = sparse(kWidth, kHeadWidth, {{1, 0, 1}, {1, 15, 1}}),
                              .wv = sparse(kWidth, kHeadWidth, {{1, 3, 1}}),
                              .wo = sparse(kHeadWidth, kWidth, {{3, 9, 10}})};
    const Stack stack = stack_of(attention);
    FloatStack decoder(stack);
    EXPECT_DOUBLE_EQ(decoder.step(2).h[9], 20) << "itself alone";
    const double first = std::exp(3 * 2 / 4.0);
    const double second = std::exp(3 * 5 / 4.0);
    EXPECT_DOUBLE_EQ(decoder.step(5).h[9], 10 * (2 * first + 5 * second) / (first + second));
    const double third = std::exp(3 * 1 / 4.0);
    EXPECT_DOUBLE_EQ(decoder.step(1).h[9],
                     10 * (2 * first + 5 * second + third) / (first + second + third));
}

TEST(FloatStack, attention_layers_remember_each_their_own) {
    const Attention first{.wq = zeros(kWidth, kHeadWidth),
                          .wk = zeros(kWidth, kHeadWidth),
                          .wv = sparse(kWidth, kHeadWidth, {{1, 0, 1}}),
                          .wo = sparse(kHeadWidth, kWidth, {{0, 2, 1}})};
    Attention second = first;
    second.wv = sparse(kWidth, kHeadWidth, {{2, 0, 1}});
    second.wo = sparse(kHeadWidth, kWidth, {{0, 3, 1}});
    Stack stack = stack_of(first);
    stack.layers.emplace_back(second);
    FloatStack decoder(stack);
    decoder.step(4);
    const StackStep step = decoder.step(8);
    EXPECT_EQ(step.h[2], 6) << "the mean of 4 and 8";
    EXPECT_EQ(step.h[3], 5) << "the mean of 4 and 6";
}

TEST(FloatStack, each_combination_with_a_row_is_its_formula) {
    const auto word = [](Combine combine) {
        const Stack stack = stack_of(table_block(combine));
        const StackStep step = FloatStack(stack).step(4);
        EXPECT_EQ(step.layers[0].rows, Rows{4});
        return step.h[5];
    };
    EXPECT_DOUBLE_EQ(word(Combine::multiplicative), silu(2) * 5);
    EXPECT_DOUBLE_EQ(word(Combine::dagger), silu(2) * (12 + 5));
    EXPECT_DOUBLE_EQ(word(Combine::gate), silu(5) * 12);
}

TEST(FloatStack, an_additive_row_is_added_word_by_word) {
    StemBlock layer = table_block(Combine::additive);
    layer.table = TokenRows{sparse(kVocabulary, kWidth, {{4, 5, 7}, {4, 6, -1}})};
    const Stack stack = stack_of(layer);
    const StackStep step = FloatStack(stack).step(4);
    EXPECT_DOUBLE_EQ(step.h[5], silu(2) + 7);
    EXPECT_EQ(step.h[6], -1);
}

TEST(FloatStack, bigram_rows_are_those_of_the_last_token_read_and_this_one) {
    StemBlock layer = table_block(Combine::multiplicative);
    Matrix rows = zeros(272, 1);
    for (std::uint32_t slot = 0; slot < 272; ++slot) rows.at(slot, 0) = slot;
    layer.table = BigramRows{rows};
    const Stack stack = stack_of(layer);
    FloatStack decoder(stack);
    EXPECT_EQ(decoder.step(3).layers[0].rows, Rows{16 * 16 + 3});
    EXPECT_EQ(decoder.step(9).layers[0].rows, Rows{3 * 16 + 9});
    const StackStep step = decoder.step(9);
    EXPECT_EQ(step.layers[0].rows, Rows{9 * 16 + 9});
    EXPECT_DOUBLE_EQ(step.h[5], silu(2) * 153);
    layer.table = BigramRows{zeros(50, 1)};
    const Stack hashed = stack_of(layer);
    EXPECT_EQ(FloatStack(hashed).step(3).layers[0].rows, Rows{259 % 50});
}

TEST(FloatStack, a_split_row_is_the_token_s_words_and_then_the_pair_s) {
    StemBlock layer{.table = TokenAndBigramRows{sparse(kVocabulary, 1, {{3, 0, 2}, {4, 0, 8}}),
                                                sparse(272, 1, {{259, 0, 5}, {17, 0, 9}})}};
    layer.block = {.wg = sparse(kWidth, 2, {{0, 0, 1}, {0, 1, 1}}),
                   .wd = sparse(2, kWidth, {{0, 5, 1}, {1, 6, 1}})};
    const Stack stack = stack_of(layer);
    const StackStep own = FloatStack(stack).step(3);
    EXPECT_EQ(own.layers[0].rows, (Rows{3, 259}));
    EXPECT_DOUBLE_EQ(own.h[5], silu(1) * 2);
    EXPECT_DOUBLE_EQ(own.h[6], silu(1) * 5);
    const StackStep forced = FloatStack(stack).step(3, {{0, {.rows = {4, 17}}}});
    EXPECT_EQ(forced.layers[0].rows, (Rows{4, 17}));
    EXPECT_DOUBLE_EQ(forced.h[5], silu(1) * 8);
    EXPECT_DOUBLE_EQ(forced.h[6], silu(1) * 9);
}

/// Three sub-keys in either set, scored by one word of the query each.
StemBlock keyed(const Vector& scores_1, const Vector& scores_2) {
    ProductKeyRows table{.query = sparse(kWidth, 2, {{0, 0, 1}, {0, 1, 1}}),
                         .keys_1 = {1, 3, scores_1},
                         .keys_2 = {1, 3, scores_2},
                         .rows = zeros(9, 1)};
    for (std::uint32_t row = 0; row < 9; ++row) table.rows.at(row, 0) = row * row;
    return {.block = unit_block(2, 0, 5), .table = table};
}

TEST(FloatStack, product_keys_weigh_the_rows_of_the_pairs_with_the_highest_sums) {
    const Stack stack = stack_of(keyed({1, 3, 2.5}, {0.5, -4, 2}));
    const StackStep step = FloatStack(stack).step(0);
    // Sums 5 (1, 2), 4.5 (2, 2), 3.5 (1, 0), 3 (2, 0).
    EXPECT_EQ(step.layers[0].rows, (Rows{5, 8}));
    const double best = 1 / (1 + std::exp(-0.5));
    ASSERT_EQ(step.layers[0].row_weights.size(), 2U);
    EXPECT_DOUBLE_EQ(step.layers[0].row_weights[0], best);
    EXPECT_DOUBLE_EQ(step.h[5], silu(2) * (best * 25 + (1 - best) * 64));
    const StackStep swapped = FloatStack(stack).step(0, {{0, {.rows = {8, 5}}}});
    EXPECT_EQ(swapped.layers[0].rows, (Rows{8, 5}));
    EXPECT_EQ(swapped.layers[0].row_weights, step.layers[0].row_weights);
    EXPECT_DOUBLE_EQ(swapped.h[5], silu(2) * (best * 64 + (1 - best) * 25));
}

TEST(FloatStack, of_equal_sums_the_pair_of_the_better_first_sub_key_comes_first) {
    const Stack stack = stack_of(keyed({3, 2, 0}, {0, 2, 1}));
    EXPECT_EQ(FloatStack(stack).step(0).layers[0].rows, (Rows{1, 2})) << "5; 4 (0, 2), 4 (1, 1)";
}

TEST(FloatStack, runs_read_tokens_in_turn_or_each_its_own_prediction) {
    const Model model("bigram", "structured", 2);
    FloatStack decoder = model.decoder();
    const auto run = decode_greedily(model.stack, model.thresholds, 6, 3);
    const auto read = read_tokens(model.stack, model.thresholds, Rows{6, 1, 4});
    ASSERT_EQ(run.size(), 3U);
    ASSERT_EQ(read.size(), 3U);
    EXPECT_EQ(run[0].input, 6U);
    EXPECT_EQ(run[0].logits, decoder.step(6).logits);
    EXPECT_EQ(run[1].input, run[0].prediction);
    EXPECT_EQ(run[1].logits, decoder.step(run[0].prediction).logits);
    EXPECT_EQ(run[2].input, run[1].prediction);
    EXPECT_EQ(read[0].logits, run[0].logits);
    EXPECT_EQ(read[1].input, 1U);
    EXPECT_EQ(read[2].layers[kFeedForward].rows, Rows{16 + 4});
    EXPECT_TRUE(decode_greedily(model.stack, model.thresholds, 6, 0).empty());
}

TEST(FloatStack, a_refused_step_reads_nothing) {
    const Model model("bigram", "structured", 2);
    FloatStack decoder = model.decoder();
    FloatStack untouched = model.decoder();
    expect_refused([&] { decoder.step(16); }, "stem: token 16 is outside 0..15");
    expect_refused([&] { decoder.step(3, {{1, {.rows = {272}}}}); }, "row 272");
    EXPECT_EQ(decoder.step(15).logits, untouched.step(15).logits);
}

}  // namespace
}  // namespace capra::stem
