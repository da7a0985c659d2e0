// What the mechanisms do, measured on small runs.
#include "isa/error.hpp"
#include "model/float_decoder.hpp"
#include "stem/calibration.hpp"
#include "stem/studies.hpp"
#include "stem_support.hpp"

#include <gtest/gtest.h>

namespace capra::stem {
namespace {

struct Chip {
    StackPrograms programs;
    std::unique_ptr<sim::Engine> engine;
    std::vector<Tokens> texts;

    Chip(std::string_view decoder, std::string_view kind, std::uint32_t steps)
        : programs(compile_stack(make_stack(decoder, kind, 1), steps)),
          engine(sim::make_engine("model", programs.target)),
          texts(calibration_texts(programs.stack, steps)) {}
};

TEST(StudyAdmission, finds_one_threshold_as_good_as_expert_choice_where_scores_are_two) {
    Chip chip("routed_C50", "structured", 4);
    const auto study = study_admission(chip.programs, *chip.engine, chip.texts);
    EXPECT_EQ(study.admissions.all, 64U);
    EXPECT_EQ(study.admissions.same, 64U);
    EXPECT_EQ(study.predictions.same, 64U);
    EXPECT_EQ(study.by_choice, 32U);
    EXPECT_EQ(study.by_threshold, 32U);
}

/// Against the runs themselves.
TEST(StudyAdmission, counts_what_the_two_ways_did) {
    Chip chip("routed_C25", "random", 4);
    const auto capacities = capacities_of(chip.programs.stack);
    const auto thresholds = calibrate_thresholds(chip.programs, *chip.engine, capacities);
    const auto study = study_admission(chip.programs, *chip.engine, chip.texts);
    AdmissionStudy expected;
    for (const Tokens& text : chip.texts) {
        const auto choice = prefill(chip.programs, *chip.engine, text, capacities);
        const auto read_one = read(chip.programs, *chip.engine, text, {.thresholds = thresholds});
        for (std::size_t i = 0; i < 4; ++i) {
            const bool a = choice.steps[i].layers[1].admitted;
            const bool b = read_one.steps[i].layers[1].admitted;
            expected.admissions.count(a == b);
            expected.by_choice += a ? 1 : 0;
            expected.by_threshold += b ? 1 : 0;
            expected.predictions.count(choice.steps[i].prediction == read_one.steps[i].prediction);
        }
    }
    EXPECT_EQ(study.by_choice, 16U);  // one of four in each of 16 texts
    EXPECT_EQ(study.by_threshold, expected.by_threshold);
    EXPECT_EQ(study.admissions.same, expected.admissions.same);
    EXPECT_LT(study.admissions.same, study.admissions.all);
    EXPECT_EQ(study.predictions.same, expected.predictions.same);
    EXPECT_EQ(study.predictions.all, 64U);
}

TEST(StudyDial, admits_more_and_comes_nearer_to_all_experts_with_capacity) {
    Chip chip("routed_C50", "random", 4);
    const auto points = study_dial(chip.programs, *chip.engine, chip.texts, dial_capacities());
    ASSERT_EQ(points.size(), 5U);
    for (std::size_t i = 1; i < points.size(); ++i) {
        EXPECT_LT(points[i].thresholds[0], points[i - 1].thresholds[0]);
        EXPECT_GT(points[i].admitted.same, points[i - 1].admitted.same);
        EXPECT_LT(points[i].logit_distance, points[i - 1].logit_distance);
        EXPECT_GT(points[i].cycles, points[i - 1].cycles);
    }
    EXPECT_EQ(points[4].capacity, model::Exact(1));
    EXPECT_EQ(points[4].admitted.same, 64U);
    EXPECT_EQ(points[4].logit_distance, 0);
    EXPECT_LT(points[0].logit_distance, 1);
    EXPECT_EQ(points[4].right.all, 0U);
}

/// Texts of different lengths: each token counts alike.
TEST(StudyDial, measures_the_mean_distance_from_the_logits_with_all_admitted) {
    Chip chip("routed_C50", "random", 3);
    const std::vector<Tokens> texts = {{8, 0, 3}, {4}};
    const auto quarter = std::vector{model::Exact(1, 4)};
    const auto point = study_dial(chip.programs, *chip.engine, texts, quarter).front();
    double distance = 0;
    std::uint64_t cycles = 0;
    for (const Tokens& text : texts) {
        const auto dialled =
            read(chip.programs, *chip.engine, text, {.thresholds = point.thresholds});
        const auto whole = read(chip.programs, *chip.engine, text, {.thresholds = {-1000}});
        for (std::size_t i = 0; i < text.size(); ++i)
            distance += model::relative_l2(dialled.steps[i].logits, whole.steps[i].logits);
        cycles += dialled.total().total;
    }
    EXPECT_GT(distance, 0);
    EXPECT_DOUBLE_EQ(point.logit_distance, distance / 4);
    EXPECT_EQ(point.cycles, cycles);
}

TEST(StudyDial, is_right_on_a_structured_stack_at_its_own_capacity) {
    Chip chip("routed_C50", "structured", 2);
    const auto points = study_dial(chip.programs, *chip.engine, chip.texts,
                                   std::vector{model::Exact(1, 2), model::Exact(1)});
    EXPECT_EQ(points[0].right.same, 32U);
    EXPECT_EQ(points[0].admitted.same, 16U);
    EXPECT_EQ(points[1].right.same, 16U);
    EXPECT_EQ(points[1].right.all, 32U);
}

/// By a rule that asks for the token before, which these weights do not follow.
TEST(StudyDial, counts_what_is_right_by_the_rule) {
    Stack stack = make_stack("routed_C50", "structured", 1);
    stack.rule = Rule::bigram;
    const auto programs = compile_stack(stack, 3);
    const auto engine = sim::make_engine("model", programs.target);
    const std::vector<Tokens> texts = {{8, 0, 3}, {4, 0}};
    const auto whole = std::vector{model::Exact(1)};
    const auto thresholds = calibrate_thresholds(programs, *engine, whole);
    std::uint64_t right = 0;
    for (const Tokens& text : texts) {
        std::uint32_t previous = kNoToken;
        for (const StackStep& step :
             read(programs, *engine, text, {.thresholds = thresholds}).steps) {
            right += step.prediction == next_token(stack.rule, previous, step.input) ? 1 : 0;
            previous = step.input;
        }
    }
    const auto points = study_dial(programs, *engine, texts, whole);
    EXPECT_EQ(points[0].right.same, right);
    EXPECT_EQ(points[0].right.all, 5U);
}

TEST(StudyDial, needs_a_routed_layer) {
    Chip chip("dense", "random", 1);
    try {
        study_dial(chip.programs, *chip.engine, chip.texts, dial_capacities());
        FAIL();
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "stem: dense has no routed layer to dial");
    }
}

TEST(DialCapacities, are_an_eighth_to_one) {
    EXPECT_EQ(dial_capacities(),
              (std::vector<model::Exact>{{1, 8}, {1, 4}, {1, 2}, {3, 4}, {1, 1}}));
}

TEST(StudyDispatch, saves_programs_hand_over_and_cycles_for_the_same_tokens) {
    const auto costs = study_dispatch(make_stack("top2", "structured", 1), 3, 5);
    ASSERT_EQ(costs.size(), 2U);
    const DispatchCost& host = costs[0];
    const DispatchCost& chip = costs[1];
    EXPECT_EQ(host.dispatch, Dispatch::host);
    EXPECT_EQ(chip.dispatch, Dispatch::on_chip);
    EXPECT_EQ(host.tokens, chip.tokens);
    EXPECT_EQ(host.programs, 9U);
    EXPECT_EQ(chip.programs, 3U);
    // Per step: the state and the sum so far (twice), written and read, and the gates.
    EXPECT_EQ(host.host_words - chip.host_words, 3U * ((3 + 2 + 2) * 32 + 3 * 2));
    EXPECT_GT(host.cycles, chip.cycles);
    for (const DispatchCost& cost : costs) {
        const auto programs = compile_stack(
            make_stack("top2", "structured", 1), 3, isa::reference_target(),
            {.dispatch = cost.dispatch, .scales = compiler::WeightScales::per_tensor});
        const auto run = decode(programs, *sim::make_engine("model", programs.target), 3, 5);
        EXPECT_EQ(cost.cycles, run.total().total);
        EXPECT_EQ(cost.step_1_cycles, run.step_cycles(1));
        EXPECT_EQ(cost.last_step_cycles, run.step_cycles(3));
    }
    EXPECT_GT(host.instructions, chip.instructions);
    EXPECT_GT(host.step_1_cycles, chip.step_1_cycles);
    EXPECT_LT(host.step_1_cycles, host.last_step_cycles);
}

/// LD, ST and LDX of one program, added up by hand: see stem/work.hpp for the weights.
TEST(StudyDispatch, counts_words_that_move) {
    const auto costs = study_dispatch(make_stack("on_chip", "random", 1), 1, 5);
    const std::uint64_t weights = 4 * 512 + 128 + 3 * 1024 + 512;
    const std::uint64_t silu_table = 256;
    const std::uint64_t x_k_v_experts_token_logits = 32 + 16 + 16 + 1 + 1 + 16;
    EXPECT_EQ(costs[1].words_moved, weights + silu_table + x_k_v_experts_token_logits);
    EXPECT_EQ(costs[1].host_words, x_k_v_experts_token_logits);
    EXPECT_EQ(costs[0].words_moved, costs[1].words_moved + 2 * 32);
    EXPECT_EQ(costs[0].host_words, costs[1].host_words + 2 * 32);
}

}  // namespace
}  // namespace capra::stem
