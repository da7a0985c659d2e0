// The timeline where it ends: slices of a cycle or none, traps, runs without a trace, groups in
// groups.
#include "isa/error.hpp"
#include "tests/timeline_support.hpp"

#include <gtest/gtest.h>

namespace capra::sim {
namespace {

/// A run of one LD that ends as told, after so many cycles.
Ran load_that(const Status& end, std::uint64_t total) {
    Ran ran{.program = isa::assemble(".memory 64\nLD d=0 n=1 x=0\nHALT\n", "t.s"), .result = {}};
    ran.result.status = end;
    ran.result.counters.total = total;
    return ran;
}

TEST(Timeline, a_slice_of_one_cycle_is_shown_and_of_none_is_not) {
    const isa::Target target = isa::reference_target(64);
    for (const std::uint64_t taken : {0U, 1U, 2U}) {
        const std::uint64_t total = target.fetch_decode_cycles + taken;
        Ran ran = load_that({State::halted, isa::Trap::none, 1}, total);
        ran.result.trace = {{.pc = 0, .cycle = total, .unit = isa::Unit::dma}};
        Timeline retired(target);
        retired.add(ran.program, ran.result);
        EXPECT_EQ(slices(retired, "dma").size(), taken > 0 ? 1U : 0U) << taken;
        Timeline trapped(target);
        ran = load_that({State::trapped, isa::Trap::index_range, 0}, total);
        trapped.add(ran.program, ran.result);
        EXPECT_EQ(slices(trapped, "dma").size(), taken > 0 ? 1U : 0U) << taken;
        EXPECT_EQ(length(slices(trapped, "dma")), taken);
    }
}

TEST(Timeline, counters_end_at_what_a_trap_took) {
    Timeline timeline(isa::reference_target(64));
    const Ran ran = run("LD d=0 n=1 x=0\nLDX d=1 a=0 n=2 rows=1 x=0\nHALT\n");
    timeline.add(ran.program, ran.result);
    Json cycles;
    for (const Json& event : events(timeline, "C"))
        if (event.at("name") == "cycles") cycles = event;
    EXPECT_EQ(cycles.at("ts"), ran.result.counters.total);
    EXPECT_EQ(cycles.at("args").at("dma"), ran.result.counters.dma);
    EXPECT_EQ(cycles.at("args").at("control"), ran.result.counters.control);
}

TEST(Timeline, a_run_needs_a_trace_once_an_instruction_retired) {
    Timeline timeline(isa::reference_target(64));
    const Ran at_once = load_that({State::trapped, isa::Trap::spad_range, 0}, 2);
    EXPECT_NO_THROW(timeline.add(at_once.program, at_once.result));
    const Ran later = load_that({State::trapped, isa::Trap::spad_range, 1}, 14);
    EXPECT_THROW(timeline.add(later.program, later.result), Error);
}

TEST(Timeline, a_group_in_a_group_ends_first) {
    const Ran ran = product();
    const std::uint64_t total = ran.result.counters.total;
    Timeline timeline(isa::reference_target(64));
    timeline.add(ran.program, ran.result);
    timeline.begin_group("outer");
    timeline.add(ran.program, ran.result);
    timeline.begin_group("inner");
    timeline.add(ran.program, ran.result);
    timeline.end_group();
    timeline.add(ran.program, ran.result);
    timeline.end_group();
    std::map<std::string, Json> host;
    for (const Json& slice : slices(timeline, "host")) host[slice.at("name")] = slice;
    EXPECT_EQ(host["outer"].at("ts"), total);
    EXPECT_EQ(host["outer"].at("dur"), 3 * total);
    EXPECT_EQ(host["inner"].at("ts"), 2 * total);
    EXPECT_EQ(host["inner"].at("dur"), total);
}

}  // namespace
}  // namespace capra::sim
