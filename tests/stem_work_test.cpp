// What programs multiply and read, against figures worked out by hand.
#include "isa/error.hpp"
#include "stem/programs.hpp"
#include "stem/work.hpp"
#include "stem_support.hpp"

#include <gtest/gtest.h>

namespace capra::stem {
namespace {

constexpr std::uint64_t kMatrix = 32 * 32;  // of a block

/// The work of the feed-forward layer over a chain of programs with context 2.
Work feed_forward(std::string_view decoder, const std::vector<std::uint32_t>& choices,
                  StackOptions options = {}) {
    const auto programs =
        compile_stack(make_stack(decoder, "random", 1), 2, isa::reference_target(), options);
    const StepPlan plan(programs.stack, options.dispatch);
    Work sum = layer_work(programs.program(plan.segment(0, 0, plan.hashed(0), 2)).program, 1);
    for (std::uint32_t start = 1; start <= choices.size(); ++start)
        sum += layer_work(
            programs.program(plan.segment(start, choices[start - 1], {0, 0}, 2)).program, 1);
    return sum;
}

TEST(LayerWork, of_blocks_and_tables_is_their_matrices_and_a_row) {
    EXPECT_EQ(feed_forward("dense", {}), (Work{3 * kMatrix, 3 * kMatrix}));
    for (const auto* stem : {"stem_mult", "stem_add", "stem_gate", "bigram", "split"})
        EXPECT_EQ(feed_forward(stem, {}), (Work{2 * kMatrix, 2 * kMatrix + 32})) << stem;
    EXPECT_EQ(feed_forward("stem_dagger", {}), (Work{3 * kMatrix, 3 * kMatrix + 32}));
}

TEST(LayerWork, of_experts_is_the_router_and_those_that_ran) {
    EXPECT_EQ(feed_forward("on_chip", {2}), (Work{3 * kMatrix + 128, 3 * kMatrix + 128}));
    EXPECT_EQ(feed_forward("on_chip", {}, {.dispatch = Dispatch::on_chip}),
              (Work{3 * kMatrix + 128, 3 * kMatrix + 128}));
    EXPECT_EQ(feed_forward("hash", {}), (Work{3 * kMatrix, 3 * kMatrix}));
    EXPECT_EQ(feed_forward("top2", {2, 0}), (Work{9 * kMatrix + 128, 9 * kMatrix + 128}));
    EXPECT_EQ(feed_forward("top2", {}, {.dispatch = Dispatch::on_chip}),
              (Work{9 * kMatrix + 128, 9 * kMatrix + 128}));
}

TEST(LayerWork, of_a_product_key_leaves_out_the_matrices_that_only_select) {
    // Query 32 x 16, two sets of 8 sub-keys of 8 words, two rows of 32 words.
    const std::uint64_t keys = 32 * 16 + 2 * 8 * 8 + 2 * 32;
    EXPECT_EQ(feed_forward("product_key", {0}), (Work{2 * kMatrix + keys, 2 * kMatrix + keys}));
}

TEST(LayerWork, of_a_routed_layer_is_its_table_its_score_the_router_and_who_is_admitted) {
    const std::uint64_t always = 2 * kMatrix + 32 + 128;
    EXPECT_EQ(feed_forward("routed_C50", {kSkip}), (Work{always, always + 32}));
    EXPECT_EQ(feed_forward("routed_C50", {1, 3}),
              (Work{always + 6 * kMatrix, always + 32 + 6 * kMatrix}));
}

TEST(LayerWork, of_attention_grows_with_the_context) {
    const auto programs = compile_stack(make_stack("dense", "random", 1), 3);
    for (const std::uint32_t context : {1U, 3U})
        EXPECT_EQ(layer_work(programs.program({.context = context}).program, 0),
                  (Work{4 * 32 * 16 + 2 * 16 * context, 4 * 32 * 16}));
}

TEST(LayerWork, of_layer_1_is_not_that_of_layer_10) {
    const auto programs = compile_stack(make_pattern_stack("DSDDDDDDDDD", "random", 1), 1);
    const auto& program = programs.program({}).program;
    EXPECT_EQ(layer_work(program, 1), (Work{2 * kMatrix, 2 * kMatrix + 32}));
    EXPECT_EQ(layer_work(program, 10), (Work{3 * kMatrix, 3 * kMatrix}));
    EXPECT_EQ(layer_work(program, 11), Work{});
}

TEST(LayerWork, is_told_by_the_notes_of_a_program) {
    const auto programs = compile_stack(make_stack("dense", "random", 1), 1);
    isa::Program unknown = programs.program({.context = 1}).program;
    unknown.notes.reset();
    try {
        layer_work(unknown, 1);
        FAIL();
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "program step_T1: it has no notes");
    }
}

TEST(ExpectedWork, is_what_the_ledger_says_completed_where_the_family_differs) {
    const auto layer = [](std::string_view decoder) {
        return make_stack(decoder, "random", 1).layers[1];
    };
    EXPECT_EQ(expected_work(make_stack("dense", "random", 1).layers[0], 5, false),
              (Work{2048 + 160, 2048}));
    EXPECT_EQ(expected_work(layer("dense"), 5, false), (Work{3 * kMatrix, 3 * kMatrix}));
    EXPECT_EQ(expected_work(layer("hash"), 5, false), (Work{3 * kMatrix, 3 * kMatrix}));
    EXPECT_EQ(expected_work(layer("top2"), 5, false), (Work{9 * kMatrix + 128, 9 * kMatrix + 128}));
    EXPECT_EQ(expected_work(layer("split"), 5, false), (Work{2 * kMatrix, 2 * kMatrix + 32}));
    EXPECT_EQ(expected_work(layer("stem_dagger"), 5, false), (Work{3 * kMatrix, 3 * kMatrix + 32}));
    EXPECT_EQ(expected_work(layer("routed_C50"), 5, false),
              (Work{2 * kMatrix + 160, 2 * kMatrix + 192}));
    EXPECT_EQ(expected_work(layer("routed_C50"), 5, true),
              (Work{8 * kMatrix + 160, 8 * kMatrix + 192}));
}

TEST(LedgerSizes, are_those_of_the_layer) {
    const auto sizes = [](std::string_view decoder) {
        return ledger_sizes(make_stack(decoder, "random", 1).layers[1], 7);
    };
    EXPECT_EQ(sizes("dense").width, 32);
    EXPECT_EQ(sizes("dense").context, 7);
    EXPECT_EQ(sizes("top2").shared_hidden, 32);
    EXPECT_EQ(sizes("on_chip").shared_hidden, 0);
    EXPECT_EQ(sizes("on_chip").top, 1);
    EXPECT_EQ(sizes("stem_mult").table_rows, 16);
    EXPECT_EQ(sizes("bigram").table_rows, 272);
    for (const auto* table : {"stem_mult", "stem_add", "bigram", "product_key"})
        EXPECT_EQ(sizes(table).row_width, 32) << table;
    EXPECT_EQ(sizes("product_key").query_width, 16);
    EXPECT_EQ(sizes("product_key").address, model::TableAddress::product_key);
    EXPECT_EQ(sizes("split").table_rows, 16);
    EXPECT_EQ(sizes("split").row_width, 32);
    EXPECT_EQ(sizes("product_key").key_top, 2);
    EXPECT_EQ(sizes("product_key").sub_keys, 8);
}

TEST(WeightsStored, are_all_weights_but_the_embedding) {
    const std::uint64_t around = 4 * 32 * 16 + 32 * 16;
    const auto stored = [&](std::string_view decoder) {
        return weights_stored(make_stack(decoder, "random", 1)) - around;
    };
    EXPECT_EQ(stored("dense"), 3 * kMatrix);
    EXPECT_EQ(stored("stem_mult"), 2 * kMatrix + 16 * 32);
    EXPECT_EQ(stored("bigram"), 2 * kMatrix + 272 * 32);
    EXPECT_EQ(stored("split"), 2 * kMatrix + 16 * 16 + 272 * 16);
    EXPECT_EQ(stored("product_key"), 2 * kMatrix + 512 + 128 + 64 * 32);
    EXPECT_EQ(stored("hash"), 12 * kMatrix);
    EXPECT_EQ(stored("top2"), 15 * kMatrix + 128);
    EXPECT_EQ(stored("routed_C50"), 14 * kMatrix + 16 * 32 + 32 + 128);
}

}  // namespace
}  // namespace capra::stem
