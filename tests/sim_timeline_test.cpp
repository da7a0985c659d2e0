// The timeline: every cycle of a run is one cell of the picture, in the right place.
#include "isa/error.hpp"
#include "tests/timeline_support.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace capra::sim {
namespace {

TEST(Timeline, tracks_hold_as_many_cycles_as_the_counters) {
    const isa::Target target = isa::reference_target(64);
    const Ran ran = product();
    Timeline timeline(target);
    timeline.add(ran.program, ran.result);
    timeline.add(ran.program, ran.result);
    const Counters& once = ran.result.counters;
    EXPECT_EQ(length(slices(timeline, "matrix")), 2 * once.matrix);
    EXPECT_EQ(length(slices(timeline, "dma")), 2 * once.dma);
    EXPECT_EQ(length(slices(timeline, "vector")), 2 * once.vector);
    EXPECT_EQ(length(slices(timeline, "fetch")), 2 * once.control);
    EXPECT_EQ(length(slices(timeline, "host")), 2 * once.total);
    EXPECT_GT(once.matrix * once.dma * once.vector * once.control, 0U);
}

TEST(Timeline, units_work_one_after_the_other_without_a_gap) {
    const isa::Target target = isa::reference_target(64);
    const Ran ran = product();
    Timeline timeline(target);
    timeline.add(ran.program, ran.result);
    timeline.add(ran.program, ran.result);
    std::uint64_t now = 0;
    for (const Json& slice : events(timeline, "X")) {
        if (slice.at("tid") == tracks(timeline).at("host")) continue;
        EXPECT_EQ(slice.at("ts"), now) << slice;
        now += slice.at("dur").get<std::uint64_t>();
    }
    EXPECT_EQ(now, 2 * ran.result.counters.total);
}

TEST(Timeline, a_slice_says_what_its_instruction_does_and_to_how_many_cells) {
    const isa::Target target = isa::reference_target(64);
    const Ran ran = product();
    Timeline timeline(target);
    timeline.add(ran.program, ran.result);
    const Json mm = slices(timeline, "matrix").at(0);
    EXPECT_EQ(mm.at("name"), "MM");
    EXPECT_EQ(mm.at("args").at("pc"), 1);
    EXPECT_EQ(mm.at("args").at("text"), isa::disassemble(ran.program.code[1]));
    EXPECT_EQ(mm.at("args").at("spad_read"), 8) << "2 x 2 and 2 x 2";
    EXPECT_EQ(mm.at("args").at("acc_written"), 4);
    const Json ld = slices(timeline, "dma").at(0);
    EXPECT_EQ(ld.at("args").at("ext_read"), 8);
    EXPECT_EQ(ld.at("args").at("spad_written"), 8);
}

TEST(Timeline, counters_end_at_what_the_run_counted) {
    const isa::Target target = isa::reference_target(64);
    const Ran ran = product();
    Timeline timeline(target);
    timeline.add(ran.program, ran.result);
    Json cycles;
    Json words;
    for (const Json& event : events(timeline, "C"))
        (event.at("name") == "cycles" ? cycles : words) = event;
    EXPECT_EQ(cycles.at("ts"), ran.result.counters.total);
    EXPECT_EQ(cycles.at("args").at("matrix"), ran.result.counters.matrix);
    EXPECT_EQ(cycles.at("args").at("dma"), ran.result.counters.dma);
    EXPECT_EQ(cycles.at("args").at("vector"), ran.result.counters.vector);
    EXPECT_EQ(cycles.at("args").at("control"), ran.result.counters.control);
    EXPECT_EQ(words.at("args").at("loaded"), 8);
    EXPECT_EQ(words.at("args").at("stored"), 4);
}

TEST(Timeline, groups_hold_their_programs_and_come_before_them) {
    const isa::Target target = isa::reference_target(64);
    const Ran ran = product();
    Timeline timeline(target);
    for (const char* step : {"step 1", "step 2"}) {
        timeline.begin_group(step);
        timeline.add(ran.program, ran.result);
        timeline.mark("expert 2");
        timeline.add(ran.program, ran.result);
        timeline.end_group();
    }
    const auto host = slices(timeline, "host");
    ASSERT_EQ(host.size(), 6U);
    const std::uint64_t total = ran.result.counters.total;
    EXPECT_EQ(host[0].at("name"), "step 1");
    EXPECT_EQ(host[0].at("dur"), 2 * total);
    EXPECT_EQ(host[1].at("name"), "one");
    EXPECT_EQ(host[1].at("ts"), 0);
    EXPECT_EQ(host[3].at("name"), "step 2");
    EXPECT_EQ(host[3].at("ts"), 2 * total);
    const auto marks = events(timeline, "i");
    ASSERT_EQ(marks.size(), 2U);
    EXPECT_EQ(marks[1].at("ts"), 3 * total);
}

TEST(Timeline, events_are_sorted) {
    const isa::Target target = isa::reference_target(64);
    const Ran ran = product();
    Timeline timeline(target);
    timeline.begin_group("step");
    timeline.add(ran.program, ran.result);
    timeline.add(ran.program, ran.result);
    timeline.end_group();
    const Json document = Json::parse(timeline.to_json());
    EXPECT_EQ(document.at("traceEvents").size(), 11U + 3 + 2 * (5 + 4 + 2 * 5));
    std::uint64_t before = 0;
    for (const Json& event : document.at("traceEvents")) {
        const auto ts = event.value("ts", std::uint64_t{0});
        EXPECT_GE(ts, before) << event;
        before = ts;
    }
}

TEST(Timeline, a_trap_takes_its_fetch_and_nothing_more) {
    const isa::Target target = isa::reference_target(64);
    const Ran ran = run("LD d=0 n=8 x=0\nLD d=8190 n=8 x=0\nHALT\n");
    Timeline timeline(target);
    timeline.add(ran.program, ran.result);
    EXPECT_EQ(slices(timeline, "fetch").back().at("name"), "TRAP spad_range");
    EXPECT_EQ(length(slices(timeline, "fetch")), ran.result.counters.control);
    EXPECT_EQ(length(slices(timeline, "host")), ran.result.counters.total);
}

TEST(Timeline, a_program_without_a_name_has_one_in_the_picture) {
    const isa::Target target = isa::reference_target(64);
    const Ran ran = run("HALT\n");
    Timeline timeline(target);
    timeline.add(ran.program, ran.result);
    EXPECT_EQ(slices(timeline, "host").at(0).at("name"), "program");
}

TEST(Timeline, every_event_has_a_time_and_metadata_comes_first) {
    const isa::Target target = isa::reference_target(64);
    const Ran ran = product();
    Timeline timeline(target);
    timeline.add(ran.program, ran.result);
    const Json document = Json::parse(timeline.to_json());
    bool metadata = true;
    for (const Json& event : document.at("traceEvents")) {
        ASSERT_TRUE(event.contains("ts")) << event;
        if (event.at("ph") != "M") metadata = false;
        if (event.at("ph") != "M") continue;
        EXPECT_TRUE(metadata && event.at("ts") == 0) << event;
    }
}

TEST(Timeline, a_run_without_trace_is_refused) {
    const isa::Target target = isa::reference_target(64);
    Ran ran = product();
    ran.result.trace.clear();
    Timeline timeline(target);
    EXPECT_THROW(timeline.add(ran.program, ran.result), Error);
}

TEST(Timeline, a_fault_takes_cycles_of_its_unit) {
    Timeline timeline(isa::reference_target(64));
    // Memory is all ones: row 1 of 1 does not exist.
    const Ran ran = run("LD d=0 n=1 x=0\nLDX d=1 a=0 n=2 rows=1 x=0\nHALT\n");
    timeline.add(ran.program, ran.result);
    const std::vector<Json> dma = slices(timeline, "dma");
    ASSERT_EQ(dma.size(), 2U);
    EXPECT_EQ(dma[1].at("name"), "TRAP index_range");
    EXPECT_EQ(dma[1].at("ts"), 14);
    EXPECT_EQ(dma[1].at("dur"), 4);
    EXPECT_EQ(length(slices(timeline, "fetch")), 4U);
    const Json last = events(timeline, "C").back();
    EXPECT_EQ(last.at("args").value("loaded", 1), 1);
}

TEST(Timeline, keeps_what_it_needs_of_a_target_that_is_gone) {
    auto target = std::make_unique<isa::Target>(isa::reference_target(64));
    Timeline timeline(*target);
    target->fetch_decode_cycles = 1000;
    target.reset();
    const Ran ran = run("LD d=0 n=1 x=0\nHALT\n");
    timeline.add(ran.program, ran.result);
    EXPECT_EQ(length(slices(timeline, "fetch")), ran.result.counters.control);
}

TEST(Timeline, of_an_indexed_table_one_row_is_loaded) {
    Timeline timeline(isa::reference_target(64));
    const Ran ran = run("LD d=0 n=1 x=0\nLDX d=1 a=0 n=2 rows=5 x=0\nHALT\n");
    timeline.add(ran.program, ran.result);
    EXPECT_EQ(slices(timeline, "dma")[1].at("args").at("ext_read"), 2);
}

}  // namespace
}  // namespace capra::sim
