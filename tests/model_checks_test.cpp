// Every check holds on the chapter's models, and every check fails on something broken.
#include "model/checks.hpp"

#include <algorithm>
#include <limits>

#include <gtest/gtest.h>

namespace capra::model {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

bool holds(const Checks& checks, std::string_view name) {
    const auto found =
        std::find_if(checks.begin(), checks.end(), [&](auto& c) { return c.name == name; });
    if (found == checks.end()) ADD_FAILURE() << "no check is named " << name;
    return found != checks.end() && found->ok;
}

LanguageModel with_swapped_router() {
    auto model = structured_model(1);
    for (std::uint32_t d = 0; d < kWidth; ++d) std::swap(model.wr.at(d, 1), model.wr.at(d, 2));
    return model;
}

ChipRuns runs_of(const LanguageModel& model, DecoderKind kind, std::uint32_t steps) {
    return ChipRuns(compile_model(model, kind, steps), steps);
}

/// Short decodes: they are tampered with, not measured.
class TamperedRuns : public testing::Test {
  protected:
    static constexpr std::uint32_t kSteps = 3;
    ChipRuns routed = runs_of(structured_model(1), DecoderKind::routed, kSteps);

    std::int32_t& image_cell(std::size_t program, std::string_view input) {
        auto& run = routed.runs[2].runs[program];
        return run.image[isa::find_symbol(*run.program, isa::SymbolKind::input, input).address];
    }
    std::int32_t& output_cell(std::size_t program, std::string_view output) {
        auto& run = routed.runs[2].runs[program];
        return run.result
            .memory[isa::find_symbol(*run.program, isa::SymbolKind::output, output).address];
    }
};

TEST(Checks, all_hold_on_the_chapters_models) {
    const auto checks = run_all_checks([](std::string_view) {});
    EXPECT_EQ(checks.size(), 37U);
    for (const auto& check : checks) EXPECT_TRUE(check.ok) << check.name << ": " << check.detail;
    EXPECT_TRUE(all_ok(checks));
}

TEST(Checks, chip_checks_hold_with_one_scale_a_column) {
    const ChipRuns routed(
        compile_model(structured_model(1), DecoderKind::routed, kCheckedSteps,
                      isa::reference_target(), {.scales = compiler::WeightScales::per_column}),
        kCheckedSteps);
    for (const auto& checks : {routed_checks(routed), handover_checks(routed)})
        for (const auto& check : checks) EXPECT_TRUE(check.ok) << check.name << check.detail;
}

TEST(Checks, an_empty_list_or_one_failure_is_not_ok) {
    EXPECT_FALSE(all_ok({}));
    EXPECT_TRUE(all_ok({{"a", true, ""}}));
    EXPECT_FALSE(all_ok({{"a", true, ""}, {"b", false, ""}}));
}

TEST(FloatChecks, fail_when_router_columns_are_swapped) {
    const auto checks = structured_float_checks(with_swapped_router());
    EXPECT_FALSE(holds(checks, "float_routes_to_the_group"));
    EXPECT_FALSE(holds(checks, "float_follows_the_rule"));
}

TEST(FloatChecks, fail_when_wrong_experts_know_the_answer) {
    auto model = structured_model(1);
    for (std::uint32_t d = 0; d < kWidth; ++d)
        for (std::uint32_t t = 0; t < kVocabulary; ++t)
            model.wout.at(d, successor(t)) = 80 * model.emb.at(t, d);  // h alone gives the token
    EXPECT_FALSE(holds(structured_float_checks(model), "float_wrong_expert_is_wrong"));
}

TEST_F(TamperedRuns, untouched_they_hold) {
    EXPECT_TRUE(all_ok(routed_checks(routed)));
    EXPECT_TRUE(all_ok(handover_checks(routed)));
}

TEST_F(TamperedRuns, a_wrong_token_breaks_the_rule) {
    routed.runs[2].steps[1].token ^= 1;
    EXPECT_FALSE(holds(routed_checks(routed), "chip_follows_the_rule"));
}

TEST_F(TamperedRuns, a_wrong_route_differs_from_float) {
    routed.runs[2].steps[1].route ^= 1;
    EXPECT_FALSE(holds(routed_checks(routed), "chip_route_equals_float_route"));
}

TEST_F(TamperedRuns, logits_far_from_float_are_seen) {
    for (double& v : routed.runs[2].steps[1].logits) v *= 1.16;
    EXPECT_FALSE(holds(routed_checks(routed), "chip_logits_close_to_float"));
}

TEST_F(TamperedRuns, router_scores_far_from_float_are_seen) {
    for (double& v : routed.runs[2].steps[1].router) v *= 0.84;
    EXPECT_FALSE(holds(routed_checks(routed), "chip_router_close_to_float"));
}

TEST_F(TamperedRuns, a_figure_that_is_no_number_is_not_close_to_float) {
    routed.runs[2].steps[1].logits[3] = kNan;
    EXPECT_FALSE(holds(routed_checks(routed), "chip_logits_close_to_float"));
    routed.runs[2].steps[1].router[0] = kNan;
    EXPECT_FALSE(holds(routed_checks(routed), "chip_router_close_to_float"));
}

TEST_F(TamperedRuns, an_output_off_by_one_differs_from_the_interpreter) {
    ++output_cell(2, "k");
    EXPECT_FALSE(holds(routed_checks(routed), "attention_programs_equal_interpreter"));
    ++output_cell(3, "logits");
    EXPECT_FALSE(holds(routed_checks(routed), "expert_programs_equal_interpreter"));
}

TEST_F(TamperedRuns, a_program_that_never_ran_is_seen) {
    for (auto& run : routed.runs) run.runs.resize(2);
    EXPECT_FALSE(holds(routed_checks(routed), "attention_programs_equal_interpreter"));
}

TEST_F(TamperedRuns, another_experts_program_is_seen) {
    auto& run = routed.runs[2].runs[3];
    run.program = run.program == &routed.compiled.experts[0].program
                      ? &routed.compiled.experts[1].program
                      : &routed.compiled.experts[0].program;
    EXPECT_FALSE(holds(handover_checks(routed), "program_is_the_chosen_experts"));
}

TEST_F(TamperedRuns, a_route_that_no_expert_has_is_seen) {
    output_cell(2, "route") = -1;
    EXPECT_FALSE(holds(handover_checks(routed), "program_is_the_chosen_experts"));
}

TEST_F(TamperedRuns, a_misreported_route_is_seen) {
    routed.runs[2].routes[1] ^= 1;
    EXPECT_FALSE(holds(handover_checks(routed), "reported_route_is_the_stored_one"));
}

TEST_F(TamperedRuns, a_memory_image_of_b_off_by_one_step_is_seen) {
    ++image_cell(3, "h");
    EXPECT_FALSE(holds(handover_checks(routed), "b_reads_the_h_that_a_stored"));
}

TEST_F(TamperedRuns, caches_off_by_one_step_are_seen) {
    ++image_cell(2, "v_cache");
    EXPECT_FALSE(holds(handover_checks(routed), "caches_hold_the_stored_keys_and_values"));
}

TEST_F(TamperedRuns, another_tokens_embedding_is_seen) {
    image_cell(2, "x") += 2;
    EXPECT_FALSE(holds(handover_checks(routed), "a_reads_the_token_before"));
}

TEST_F(TamperedRuns, dense_and_single_checks_fail_too) {
    auto dense = runs_of(structured_model(1), DecoderKind::dense, kSteps);
    EXPECT_TRUE(all_ok(dense_checks(dense, routed)));
    dense.runs[4].tokens[2] ^= 1;
    EXPECT_FALSE(holds(dense_checks(dense, routed), "dense_tokens_equal_routed_tokens"));
    dense.runs[4].runs[1].result.memory.back() ^= 1;
    EXPECT_FALSE(holds(dense_checks(dense, routed), "dense_programs_equal_interpreter"));

    auto single = runs_of(tiny_model(1), DecoderKind::single, kSteps);
    EXPECT_TRUE(all_ok(single_checks(single)));
    single.runs[4].steps[0].token ^= 1;
    EXPECT_FALSE(holds(single_checks(single), "single_block_follows_the_rule"));
    single.runs[4].runs[1].result.memory.back() ^= 1;
    EXPECT_FALSE(holds(single_checks(single), "single_block_programs_equal_interpreter"));
}

/// The start tokens are equal by construction and prove nothing.
TEST_F(TamperedRuns, dense_tokens_are_compared_from_the_first_prediction) {
    auto dense = runs_of(structured_model(1), DecoderKind::dense, kSteps);
    EXPECT_EQ(dense_checks(dense, routed).front().detail.substr(0, 9), "48 of 48 ");
}

TEST_F(TamperedRuns, dense_and_routed_runs_of_other_lengths_are_seen) {
    auto dense = runs_of(structured_model(1), DecoderKind::dense, kSteps);
    dense.runs[4].tokens.pop_back();
    EXPECT_FALSE(holds(dense_checks(dense, routed), "dense_tokens_equal_routed_tokens"));
    dense.runs[4].tokens = routed.runs[4].tokens;
    EXPECT_TRUE(holds(dense_checks(dense, routed), "dense_tokens_equal_routed_tokens"));
    routed.runs.pop_back();
    EXPECT_FALSE(holds(dense_checks(dense, routed), "dense_tokens_equal_routed_tokens"));
}

TEST(DispatchChecks, fail_when_a_wrong_expert_is_not_wrong) {
    const auto compiled = compile_model(random_model(1), DecoderKind::routed, kCheckedSteps);
    EXPECT_FALSE(holds(dispatch_checks(compiled), "wrong_dispatch_decodes_zeros"));
}

/// The full-length decodes the cost checks need.
class CostChecks : public testing::Test {
  protected:
    ChipRuns single = runs_of(tiny_model(1), DecoderKind::single, kCheckedSteps);
    ChipRuns routed = runs_of(structured_model(1), DecoderKind::routed, kCheckedSteps);
    ChipRuns dense = runs_of(structured_model(1), DecoderKind::dense, kCheckedSteps);
};

TEST_F(CostChecks, one_cycle_or_one_part_too_many_is_seen) {
    EXPECT_TRUE(all_ok(cost_checks(single, routed, dense)));
    ++single.runs[0].runs[5].result.counters.total;
    ++dense.runs[0].runs[5].result.counters.total;
    auto& runs = routed.runs[0].runs;
    ++runs[0].result.counters.matrix;
    ++runs[14].result.counters.dma;
    ++runs[46].result.counters.vector;
    ++runs[1].result.counters.control;  // total is no longer the sum
    const auto checks = cost_checks(single, routed, dense);
    for (const std::string_view name :
         {"cost_of_a_context_1", "cost_of_a_context_8", "cost_of_a_context_24", "cost_of_b",
          "cost_does_not_depend_on_data", "cost_of_single_decoder", "cost_of_dense_decoder"})
        EXPECT_FALSE(holds(checks, name)) << name;
}

TEST_F(CostChecks, other_tokens_or_totals_are_seen_in_grouping) {
    routed.runs[0].steps[9].token ^= 1;
    ++routed.runs[0].runs[2 * 9 + 1].result.counters.total;
    const auto checks = cost_checks(single, routed, dense);
    EXPECT_FALSE(holds(checks, "grouped_tokens_equal_separate_tokens"));
    EXPECT_FALSE(holds(checks, "cost_of_grouping"));
    EXPECT_FALSE(holds(checks, "cost_of_routed_decoder"));
}

/// As measured by someone else: `agrees` of 5,760 decisions.
Quality quality_of(std::uint32_t agrees, double margin, double logit_error) {
    Quality quality;
    quality.decisions = 5760;
    quality.route_agrees = agrees;
    quality.logit_error.add(logit_error);
    quality.flips = {{1, 0, 1, margin}};
    return quality;
}

TEST(RandomChecks, sit_exactly_at_their_bounds) {
    const auto at = random_chip_checks({}, quality_of(5691, 0.16, 0.25));
    EXPECT_TRUE(all_ok(at));
    const auto beyond = random_chip_checks({}, quality_of(5690, 0.1601, 0.2501));
    EXPECT_FALSE(holds(beyond, "random_routes_agree_with_float"));
    EXPECT_FALSE(holds(beyond, "random_flips_are_near_ties"));
    EXPECT_FALSE(holds(beyond, "random_logits_close_to_float"));
    EXPECT_FALSE(all_ok(random_chip_checks({}, {}))) << "nothing measured is nothing shown";
}

TEST(RandomChecks, need_every_one_of_the_5760_decisions) {
    for (const std::uint32_t decisions : {5759U, 5761U}) {
        Quality quality = quality_of(5691, 0.16, 0.25);
        quality.decisions = decisions;
        for (const auto& check : random_chip_checks({}, quality)) EXPECT_FALSE(check.ok);
    }
}

TEST(RandomChecks, a_figure_that_is_no_number_is_not_within_bounds) {
    const auto margin = random_chip_checks({}, quality_of(5691, kNan, 0.25));
    EXPECT_FALSE(holds(margin, "random_flips_are_near_ties"));
    const auto logits = random_chip_checks({}, quality_of(5691, 0.16, kNan));
    EXPECT_FALSE(holds(logits, "random_logits_close_to_float"));
}

}  // namespace
}  // namespace capra::model
