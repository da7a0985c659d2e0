// The programs of the host's experiments in lock-step: both experts of a token, groups of every
// size, and tokens that skip the layer.
#include "model/batch_decoder.hpp"
#include "sim/replay.hpp"

#include <gtest/gtest.h>

namespace capra::model {
namespace {

class EachRtlEngineDecodes : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Cosim, EachRtlEngineDecodes, testing::Values("verilator", "icarus"),
                         [](const auto& name) { return std::string(name.param); });

TEST_P(EachRtlEngineDecodes, two_experts_a_token) {
    const auto compiled =
        compile_model(random_model(1), DecoderKind::routed, 3, isa::reference_target(), {.top = 2});
    const auto engine = sim::make_engine("model", compiled.target);
    const auto run = decode(compiled, *engine, 3, 5);
    const auto report = sim::replay(GetParam(), compiled.target, jobs_of(run.runs));
    ASSERT_TRUE(report.pass()) << sim::to_string(*report.divergence);
    EXPECT_EQ(report.counters.size(), 9U);
    EXPECT_EQ(report.cycles, run.total().total);
}

TEST_P(EachRtlEngineDecodes, a_batch_with_drops) {
    const auto compiled = compile_model(random_model(1), DecoderKind::routed, 2);
    const auto programs = compile_batch(compiled, 5);
    const auto engine = sim::make_engine("model", compiled.target);
    const std::vector<std::uint32_t> starts = {0, 1, 2, 3, 4};
    const auto run = decode_batch(compiled, programs, *engine, 2, starts,
                                  [](auto routes) { return within_capacity(routes, 2); });
    ASSERT_GT(run.drops(), 0U);
    for (const auto& step : run.steps) {
        const auto report = sim::replay(GetParam(), compiled.target, jobs_of(step.runs));
        ASSERT_TRUE(report.pass()) << sim::to_string(*report.divergence);
        EXPECT_EQ(report.cycles, step.total().total);
    }
}

}  // namespace
}  // namespace capra::model
