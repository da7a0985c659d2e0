// Decodes on the C++ machine.
#include "isa/error.hpp"
#include "stem/calibration.hpp"
#include "stem/stack_decoder.hpp"
#include "stem_support.hpp"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

namespace capra::stem {
namespace {

/// A compiled stack and a machine for it.
struct Chip {
    StackPrograms programs;
    std::unique_ptr<sim::Engine> engine;

    Chip(const Stack& stack, std::uint32_t steps, const StackOptions& options = {})
        : programs(compile_stack(stack, steps, isa::reference_target(), options)),
          engine(sim::make_engine("model", programs.target)) {}
    Chip(std::string_view decoder, std::string_view kind, std::uint32_t steps)
        : Chip(make_stack(decoder, kind, 1), steps) {}
};

std::string message(const std::function<void()>& act) {
    try {
        act();
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(Decode, follows_the_rule_on_every_structured_decoder) {
    for (const auto& decoder : decoder_names()) {
        Chip chip(decoder, "structured", 3);
        const auto run = decode(chip.programs, *chip.engine, 3, 6);
        std::uint32_t previous = kNoToken;
        ASSERT_EQ(run.tokens.size(), 4U);
        for (std::size_t i = 0; i < 3; ++i) {
            EXPECT_EQ(run.tokens[i + 1],
                      next_token(chip.programs.stack.rule, previous, run.tokens[i]))
                << decoder;
            EXPECT_EQ(run.steps[i].prediction, run.tokens[i + 1]);
            EXPECT_EQ(run.steps[i].input, run.tokens[i]);
            previous = run.tokens[i];
        }
    }
}

TEST(Decode, runs_one_program_more_than_a_step_has_decisions) {
    const auto programs_of = [](std::string_view decoder, StackOptions options = {}) {
        Chip chip(make_stack(decoder, "structured", 1), 2, options);
        const auto run = decode(chip.programs, *chip.engine, 2, 0);
        return run.step_runs(2).size();
    };
    EXPECT_EQ(programs_of("dense"), 1U);
    EXPECT_EQ(programs_of("hash"), 1U);
    EXPECT_EQ(programs_of("split"), 1U);
    EXPECT_EQ(programs_of("product_key"), 2U);
    EXPECT_EQ(programs_of("on_chip"), 2U);
    EXPECT_EQ(programs_of("on_chip", {.dispatch = Dispatch::on_chip}), 1U);
    EXPECT_EQ(programs_of("top2"), 3U);
    EXPECT_EQ(programs_of("top2", {.dispatch = Dispatch::on_chip}), 1U);
}

TEST(Decode, skips_the_experts_of_a_token_that_is_not_admitted) {
    Chip chip("routed_C50", "structured", 4);
    const auto run = decode(chip.programs, *chip.engine, 4, 0);
    for (std::uint32_t step = 1; step <= 4; ++step) {
        const LayerTrace& layer = run.steps[step - 1].layers[1];
        const bool even = run.steps[step - 1].input % 2 == 0;  // those are the experts'
        EXPECT_EQ(layer.admitted, even);
        EXPECT_EQ(layer.experts.size(), even ? 2U : 0U);
        EXPECT_EQ(run.step_runs(step).size(), even ? 3U : 2U);
    }
}

TEST(Decode, adds_up_its_runs_by_step) {
    Chip chip("routed_C50", "structured", 4);
    const auto run = decode(chip.programs, *chip.engine, 4, 0);
    EXPECT_EQ(run.runs.size(), 10U);
    EXPECT_EQ(run.step_of_run, (std::vector<std::uint32_t>{1, 1, 1, 2, 2, 3, 3, 3, 4, 4}));
    std::uint64_t cycles = 0;
    for (std::uint32_t step = 1; step <= 4; ++step) cycles += run.step_cycles(step);
    EXPECT_EQ(cycles, run.total().total);
    EXPECT_EQ(run.step_cycles(2),
              run.runs[3].result.counters.total + run.runs[4].result.counters.total);
    EXPECT_EQ(run.step_runs(2).front(), &run.runs[3]);
}

TEST(Read, keeps_to_the_tokens_given) {
    Chip chip("dense", "structured", 4);
    const Tokens text = {4, 4, 9, 1};
    const auto run = read(chip.programs, *chip.engine, text);
    EXPECT_EQ(run.tokens, text);
    ASSERT_EQ(run.steps.size(), 4U);
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(run.steps[i].input, text[i]);
        EXPECT_EQ(run.steps[i].prediction, model::successor(text[i]));
    }
    const auto longer = [&] { read(chip.programs, *chip.engine, {1, 2, 3, 4, 5}); };
    EXPECT_EQ(message(longer),
              "stem: no program step_T5 was compiled for dense in decodes of 4 steps");
}

TEST(Read, reads_the_row_of_another_token_where_a_hook_says_so) {
    Chip chip("stem_mult", "structured", 3);
    DecodeOptions options;
    options.hooks.rows = [](const Decision& decision, Experts rows) {
        return decision.position == 1 ? Experts{11} : rows;
    };
    const auto run = read(chip.programs, *chip.engine, {4, 5, 6}, options);
    EXPECT_EQ(run.steps[0].prediction, model::successor(4));
    EXPECT_EQ(run.steps[1].prediction, model::successor(11));
    EXPECT_EQ(run.steps[2].prediction, model::successor(6));
    options.hooks.rows = [](const Decision&, Experts) { return Experts{16}; };
    const auto beyond = [&] { read(chip.programs, *chip.engine, {4}, options); };
    EXPECT_NE(message(beyond).find("trap index_range"), std::string::npos) << message(beyond);
}

TEST(Thresholds, are_calibrated_on_the_chips_own_scores) {
    const Stack stack = make_stack("routed_C25", "random", 2);
    Chip chip(stack, 4);
    const auto thresholds = calibrate_thresholds(chip.programs, *chip.engine, capacities_of(stack));
    ASSERT_EQ(thresholds.size(), 1U);
    std::vector<double> scores;
    for (const Tokens& text : calibration_texts(stack, 4))
        for (const auto& step :
             read(chip.programs, *chip.engine, text, {.thresholds = thresholds}).steps)
            scores.push_back(step.layers[1].score.value());
    EXPECT_EQ(thresholds[0], threshold_for(scores, {1, 4}));
    // They are the ones that a decode uses by itself.
    const auto given = decode(chip.programs, *chip.engine, 4, 3, {.thresholds = thresholds});
    const auto own = decode(chip.programs, *chip.engine, 4, 3);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(given.steps[i].logits, own.steps[i].logits);
}

TEST(Thresholds, are_one_a_routed_layer) {
    Chip routed("routed_C50", "random", 1);
    EXPECT_EQ(message([&] {
                  decode(routed.programs, *routed.engine, 1, 0, {.thresholds = {1, 2}});
              }),
              "stem: 2 thresholds for the 1 routed layers of routed_C50");
    Chip dense("dense", "random", 1);
    EXPECT_EQ(message([&] { decode(dense.programs, *dense.engine, 1, 0, {.thresholds = {1}}); }),
              "stem: 1 thresholds for the 0 routed layers of dense");
    EXPECT_EQ(
        message([&] { prefill(dense.programs, *dense.engine, {1}, std::vector<model::Exact>{1}); }),
        "stem: 1 capacities for the 0 routed layers of dense");
}

TEST(Thresholds, are_of_capacities_above_none_up_to_all) {
    Chip chip("routed_C50", "random", 1);
    for (const auto& capacity : {model::Exact(0), model::Exact(-1, 2), model::Exact(9, 8)}) {
        const std::vector bad = {capacity};
        const auto expected =
            "capacity: " + to_string(capacity) + " at place 1: expected above 0 to 1";
        EXPECT_EQ(message([&] { calibrate_thresholds(chip.programs, *chip.engine, bad); }),
                  expected);
        EXPECT_EQ(message([&] { prefill(chip.programs, *chip.engine, {3}, bad); }), expected);
    }
}

TEST(Thresholds, are_all_that_another_capacity_changes) {
    Chip chip("routed_C50", "random", 4);
    const Tokens text = calibration_texts(chip.programs.stack, 4)[5];
    std::size_t before = 0;
    for (const auto& capacity : {model::Exact(1, 8), model::Exact(1, 2), model::Exact(1)}) {
        const auto thresholds =
            calibrate_thresholds(chip.programs, *chip.engine, std::vector{capacity});
        std::size_t admitted = 0;
        for (const Tokens& each : calibration_texts(chip.programs.stack, 4))
            for (const auto& step :
                 read(chip.programs, *chip.engine, each, {.thresholds = thresholds}).steps)
                admitted += step.layers[1].admitted ? 1 : 0;
        EXPECT_GE(admitted, admitted_count(capacity, 64));
        EXPECT_GT(admitted, before);
        before = admitted;
    }
    EXPECT_EQ(before, 64U);
}

TEST(Prefill, admits_the_highest_scores_of_the_text) {
    const Stack stack = make_stack("routed_C50", "random", 3);
    Chip chip(stack, 7);
    const Tokens text = {3, 9, 1, 0, 15, 7, 2};
    const auto run = prefill(chip.programs, *chip.engine, text, capacities_of(stack));
    ASSERT_EQ(run.steps.size(), 7U);
    std::vector<double> scores;
    std::vector<bool> admitted;
    for (const auto& step : run.steps) {
        scores.push_back(step.layers[1].score.value());
        admitted.push_back(step.layers[1].admitted);
    }
    EXPECT_EQ(admitted, expert_choice(scores, {1, 2}));
    EXPECT_EQ(std::count(admitted.begin(), admitted.end(), true), 4);
    EXPECT_EQ(run.tokens, text);
}

/// The same admissions, token by token: the same logits, programs and cycles.
TEST(Prefill, computes_what_a_read_with_its_admissions_does) {
    const Stack stack = make_pattern_stack("*R*R", "random", 3, std::vector{model::Exact(1, 2)});
    Chip chip(stack, 5);
    const Tokens text = {3, 9, 1, 0, 15};
    const auto layered = prefill(chip.programs, *chip.engine, text, capacities_of(stack));
    DecodeOptions options{.thresholds = {0, 0}};
    options.hooks.admitted = [&](const Decision& decision, bool) {
        return layered.steps[decision.position].layers[decision.layer].admitted;
    };
    const auto one_by_one = read(chip.programs, *chip.engine, text, options);
    for (std::uint32_t step = 1; step <= 5; ++step) {
        EXPECT_EQ(layered.steps[step - 1].logits, one_by_one.steps[step - 1].logits);
        EXPECT_EQ(layered.step_cycles(step), one_by_one.step_cycles(step));
        EXPECT_EQ(layered.step_runs(step).size(), one_by_one.step_runs(step).size());
    }
    EXPECT_NE(layered.step_of_run, one_by_one.step_of_run);
}

TEST(Prefill, makes_the_host_admit_otherwise_where_a_hook_says_so) {
    const Stack stack = make_stack("routed_C50", "random", 3);
    Chip chip(stack, 2);
    Hooks hooks;
    hooks.admitted = [](const Decision&, bool admitted) { return !admitted; };
    const auto usual = prefill(chip.programs, *chip.engine, {3, 9}, capacities_of(stack));
    const auto other = prefill(chip.programs, *chip.engine, {3, 9}, capacities_of(stack), hooks);
    for (std::size_t i = 0; i < 2; ++i)
        EXPECT_NE(usual.steps[i].layers[1].admitted, other.steps[i].layers[1].admitted);
}

}  // namespace
}  // namespace capra::stem
