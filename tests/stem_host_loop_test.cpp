// What the host gives programs, and what it decides, with programs that are made up.
#include "isa/error.hpp"
#include "stem/host_loop.hpp"
#include "stem_support.hpp"

#include <string>

#include <gtest/gtest.h>

namespace capra::stem {
namespace {

Matrix row(Vector values) {
    return {1, static_cast<std::uint32_t>(values.size()), std::move(values)};
}

/// Stores the same whatever runs, and remembers what it was given.
struct Script {
    Values stored{};
    std::vector<Segment> segments{};
    std::vector<Values> given{};

    Execute execute() {
        return [this](const Segment& segment, const TokenWalk& walk) {
            segments.push_back(segment);
            given.push_back(walk.values);
            return stored;
        };
    }
};

/// What ends any step: token 9.
Values prediction() {
    return {{"token", row({9})}, {"logits", row({0.5, 1})}};
}

Values with(Values values, Values more) {
    values.merge(more);
    return values;
}

bool nobody(std::size_t, double) {
    ADD_FAILURE() << "no routed layer";
    return false;
}

TEST(HostLoop, gives_the_embedding_and_reads_the_prediction) {
    const Stack stack = make_stack("dense", "random", 1);
    Script script{.stored = prediction()};
    HostLoop loop(stack, Dispatch::host, script.execute());
    const StackStep step = loop.step(5, nobody);
    EXPECT_EQ(step.input, 5U);
    EXPECT_EQ(step.prediction, 9U);
    EXPECT_EQ(step.logits, (Vector{0.5, 1}));
    ASSERT_EQ(step.layers.size(), 2U);
    EXPECT_TRUE(step.layers[1].experts.empty());
    EXPECT_TRUE(step.layers[1].rows.empty());
    const Matrix& x = script.given[0].at("x");
    ASSERT_EQ(x.cols, kWidth);
    for (std::uint32_t i = 0; i < kWidth; ++i) EXPECT_EQ(x.at(0, i), stack.emb.at(5, i));
}

TEST(HostLoop, refuses_a_token_beyond_the_vocabulary) {
    const Stack stack = make_stack("dense", "random", 1);
    Script script{.stored = prediction()};
    HostLoop loop(stack, Dispatch::host, script.execute());
    EXPECT_NO_THROW(loop.step(15, nobody));
    try {
        loop.begin(16);
        FAIL();
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "stem: token 16 of a vocabulary of 16");
    }
}

TEST(HostLoop, gives_later_tokens_the_keys_and_values_of_earlier_ones) {
    const Stack stack = make_stack("dense", "random", 1);
    Script script;
    HostLoop loop(stack, Dispatch::host, script.execute());
    for (const double t : {1.0, 2.0, 3.0}) {
        script.stored = with(prediction(), {{"l0_k", row(Vector(kHeadWidth, t))},
                                            {"l0_v", row(Vector(kHeadWidth, -t))}});
        loop.step(0, nobody);
    }
    EXPECT_EQ(script.segments[2].context, 3U);
    EXPECT_FALSE(script.given[0].contains("l0_k_cache"));
    const Matrix& keys = script.given[2].at("l0_k_cache");
    EXPECT_EQ(keys.rows, 2U);
    EXPECT_EQ(keys.at(0, 15), 1);
    EXPECT_EQ(keys.at(1, 0), 2);
    EXPECT_EQ(script.given[2].at("l0_v_cache").at(1, 0), -2);
}

/// The rows that three tokens are given.
std::vector<Experts> rows_read(std::string_view decoder, const std::vector<std::uint32_t>& tokens) {
    const Stack stack = make_stack(decoder, "random", 1);
    Script script{.stored = prediction()};
    HostLoop loop(stack, Dispatch::host, script.execute());
    std::vector<Experts> result;
    for (const std::uint32_t token : tokens)
        result.push_back(loop.step(token, nobody).layers[1].rows);
    return result;
}

TEST(HostLoop, addresses_rows_by_the_token_by_the_pair_or_by_both) {
    using Rows = std::vector<Experts>;
    EXPECT_EQ(rows_read("stem_mult", {3, 7}), (Rows{{3}, {7}}));
    EXPECT_EQ(rows_read("bigram", {3, 7, 7}), (Rows{{259}, {55}, {119}}));
    EXPECT_EQ(rows_read("split", {3, 7}), (Rows{{3, 259}, {7, 55}}));
}

TEST(HostLoop, gives_each_row_as_an_index_of_its_own) {
    const Stack stack = make_stack("split", "random", 1);
    Script script{.stored = prediction()};
    HostLoop loop(stack, Dispatch::host, script.execute());
    loop.step(3, nobody);
    EXPECT_EQ(script.given[0].at("l1_row0"), row({3}));
    EXPECT_EQ(script.given[0].at("l1_row1"), row({259}));
}

TEST(HostLoop, finds_the_rows_of_the_best_pairs) {
    Stack stack = make_stack("product_key", "random", 1);
    auto& table = std::get<ProductKeyRows>(std::get<StemBlock>(stack.layers[1]).table);
    ASSERT_EQ(table.keys_2.cols, 8U);
    // A pair's row counts in the second set, whatever the size of the first.
    table.keys_1 = {table.keys_1.rows, 9, Vector(std::size_t{table.keys_1.rows} * 9)};
    table.top = 3;
    Script script{.stored = with(prediction(), {{"l1_first", row({4, 2, 7})},
                                                {"l1_second", row({1, 6, 0})},
                                                {"l1_pairs", row({5, 0, 7})}})};
    HostLoop loop(stack, Dispatch::host, script.execute());
    const StackStep step = loop.step(3, nobody);
    EXPECT_EQ(step.layers[1].rows, (Experts{2 * 8 + 0, 4 * 8 + 1, 7 * 8 + 6}));
    ASSERT_EQ(script.segments.size(), 2U);
    EXPECT_EQ(script.segments[1], (Segment{.start = 1}));
    EXPECT_FALSE(script.given[0].contains("l1_row0"));
    EXPECT_EQ(script.given[1].at("l1_row2"), row({62}));
}

TEST(HostLoop, starts_the_experts_that_the_chip_names_best_first) {
    const Stack stack = make_stack("top2", "random", 1);
    Script script{.stored = with(prediction(),
                                 {{"l1_experts", row({3, 1})}, {"l1_gates", row({0.75, 0.25})}})};
    HostLoop loop(stack, Dispatch::host, script.execute());
    const StackStep step = loop.step(3, nobody);
    EXPECT_EQ(step.layers[1].experts, (Experts{3, 1}));
    EXPECT_EQ(step.layers[1].gates, (Vector{0.75, 0.25}));
    EXPECT_EQ(script.segments,
              (std::vector<Segment>{
                  {.context = 1}, {.start = 1, .choice = 3}, {.start = 2, .choice = 1}}));
}

TEST(HostLoop, reads_the_choice_of_a_chip_that_dispatches_itself) {
    const Stack stack = make_stack("top2", "random", 1);
    Script script{.stored = with(prediction(), {{"l1_experts", row({3, 1})}})};
    HostLoop loop(stack, Dispatch::on_chip, script.execute());
    const StackStep step = loop.step(3, nobody);
    EXPECT_EQ(step.layers[1].experts, (Experts{3, 1}));
    EXPECT_EQ(script.segments.size(), 1U);
}

Values routed_values() {
    return with(
        prediction(),
        {{"l1_experts", row({3, 1})}, {"l1_gates", row({0.75, 0.25})}, {"l1_score", row({-0.5})}});
}

TEST(HostLoop, asks_who_is_admitted_and_skips_the_experts_of_the_others) {
    const Stack stack = make_stack("routed_C50", "random", 1);
    for (const bool admitted : {false, true}) {
        Script script{.stored = routed_values()};
        HostLoop loop(stack, Dispatch::host, script.execute());
        const StackStep step = loop.step(3, [&](std::size_t routed, double score) {
            EXPECT_EQ(routed, 0U);
            EXPECT_EQ(score, -0.5);
            return admitted;
        });
        EXPECT_EQ(step.layers[1].score, -0.5);
        EXPECT_EQ(step.layers[1].admitted, admitted);
        EXPECT_EQ(step.layers[1].experts, admitted ? (Experts{3, 1}) : Experts{});
        EXPECT_EQ(step.layers[1].gates.empty(), !admitted);
        EXPECT_EQ(script.segments[1].choice, admitted ? 3 : kSkip);
        EXPECT_EQ(script.segments.size(), admitted ? 3U : 2U);
    }
}

TEST(HostLoop, numbers_the_routed_layers_of_a_stack) {
    const Stack stack = make_pattern_stack("*R*R", "random", 1, std::vector{model::Exact(1, 2)});
    Script script{.stored = with(routed_values(), {{"l3_score", row({2})}})};
    HostLoop loop(stack, Dispatch::host, script.execute());
    std::vector<double> scores;
    loop.step(3, [&](std::size_t routed, double score) {
        EXPECT_EQ(routed, scores.size());
        scores.push_back(score);
        return false;
    });
    EXPECT_EQ(scores, (Vector{-0.5, 2}));
}

TEST(Hooks, change_the_expert_of_one_place_at_one_token) {
    const Stack stack = make_stack("top2", "random", 1);
    Script script{.stored = with(prediction(), {{"l1_experts", row({3, 1})}})};
    Hooks hooks;
    hooks.expert = [](const Decision& decision, std::uint32_t expert) {
        EXPECT_EQ(decision.layer, 1U);
        return decision.position == 1 && decision.rank == 1 ? expert + 1 : expert;
    };
    HostLoop loop(stack, Dispatch::host, script.execute(), hooks);
    EXPECT_EQ(loop.step(3, nobody).layers[1].experts, (Experts{3, 1}));
    EXPECT_EQ(loop.step(3, nobody).layers[1].experts, (Experts{3, 2}));
    EXPECT_EQ(script.segments.back().choice, 2U);
}

TEST(Hooks, change_the_expert_of_a_hash_layer) {
    const Stack stack = make_stack("hash", "random", 1);
    Script script{.stored = prediction()};
    Hooks hooks;
    hooks.expert = [](const Decision& decision, std::uint32_t expert) {
        EXPECT_EQ(decision.layer, 1U);
        return decision.position == 1 ? (expert + 1) % 4 : expert;
    };
    HostLoop loop(stack, Dispatch::host, script.execute(), hooks);
    const std::uint32_t right = std::get<Moe>(stack.layers[1]).hash[3];
    EXPECT_EQ(loop.step(3, nobody).layers[1].experts, Experts{right});
    EXPECT_EQ(loop.step(3, nobody).layers[1].experts, Experts{(right + 1) % 4});
    EXPECT_EQ(script.segments[0].hashed, Experts{right});
    EXPECT_EQ(script.segments[1].hashed, Experts{(right + 1) % 4});
}

TEST(Hooks, change_rows_that_tokens_and_pairs_address) {
    for (const auto* decoder : {"stem_mult", "product_key"}) {
        const Stack stack = make_stack(decoder, "random", 1);
        Script script{.stored = with(prediction(), {{"l1_first", row({4, 2})},
                                                    {"l1_second", row({1, 6})},
                                                    {"l1_pairs", row({0, 1})}})};
        Hooks hooks;
        hooks.rows = [](const Decision& decision, Experts rows) {
            EXPECT_EQ(decision.layer, 1U);
            if (decision.position == 1) rows[0] = 11;
            return rows;
        };
        HostLoop loop(stack, Dispatch::host, script.execute(), hooks);
        EXPECT_NE(loop.step(3, nobody).layers[1].rows[0], 11U);
        EXPECT_EQ(loop.step(3, nobody).layers[1].rows[0], 11U);
        EXPECT_EQ(script.given.back().at("l1_row0"), row({11}));
    }
}

TEST(Hooks, change_an_admission) {
    const Stack stack = make_stack("routed_C50", "random", 1);
    Script script{.stored = routed_values()};
    Hooks hooks;
    hooks.admitted = [](const Decision& decision, bool admitted) {
        EXPECT_EQ(decision.layer, 1U);
        return decision.position == 1 ? !admitted : admitted;
    };
    HostLoop loop(stack, Dispatch::host, script.execute(), hooks);
    const auto yes = [](std::size_t, double) { return true; };
    EXPECT_TRUE(loop.step(3, yes).layers[1].admitted);
    EXPECT_FALSE(loop.step(3, yes).layers[1].admitted);
    EXPECT_EQ(script.segments.back().choice, kSkip);
}

}  // namespace
}  // namespace capra::stem
