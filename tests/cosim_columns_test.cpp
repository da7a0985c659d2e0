// Programs with one weight scale a column, cell for cell on the RTL.
#include "model/chip_decoder.hpp"
#include "sim/replay.hpp"

#include <gtest/gtest.h>

namespace capra::model {
namespace {

constexpr std::uint32_t kSteps = 24;

CompiledModel columns_model(DecoderKind decoder, std::uint32_t steps) {
    return compile_model(decoder == DecoderKind::single ? tiny_model(1) : structured_model(1),
                         decoder, steps, isa::reference_target(),
                         {.scales = compiler::WeightScales::per_column});
}

sim::ReplayReport replayed(const char* engine, const CompiledModel& compiled,
                           std::span<const ProgramRun> runs) {
    const auto jobs = jobs_of(runs);
    return sim::replay(engine, compiled.target, jobs);
}

TEST(CosimColumns, a_whole_decode_is_equal_in_lock_step) {
    const auto compiled = columns_model(DecoderKind::routed, kSteps);
    const auto machine = sim::make_engine("model", compiled.target);
    const auto run = decode(compiled, *machine, kSteps, 0);
    const auto report = replayed("verilator", compiled, run.runs);
    EXPECT_TRUE(report.pass());
    EXPECT_EQ(report.counters.size(), 2 * kSteps);
    EXPECT_EQ(report.cycles, run.total().total);
}

TEST(CosimColumns, programs_of_the_other_decoders_are_equal_in_lock_step) {
    for (const auto decoder : {DecoderKind::dense, DecoderKind::single}) {
        const auto compiled = columns_model(decoder, 3);
        const auto machine = sim::make_engine("model", compiled.target);
        const auto run = decode(compiled, *machine, 3, 0);
        EXPECT_TRUE(replayed("verilator", compiled, run.runs).pass()) << decoder_name(decoder);
    }
}

TEST(CosimColumns, both_programs_of_a_step_are_equal_in_icarus) {
    const auto compiled = columns_model(DecoderKind::routed, 2);
    const auto machine = sim::make_engine("model", compiled.target);
    const auto run = decode(compiled, *machine, 2, 0);
    const auto report = replayed("icarus", compiled, std::span(run.runs).subspan(2));
    EXPECT_TRUE(report.pass());
    EXPECT_EQ(report.counters.size(), 2U);
}

}  // namespace
}  // namespace capra::model
