// The checks hold for what they are about, and fail when it is broken.
#include "stem/calibration.hpp"
#include "stem/checks.hpp"
#include "stem_support.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace capra::stem {
namespace {

constexpr std::uint32_t kSteps = 2;

std::unique_ptr<StackRuns> runs_of(const Stack& stack, const StackOptions& options = {}) {
    return std::make_unique<StackRuns>(
        compile_stack(stack, kSteps, isa::reference_target(), options), kSteps);
}

std::unique_ptr<StackRuns> runs_of(std::string_view decoder, std::string_view kind,
                                   const StackOptions& options = {}) {
    return runs_of(make_stack(decoder, kind, 1), options);
}

void expect_all_ok(const Checks& checks) {
    EXPECT_TRUE(model::all_ok(checks));
    for (const Check& check : checks) EXPECT_TRUE(check.ok) << check.name << ": " << check.detail;
}

std::vector<std::string> names_of(const Checks& checks) {
    std::vector<std::string> names;
    for (const Check& check : checks) names.push_back(check.name);
    return names;
}

TEST(StackChecks, hold_for_a_routed_layer_with_all_its_mistakes) {
    const auto runs = runs_of("routed_C50", "structured");
    const auto checks = stack_checks(*runs);
    expect_all_ok(checks);
    EXPECT_EQ(names_of(checks),
              (std::vector<std::string>{
                  "routed_C50_follows_the_rule", "routed_C50_equals_interpreter",
                  "routed_C50_hands_over_exactly", "routed_C50_cost_does_not_depend_on_data",
                  "routed_C50_works_as_the_ledger_says", "routed_C50_wrong_admission_is_noticed",
                  "routed_C50_wrong_expert_is_noticed", "routed_C50_wrong_row_is_noticed"}));
}

TEST(StackChecks, hold_for_keys_experts_and_stacks_of_several_layers) {
    expect_all_ok(stack_checks(*runs_of("product_key", "structured")));
    expect_all_ok(stack_checks(*runs_of("top2", "random", {.dispatch = Dispatch::on_chip})));
    const auto deep =
        runs_of(make_pattern_stack("*R*E*S", "random", 1, std::vector{model::Exact(1, 2)}));
    const auto checks = stack_checks(*deep);
    expect_all_ok(checks);
    EXPECT_EQ(checks.size(), 4U);  // no rule, no mistakes
}

TEST(RuleCheck, fails_for_one_wrong_prediction) {
    auto runs = runs_of("dense", "structured");
    EXPECT_TRUE(rule_check(*runs).ok);
    EXPECT_NE(rule_check(*runs).detail.find("32 of 32"), std::string::npos);
    auto& step = runs->runs[9].steps[1];
    step.prediction = (step.prediction + 1) % 16;
    EXPECT_FALSE(rule_check(*runs).ok);
}

TEST(RuleCheck, knows_the_token_before_the_last) {
    EXPECT_TRUE(rule_check(*runs_of("bigram", "structured")).ok);
}

TEST(InterpreterCheck, fails_for_one_wrong_cell_or_a_program_too_many) {
    auto runs = runs_of("on_chip", "random");
    EXPECT_TRUE(interpreter_check(*runs).ok) << interpreter_check(*runs).detail;
    auto& run = runs->runs[3].runs[1];
    const auto& logits = isa::find_symbol(*run.program, isa::SymbolKind::output, "logits");
    run.result.memory[logits.address + 15] ^= 1;
    EXPECT_FALSE(interpreter_check(*runs).ok);
    run.result.memory[logits.address + 15] ^= 1;
    EXPECT_TRUE(interpreter_check(*runs).ok);
    runs->programs.programs.emplace(Segment{.start = 1, .choice = 77},
                                    runs->programs.program({.start = 1, .choice = 2}));
    EXPECT_FALSE(interpreter_check(*runs).ok);
}

/// Each input of these names, one by one.
TEST(HandoverCheck, fails_when_an_input_is_not_what_was_stored) {
    auto runs = runs_of("routed_C50", "structured");
    EXPECT_TRUE(handover_check(*runs).ok) << handover_check(*runs).detail;
    std::size_t tried = 0;
    for (ProgramRun& run : runs->runs[0].runs)
        for (const auto& symbol : run.program->symbols) {
            if (symbol.kind != isa::SymbolKind::input || symbol.name == "x" ||
                symbol.name.find("row") != std::string::npos)
                continue;
            auto& cell = run.image[symbol.address + symbol.rows * symbol.cols - 1];
            cell ^= 1;
            EXPECT_FALSE(handover_check(*runs).ok) << symbol.name;
            cell ^= 1;
            ++tried;
        }
    EXPECT_EQ(tried, 3U + 3 + 2 + 1);  // two programs of experts; caches; a skip
}

TEST(CountersCheck, fails_for_a_run_with_another_cost) {
    auto runs = runs_of("dense", "structured");
    EXPECT_TRUE(counters_check(*runs).ok);
    EXPECT_TRUE(counters_check(*runs).detail.starts_with("30 of 30 runs"))
        << "32 runs of 2 programs";
    ++runs->runs[15].runs[1].result.counters.dma;
    EXPECT_FALSE(counters_check(*runs).ok);
}

TEST(WorkCheck, fails_for_a_step_that_did_not_run_a_program) {
    auto runs = runs_of("routed_C50", "structured");
    EXPECT_TRUE(work_check(*runs).ok) << work_check(*runs).detail;
    auto& layer = runs->runs[2].steps[0].layers[1];
    layer.admitted = !layer.admitted;
    EXPECT_FALSE(work_check(*runs).ok);
}

TEST(WrongRuns, are_each_other_expert_row_and_admission) {
    const auto count = [](std::string_view decoder, std::string_view what) {
        const auto runs = runs_of(decoder, "structured");
        const auto wrong = wrong_runs(*runs);
        return std::count_if(wrong.begin(), wrong.end(),
                             [&](const WrongRun& run) { return run.what == what; });
    };
    EXPECT_EQ(count("stem_mult", "row"), 15);
    EXPECT_EQ(count("split", "row"), 15 + 16);
    EXPECT_EQ(count("bigram", "row"), 271);
    EXPECT_EQ(count("product_key", "row"), 63);
    EXPECT_EQ(count("hash", "expert"), 3);
    EXPECT_EQ(count("on_chip", "expert"), 3);
    EXPECT_EQ(count("top2", "expert"), 6);
    EXPECT_EQ(count("routed_C25", "expert"), 6);
    EXPECT_EQ(count("routed_C25", "row"), 15);
    EXPECT_EQ(count("routed_C25", "admission"), 1);
    EXPECT_EQ(count("dense", "row"), 0);
    EXPECT_TRUE(wrong_runs(*runs_of("top2", "random")).empty());
    EXPECT_TRUE(
        wrong_runs(*runs_of("top2", "structured", {.dispatch = Dispatch::on_chip})).empty());
}

TEST(WrongRuns, are_made_in_a_layer_that_stands_first) {
    Stack stack = make_stack("stem_mult", "structured", 1);
    stack.layers.erase(stack.layers.begin());
    EXPECT_EQ(wrong_runs(*runs_of(stack)).size(), 15U);
    EXPECT_TRUE(wrong_runs(*runs_of(make_pattern_stack("SS", "structured", 1))).empty());
}

/// The text is 0, 3: 0 is admitted and 3 is not.
TEST(WrongRuns, count_a_mistake_only_where_it_is_one) {
    const auto runs = runs_of("routed_C50", "structured");
    for (const WrongRun& wrong : wrong_runs(*runs)) {
        EXPECT_EQ(wrong.mistakes, wrong.what == "admission" ? 2U : 1U) << wrong.what;
        EXPECT_EQ(wrong.noticed, wrong.mistakes);
    }
    const auto mistakes = [](std::string_view decoder) {
        std::uint64_t sum = 0;
        for (const WrongRun& wrong : wrong_runs(*runs_of(decoder, "structured")))
            sum += wrong.mistakes;
        return sum;
    };
    EXPECT_EQ(mistakes("bigram"), 2U * 255);  // of 272 rows 17 hold each answer
    // Of the 16 other pairs with the same token two have the same answer.
    EXPECT_EQ(mistakes("split"), 2U * (15 + 14));
    EXPECT_EQ(mistakes("product_key"), 2U * 63);
}

TEST(WrongChecks, fail_for_a_mistake_that_was_not_noticed) {
    const auto runs = runs_of("on_chip", "structured");
    auto wrong = wrong_runs(*runs);
    expect_all_ok(wrong_checks(*runs, wrong));
    ASSERT_EQ(wrong_checks(*runs, wrong).size(), 1U);
    --wrong[2].noticed;
    EXPECT_FALSE(model::all_ok(wrong_checks(*runs, wrong)));
}

TEST(DispatchChecks, fail_for_another_token_expert_or_program) {
    auto host = runs_of("top2", "structured");
    const auto chip = runs_of("top2", "structured", {.dispatch = Dispatch::on_chip});
    expect_all_ok(dispatch_checks(*chip, *host));
    EXPECT_EQ(dispatch_checks(*chip, *host).size(), 3U);
    EXPECT_TRUE(dispatch_checks(*chip, *host)[1].detail.starts_with("32 of 32 layers"))
        << "attention has no experts";
    auto& step = host->runs[15].steps[1];
    step.prediction ^= 1;
    EXPECT_FALSE(dispatch_checks(*chip, *host)[0].ok);
    step.layers[1].experts[1] ^= 1;
    EXPECT_FALSE(dispatch_checks(*chip, *host)[1].ok);
    EXPECT_FALSE(dispatch_checks(*host, *chip)[2].ok);
}

TEST(FloatChecks, allow_errors_that_grow_as_the_square_root_of_the_layers) {
    Agreement agreement;
    agreement.logit_error.add(0.5);
    agreement.sum_logit_error = 0.14 * 10;
    agreement.score_error.add(0.2);
    agreement.tokens = {.same = 9, .all = 10};
    agreement.admissions = {.same = 85, .all = 100};
    expect_all_ok(float_checks("x", agreement, 4));
    EXPECT_FALSE(float_checks("x", agreement, 3)[0].ok);
    EXPECT_FALSE(float_checks("x", agreement, 3)[1].ok);
    agreement.admissions.same = 84;
    EXPECT_FALSE(float_checks("x", agreement, 4)[2].ok) << "decisions are no errors that add up";
    Agreement mean = agreement;
    mean.logit_error = {};
    mean.logit_error.add(0.1);
    EXPECT_TRUE(float_checks("x", mean, 4)[0].ok);
    EXPECT_FALSE(float_checks("x", mean, 3)[0].ok);
}

TEST(FloatChecks, fail_beyond_their_bounds) {
    Agreement good;
    good.logit_error.add(0.25);
    good.sum_logit_error = 0.07 * 10;
    good.score_error.add(0.1);
    good.tokens = {.same = 9, .all = 10};
    good.admissions = {.same = 85, .all = 100};
    good.experts = {.same = 86, .all = 100};
    good.rows = {.same = 100, .all = 100};
    expect_all_ok(float_checks("x", good));
    Agreement worst = good;
    worst.logit_error.add(0.251);
    EXPECT_FALSE(float_checks("x", worst)[0].ok);
    Agreement none = good;
    none.logit_error = {};
    EXPECT_FALSE(float_checks("x", none)[0].ok) << "compared with itself";
    Agreement mean = good;
    mean.sum_logit_error = 0.701;
    EXPECT_FALSE(float_checks("x", mean)[0].ok);
    EXPECT_FALSE(float_checks("x", Agreement{}).front().ok);
    Agreement score = good;
    score.score_error.add(0.101);
    EXPECT_FALSE(float_checks("x", score)[1].ok);
    const std::vector<Share Agreement::*> decisions = {&Agreement::admissions, &Agreement::experts,
                                                       &Agreement::rows};
    for (std::size_t i = 0; i < decisions.size(); ++i) {
        Agreement bad = good;
        (bad.*decisions[i]).same = 84;
        const auto checks = float_checks("x", bad);
        ASSERT_EQ(checks.size(), 5U);
        for (std::size_t j = 0; j < checks.size(); ++j)
            EXPECT_EQ(checks[j].ok, j != 2 + i) << checks[j].name;
    }
}

TEST(FloatChecks, are_of_what_the_stack_decides) {
    Agreement agreement;
    agreement.logit_error.add(0.01);
    agreement.tokens = {.same = 9, .all = 10};
    using Names = std::vector<std::string>;
    EXPECT_EQ(names_of(float_checks("x", agreement)), Names{"x_logits_close_to_float"});
    Agreement admitting = agreement;
    admitting.admissions = {.same = 1, .all = 1};
    EXPECT_EQ(names_of(float_checks("x", admitting)),
              (Names{"x_logits_close_to_float", "x_scores_close_to_float", "x_admits_as_float"}));
    agreement.experts = agreement.rows = {.same = 1, .all = 1};
    EXPECT_EQ(names_of(float_checks("x", agreement)),
              (Names{"x_logits_close_to_float", "x_chooses_experts_as_float",
                     "x_chooses_rows_as_float"}));
}

}  // namespace
}  // namespace capra::stem
