// Editing: which rows the tokens of a span read, and what the text then says.
#include "stem/edit.hpp"

#include "stem_support.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace capra::stem {
namespace {

using model::successor;
using Tokens = std::vector<std::uint32_t>;
using Places = std::vector<std::size_t>;

TEST(Span, of_the_target_s_length_swaps_one_to_one) {
    EXPECT_EQ(swapped(3, Tokens{7, 5, 7}), (SpanRows{7, 5, 7}));
    EXPECT_EQ(swapped(1, Tokens{4}), SpanRows{4});
}

TEST(Span, longer_than_the_target_is_padded_on_the_left_unless_told_otherwise) {
    EXPECT_EQ(padded(5, Tokens{7, 5}, 16), (SpanRows{16, 16, 16, 7, 5}));
    EXPECT_EQ(padded(5, Tokens{7, 5}, 16, Side::right), (SpanRows{7, 5, 16, 16, 16}));
    EXPECT_EQ(padded(2, Tokens{7, 5}, 16), (SpanRows{7, 5}));
}

TEST(Span, longer_than_the_target_takes_equal_copies_and_repeats_the_last_to_fill) {
    EXPECT_EQ(copied(7, Tokens{7, 5}), (SpanRows{7, 7, 7, 5, 5, 5, 5}));
    EXPECT_EQ(copied(5, Tokens{1, 2, 3}), (SpanRows{1, 2, 3, 3, 3}));
    EXPECT_EQ(copied(6, Tokens{1, 2, 3}), (SpanRows{1, 1, 2, 2, 3, 3}));
    EXPECT_EQ(copied(2, Tokens{7, 5}), (SpanRows{7, 5}));
}

TEST(Span, shorter_than_the_target_takes_the_places_that_were_chosen) {
    EXPECT_EQ(subset(2, Tokens{7, 5, 9}, Places{0, 2}), (SpanRows{7, 9}));
    EXPECT_EQ(subset(2, Tokens{7, 5, 9}, Places{1, 2}), (SpanRows{5, 9}));
    EXPECT_EQ(subset(3, Tokens{7, 5, 9}, Places{0, 1, 2}), (SpanRows{7, 5, 9}));
}

TEST(Span, of_a_length_that_does_not_fit_is_refused_with_both_lengths) {
    expect_refused(
        [] {
            swapped(2, Tokens{1, 2, 3});
        },
        "swap: a source of 2 and a target of 3 tokens: expected equal lengths, at least 1");
    expect_refused([] { swapped(3, Tokens{1, 2}); }, "swap: a source of 3 and a target of 2");
    expect_refused([] { swapped(0, Tokens{}); }, "swap: a source of 0 and a target of 0");
    expect_refused([] { padded(1, Tokens{1, 2}, 0); }, "pad: a source of 1 and a target of 2");
    expect_refused([] { padded(1, Tokens{}, 0); },
                   "expected a target that is not longer, both at least 1");
    expect_refused([] { copied(1, Tokens{1, 2}); }, "copy: a source of 1 and a target of 2");
    expect_refused([] { copied(2, Tokens{}); },
                   "expected a target that is not longer, both at least 1");
    expect_refused(
        [] {
            subset(3, Tokens{1, 2}, Places{0, 1, 2});
        },
        "subset: a source of 3 and a target of 2 tokens: expected a target that is not "
        "shorter, both at least 1");
    expect_refused([] { subset(0, Tokens{1}, Places{}); }, "subset: a source of 0");
}

TEST(Span, is_given_as_many_places_as_it_has_tokens_and_each_above_the_one_before) {
    const Tokens target{7, 5, 9};
    expect_refused([&] { subset(2, target, Places{0}); },
                   "subset: a source of 2 tokens: expected as many places, not 1");
    expect_refused(
        [&] {
            subset(2, target, Places{1, 3});
        },
        "subset: place 3: expected rising places in 0..2");
    expect_refused([&] { subset(2, target, Places{1, 1}); }, "subset: place 1");
    expect_refused([&] { subset(2, target, Places{2, 0}); }, "subset: place 0");
}

const Matrix& rows_of(const Stack& stack, std::size_t layer) {
    return std::get<TokenRows>(*table_of(stack.layers[layer])).rows;
}

TEST(MeanRow, is_appended_to_every_table_of_token_rows) {
    const std::vector<model::Exact> half{{1, 2}};
    Stack stack = make_pattern_stack("*SDR", "random", 1, half);
    EXPECT_EQ(append_mean_row(stack, Tokens{3, 5, 5, 8}), 16U);
    EXPECT_EQ(append_mean_row(stack, Tokens{2}), 17U);
    for (const std::size_t layer : {1U, 3U}) {
        const Matrix& rows = rows_of(stack, layer);
        ASSERT_EQ(rows.rows, 18U);
        for (std::uint32_t d = 0; d < rows.cols; ++d) {
            EXPECT_DOUBLE_EQ(rows.at(16, d),
                             (rows.at(3, d) + 2 * rows.at(5, d) + rows.at(8, d)) / 4);
            EXPECT_EQ(rows.at(17, d), rows.at(2, d));
        }
    }
}

TEST(MeanRow, of_no_token_or_one_outside_the_vocabulary_or_without_a_table_is_refused) {
    Stack stack = make_stack("stem_add", "random", 1);
    expect_refused([&] { append_mean_row(stack, Tokens{}); },
                   "mean: a target of 0 tokens: expected at least 1");
    expect_refused(
        [&] {
            append_mean_row(stack, Tokens{15, 16});
        },
        "mean: token 16 is outside 0..15");
    EXPECT_EQ(rows_of(stack, kFeedForward).rows, 16U) << "the stack is as it was";
    for (const char* decoder : {"dense", "bigram", "split", "product_key"}) {
        Stack other = make_stack(decoder, "random", 1);
        expect_refused([&] { append_mean_row(other, Tokens{1}); },
                       fmt::format("edit: the stack '{}' has no table of token rows", decoder));
        expect_refused([&] { append_silent_row(other); }, "has no table of token rows");
        EXPECT_TRUE(row_forced(other, 1).empty());
    }
}

TEST(SilentRow, is_of_zeros_and_lets_a_token_predict_itself) {
    Stack stack = make_stack("stem_mult", "structured", 1);
    EXPECT_EQ(append_silent_row(stack), 16U);
    const Matrix& rows = rows_of(stack, kFeedForward);
    for (std::uint32_t d = 0; d < rows.cols; ++d) EXPECT_EQ(rows.at(16, d), 0);
    EXPECT_EQ(FloatStack(stack).step(3, row_forced(stack, 16)).prediction, 3U);
}

TEST(RowForced, names_every_layer_with_a_table_of_token_rows) {
    const std::vector<model::Exact> half{{1, 2}};
    const Stack stack = make_pattern_stack("S*DR", "random", 1, half);
    const Overrides overrides = row_forced(stack, 9);
    ASSERT_EQ(overrides.size(), 2U);
    EXPECT_EQ(overrides.at(0).rows, SpanRows{9});
    EXPECT_EQ(overrides.at(3).rows, SpanRows{9});
}

TEST(EditedText, says_after_each_edited_token_what_its_row_knows_and_else_what_it_said) {
    for (const char* decoder : {"stem_mult", "stem_add", "stem_dagger", "stem_gate"}) {
        const Model model(decoder, "structured", 1);
        const Tokens text{4, 4, 9, 1, 15, 0};
        const SpanRows rows{7, 2, 15};
        const auto plain = read_tokens(model.stack, model.thresholds, text);
        const auto edited = read_edited(model.stack, model.thresholds, text, 2, rows);
        ASSERT_EQ(edited.size(), text.size());
        for (std::size_t i = 0; i < text.size(); ++i) {
            const bool inside = i >= 2 && i < 5;
            EXPECT_EQ(edited[i].input, text[i]);
            EXPECT_EQ(edited[i].prediction, successor(inside ? rows[i - 2] : text[i])) << i;
            // Tables stand above the only attention: nothing carries the edit on.
            if (!inside) {
                EXPECT_EQ(edited[i].logits, plain[i].logits);
            }
        }
    }
}

TEST(EditedText, changes_later_tokens_a_little_where_attention_stands_above_a_table) {
    const Model model(make_pattern_stack("*S*S", "structured", 1));
    const Tokens text{0, 3, 2, 13, 4};
    const auto plain = read_tokens(model.stack, model.thresholds, text);
    const auto edited = read_edited(model.stack, model.thresholds, text, 1, {8});
    EXPECT_EQ(edited[0].logits, plain[0].logits);
    for (std::size_t i = 2; i < text.size(); ++i) {
        EXPECT_NE(edited[i].logits, plain[i].logits);
        EXPECT_EQ(edited[i].prediction, successor(text[i]));
    }
}

TEST(EditedText, by_a_mean_row_names_the_successors_of_all_its_target) {
    Stack stack = make_stack("stem_add", "structured", 1);
    const std::uint32_t mean = append_mean_row(stack, Tokens{6, 9});
    const auto steps = read_edited(stack, {}, Tokens{0, 3}, 0, {mean, mean});
    for (const StackStep& step : steps) {
        const auto best = model::top_experts(step.logits, 2);
        EXPECT_EQ(std::minmax({best[0], best[1]}), std::minmax({successor(6), successor(9)}));
    }
}

TEST(EditedText, refuses_a_span_that_ends_after_it) {
    const Stack stack = make_stack("stem_add", "random", 1);
    const Tokens text{1, 2, 3};
    EXPECT_EQ(read_edited(stack, {}, text, 1, {4, 5}).size(), 3U);
    EXPECT_EQ(read_edited(stack, {}, text, 3, {}).size(), 3U);
    expect_refused(
        [&] {
            read_edited(stack, {}, text, 2, {4, 5});
        },
        "edit: 2 tokens from place 2: the text has 3");
    expect_refused([&] { read_edited(stack, {}, text, 4, {}); }, "from place 4");
}

}  // namespace
}  // namespace capra::stem
