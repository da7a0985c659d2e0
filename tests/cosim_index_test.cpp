// Indices that name no row: the only traps that data decide, alike on every engine.
#include "sim/engine.hpp"
#include "sim/replay.hpp"
#include "tests/sim_support.hpp"

#include <gtest/gtest.h>

#include <iterator>

namespace capra::sim {
namespace {

using isa::Opcode;

class IndexOnEachRtlEngine : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Cosim, IndexOnEachRtlEngine, testing::Values("verilator", "icarus"),
                         [](const auto& name) { return std::string(name.param); });

/// An index beyond the table ends the run in the same cycle everywhere, with nothing loaded.
TEST_P(IndexOnEachRtlEngine, an_index_that_names_no_row_traps_in_the_same_cycle) {
    const isa::Program program =
        program_of({{.op = Opcode::ld, .d = 0, .x = 0, .n = 2},
                    {.op = Opcode::ldx, .d = 2, .a = 0, .x = 8, .rows = 300, .n = 1, .wide = 1},
                    {.op = Opcode::ldxw, .d = 3, .x = 8, .w = 2, .rows = 5, .n = 4},
                    {.op = Opcode::st, .a = 2, .x = 3, .n = 5},
                    {.op = Opcode::halt}},
                   310);
    const std::vector<std::int32_t> images[] = {{43, 1, 4},    {44, 1, 4},   {-1, 0, 5},
                                                {0, 1, 65536}, {0, -128, 0}, {0, 0, -1}};
    std::vector<Job> jobs;
    for (const auto& image : images) jobs.push_back({&program, image});
    const ReplayReport report = replay(GetParam(), isa::reference_target(), jobs);
    ASSERT_TRUE(report.pass()) << to_string(*report.divergence);
    const auto results = make_engine(GetParam(), isa::reference_target())->run(jobs);
    const Status halted{State::halted, isa::Trap::none, 4};
    const auto trapped = [](std::uint32_t pc) {
        return Status{State::trapped, isa::Trap::index_range, pc};
    };
    const Status ends[] = {halted, trapped(1), trapped(2), trapped(2), trapped(1), trapped(2)};
    for (std::size_t i = 0; i < std::size(ends); ++i) {
        EXPECT_EQ(results[i].status, ends[i]) << i;
        EXPECT_EQ(results[i].memory[3], 0) << i;
    }
    // LD 11; LDX 4 of 14; twice fetch and decode.
    EXPECT_EQ(results[1].counters, (Counters{19, 0, 15, 0, 4}));
    // LD 11, LDX 14, LDXW 10 of 23; three times fetch and decode.
    EXPECT_EQ(results[2].counters, (Counters{41, 0, 35, 0, 6}));
}

}  // namespace
}  // namespace capra::sim
