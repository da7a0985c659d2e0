// The STEM family whole: every decoder's checks over 24 steps from every start on the C++ machine,
// and its programs in lock-step on the RTL.
#include "sim/replay.hpp"
#include "stem/calibration.hpp"
#include "stem/checks.hpp"
#include "stem_support.hpp"

#include <gtest/gtest.h>

namespace capra::stem {
namespace {

void expect_all_ok(const Checks& checks) {
    EXPECT_TRUE(model::all_ok(checks));
    for (const Check& check : checks) EXPECT_TRUE(check.ok) << check.name << ": " << check.detail;
}

std::string gtest_name(const testing::TestParamInfo<std::string_view>& name) {
    return std::string(name.param);
}

class EachDecoder : public testing::TestWithParam<std::string_view> {};
INSTANTIATE_TEST_SUITE_P(Stem, EachDecoder, testing::ValuesIn(decoder_names()), gtest_name);

TEST_P(EachDecoder, keeps_all_laws_with_structured_weights) {
    const StackRuns runs(compile_stack(make_stack(GetParam(), "structured", 1), kCheckedSteps),
                         kCheckedSteps);
    expect_all_ok(stack_checks(runs));
}

TEST_P(EachDecoder, comes_close_to_double_precision_with_random_weights) {
    Agreement agreement;
    for (std::uint32_t seed = 1; seed <= 3; ++seed) {
        const StackRuns runs(compile_stack(make_stack(GetParam(), "random", seed), kCheckedSteps),
                             kCheckedSteps);
        expect_all_ok(stack_checks(runs));
        for (const StackRun& run : runs.runs)
            agreement += compare_with_float(runs.programs.stack, runs.thresholds, run);
    }
    expect_all_ok(float_checks(GetParam(), agreement));
}

TEST(Dispatch, on_the_chip_decodes_the_same_tokens) {
    for (const auto* decoder : {"on_chip", "top2"}) {
        const Stack stack = make_stack(decoder, "structured", 1);
        const StackRuns host(compile_stack(stack, kCheckedSteps), kCheckedSteps);
        const StackRuns chip(compile_stack(stack, kCheckedSteps, isa::reference_target(),
                                           {.dispatch = Dispatch::on_chip}),
                             kCheckedSteps);
        expect_all_ok(stack_checks(chip));
        expect_all_ok(dispatch_checks(chip, host));
    }
}

TEST(Patterns, keep_all_laws_in_stacks_of_many_layers) {
    for (const auto* kind : {"structured", "random"}) {
        const StackRuns runs(compile_stack(make_pattern_stack("*R*E*S*D*R", kind, 1,
                                                              std::vector{model::Exact(1, 2)}),
                                           kCheckedSteps),
                             kCheckedSteps);
        expect_all_ok(stack_checks(runs));
    }
}

/// A decode on an RTL engine: byte for byte and cycle for cycle what the C++ machine does.
void expect_equal(const std::string& engine_name, const Stack& stack, std::uint32_t steps,
                  const StackOptions& options = {}) {
    SCOPED_TRACE(stack.name);
    const auto programs = compile_stack(stack, steps, isa::reference_target(), options);
    const auto engine = sim::make_engine("model", programs.target);
    const StackRun run = decode(programs, *engine, steps, 6);
    const auto report = sim::replay(engine_name, programs.target, model::jobs_of(run.runs));
    ASSERT_TRUE(report.pass()) << sim::to_string(*report.divergence);
    EXPECT_EQ(report.counters.size(), run.runs.size());
    EXPECT_EQ(report.cycles, run.total().total);
}

TEST_P(EachDecoder, is_the_same_on_verilator) {
    for (const auto* kind : {"structured", "random"})
        expect_equal("verilator", make_stack(GetParam(), kind, 2), kCheckedSteps);
}

TEST_P(EachDecoder, is_the_same_on_icarus) {
    expect_equal("icarus", make_stack(GetParam(), "structured", 2), 2);
}

class StemOnEachRtlEngine : public testing::TestWithParam<std::string_view> {};
INSTANTIATE_TEST_SUITE_P(Stem, StemOnEachRtlEngine, testing::Values("verilator", "icarus"),
                         gtest_name);

TEST_P(StemOnEachRtlEngine, lets_the_chip_dispatch_and_runs_many_layers) {
    const std::string engine(GetParam());
    for (const auto* decoder : {"on_chip", "top2"})
        expect_equal(engine, make_stack(decoder, "random", 2), 2, {.dispatch = Dispatch::on_chip});
    expect_equal(engine, make_pattern_stack("*R*E*S", "random", 2, std::vector{model::Exact(1, 2)}),
                 2);
}

/// A prefill runs its programs in another order, and the RTL all of them.
TEST_P(StemOnEachRtlEngine, prefills) {
    const auto programs = compile_stack(make_stack("routed_C50", "random", 2), 3);
    const auto engine = sim::make_engine("model", programs.target);
    const auto run = prefill(programs, *engine, {3, 9, 1}, capacities_of(programs.stack));
    const auto report =
        sim::replay(std::string(GetParam()), programs.target, model::jobs_of(run.runs));
    ASSERT_TRUE(report.pass()) << sim::to_string(*report.divergence);
    EXPECT_EQ(report.cycles, run.total().total);
}

}  // namespace
}  // namespace capra::stem
