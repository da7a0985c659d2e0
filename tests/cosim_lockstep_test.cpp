// Lock-step: equal where the engines must be equal, and a difference is seen at its first
// instruction with everything a person needs to find it.
#include "sim/replay.hpp"

#include "sim/fuzz.hpp"
#include "sim/fuzz_case.hpp"
#include "sim/lockstep.hpp"
#include "sim/verilator_engine.hpp"
#include "tests/sim_support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <utility>

namespace capra::sim {
namespace {

using isa::Opcode;

class EachRtlEngine : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Cosim, EachRtlEngine, testing::Values("verilator", "icarus"),
                         [](const auto& name) { return std::string(name.param); });

/// Loads, multiplies, requantises, stores.
isa::Program small_program() {
    return program_of({{.op = Opcode::ld, .d = 0, .x = 0, .n = 8},
                       {.op = Opcode::mm,
                        .d = 0,
                        .a = 0,
                        .b = 4,
                        .m = 1,
                        .k = 4,
                        .n = 1,
                        .sa = 4,
                        .sb = 1,
                        .sd = 1},
                       {.op = Opcode::rq, .d = 8, .a = 0, .n = 1, .mult = 1, .acc = 1},
                       {.op = Opcode::st, .a = 8, .x = 8, .n = 1},
                       {.op = Opcode::halt}});
}

const std::vector<std::int32_t> kImage = {1, 2, 3, 4, 5, 6, 7, 8};

/// What the Error says that `call` throws; nothing if it throws none.
std::string message_of(const std::function<void()>& call) {
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

ReplayReport replay_small(const char* engine, const isa::Target& target) {
    const isa::Program program = small_program();
    const Job job{&program, kImage};
    return replay(engine, target, {&job, 1});
}

TEST_P(EachRtlEngine, an_equal_run_reports_what_was_compared) {
    const ReplayReport report = replay_small(GetParam(), isa::reference_target());
    ASSERT_TRUE(report.pass()) << to_string(*report.divergence);
    EXPECT_EQ(report.retires, 5U);
    EXPECT_EQ(report.cells, 8U + 1 + 1 + 1 + 256) << "written cells, then the program's memory";
    // LD 17, MM 4+4+4+1+1+1+5, RQ 3, ST 3, five times fetch and decode.
    ASSERT_EQ(report.counters.size(), 1U);
    EXPECT_EQ(report.counters[0], (Counters{53, 20, 20, 3, 10}));
    EXPECT_EQ(report.cycles, 53U);
}

TEST_P(EachRtlEngine, a_wrong_cycle_is_seen_at_the_instruction_that_took_it) {
    isa::Target target = isa::reference_target();
    for (isa::OpcodeCost& cost : target.costs)
        if (cost.op == Opcode::rq) cost.terms.back().coefficient += 1;
    const ReplayReport report = replay_small(GetParam(), target);
    ASSERT_FALSE(report.pass());
    EXPECT_EQ(report.divergence->pc, 2U);
    EXPECT_EQ(report.divergence->what, "cycle");
    EXPECT_EQ(report.divergence->instruction, "RQ acc=1 relu=0 d=8 a=0 n=1 shift=0 mult=1");
    EXPECT_EQ(report.divergence->expected, "47");
    EXPECT_EQ(report.divergence->got, "46");
}

TEST(CosimLockstep, a_trap_the_machine_does_not_see_ends_the_run) {
    isa::Target target = isa::reference_target();
    target.softmax_max = 300;  // the RTL still refuses rows beyond 256
    const isa::Program program = program_of({{.op = Opcode::ld, .d = 0, .x = 0, .n = 300},
                                             {.op = Opcode::sm, .d = 0, .a = 0, .n = 257},
                                             {.op = Opcode::halt}});
    const auto core = make_verilated_core(isa::reference_target());
    Lockstep lockstep(target, *core);
    ReplayReport report;
    const auto divergence = lockstep.run(0, {&program, kImage}, report);
    ASSERT_TRUE(divergence.has_value());
    EXPECT_EQ(divergence->pc, 1U);
    EXPECT_EQ(divergence->what, "state");
}

TEST_P(EachRtlEngine, a_target_the_rtl_was_not_built_for_is_refused) {
    using isa::Target;
    const isa::Program program = small_program();
    const Job job{&program, kImage};
    const std::pair<std::string, std::uint32_t Target::*> sizes[] = {
        {"spad_bytes", &Target::spad_bytes},
        {"acc_words", &Target::acc_words},
        {"prog_words", &Target::prog_words},
        {"tile_rows", &Target::tile_rows},
        {"tile_cols", &Target::tile_cols},
        {"tile_depth", &Target::tile_depth},
        {"softmax_max", &Target::softmax_max},
        {"argmax_max", &Target::argmax_max},
        {"ext_latency_cycles", &Target::ext_latency_cycles}};
    for (const auto& [name, size] : sizes)
        for (const std::uint32_t value : {0U, 2 * (isa::reference_target().*size)}) {
            Target target = isa::reference_target();
            target.*size = value;
            const std::string message = "target reference: the RTL was built with " + name + " " +
                                        std::to_string(isa::reference_target().*size) + ", not " +
                                        std::to_string(value);
            EXPECT_EQ(message_of([&] { replay(GetParam(), target, {&job, 1}); }), message);
            EXPECT_EQ(message_of([&] { make_engine(GetParam(), target); }), message);
        }
    EXPECT_NE(message_of([&] {
                  replay(GetParam(), isa::reference_target(isa::kMaxExtWords + 1), {&job, 1});
              }),
              "");
}

TEST(CosimLockstep, the_rtl_was_built_with_the_memories_of_the_reference_profile) {
    const auto core = make_verilated_core(isa::reference_target());
    EXPECT_EQ(core->scratchpad().size(), isa::reference_target().spad_bytes);
    EXPECT_EQ(core->accumulators().size(), isa::reference_target().acc_words);
}

TEST(CosimLockstep, a_wrong_cell_is_named_with_both_values) {
    // Reading what nothing wrote is what random reset values bring to light.
    const isa::Program program =
        program_of({{.op = Opcode::ld, .d = 0, .x = 0, .n = 8},
                    {.op = Opcode::vadd, .d = 16, .a = 0, .b = 100, .n = 8},
                    {.op = Opcode::halt}});
    const Job job{&program, kImage};
    const auto target = isa::reference_target();
    const ReplayReport report = replay("verilator", target, {&job, 1}, {.mode = 2, .seed = 7});
    ASSERT_FALSE(report.pass());
    const Divergence& d = *report.divergence;
    EXPECT_EQ(d.pc, 1U);
    EXPECT_EQ(d.what, "spad");
    EXPECT_GE(d.element, 16U);
    EXPECT_LT(d.element, 24U);
    EXPECT_EQ(d.expected, std::to_string(kImage[d.element - 16]));
    EXPECT_NE(d.got, d.expected);
    EXPECT_EQ(to_string(d).substr(0, 78),
              "program 0 (test), instruction 1: VADD d=16 a=0 b=100 n=8; cycle 39: spad " +
                  std::to_string(d.element) + ": e");
}

TEST(CosimLockstep, every_trap_stops_both_in_the_same_cycle_with_the_same_code) {
    std::vector<isa::Program> programs;
    const auto bad = [&](isa::Word word) {
        isa::Program program = program_of({{.op = Opcode::ld, .n = 4}});
        program.code.push_back(word);
        program.code.push_back(isa::encode({.op = Opcode::halt}));
        programs.push_back(program);
    };
    bad({.lo = 0x55});
    bad({.lo = 0x01, .hi = 1});
    bad(isa::encode({.op = Opcode::ld, .n = 0}));
    bad(isa::encode({.op = Opcode::ld, .d = 8192, .n = 1}));
    bad(isa::encode({.op = Opcode::rq, .d = 0, .a = 1024, .n = 1, .acc = 1}));
    bad(isa::encode({.op = Opcode::ld, .x = 8192, .n = 1}));
    bad(isa::encode({.op = Opcode::rq, .d = 1, .a = 0, .n = 2}));
    programs.push_back(program_of({{.op = Opcode::ld, .n = 4}}));
    programs.push_back(program_of({}));
    std::vector<Job> jobs;
    for (const isa::Program& program : programs) jobs.push_back({&program, kImage});
    for (const char* engine : {"verilator", "icarus"}) {
        const ReplayReport report = replay(engine, isa::reference_target(), jobs);
        EXPECT_TRUE(report.pass()) << engine << ": " << to_string(*report.divergence);
    }
    VerilatorEngine engine(isa::reference_target());
    const auto results = engine.run(jobs);
    for (unsigned i = 0; i < 7; ++i) {
        EXPECT_EQ(results[i].status, (Status{State::trapped, static_cast<isa::Trap>(i + 1), 1}));
        EXPECT_EQ(results[i].counters, (Counters{17, 0, 13, 0, 4}));
    }
    EXPECT_EQ(results[7].status, (Status{State::trapped, isa::Trap::pc_range, 1}));
    EXPECT_EQ(results[8].status, (Status{State::trapped, isa::Trap::pc_range, 0}));
}

TEST(CosimLockstep, nothing_depends_on_what_the_core_held_at_power_up) {
    std::vector<isa::Program> programs;
    std::vector<std::vector<std::int32_t>> memories;
    const isa::Target target = isa::reference_target(3000);
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        programs.push_back(random_program(seed, target));
        memories.push_back(isa::initial_memory(programs.back()));
    }
    std::vector<Job> jobs;
    for (std::size_t i = 0; i < programs.size(); ++i) jobs.push_back({&programs[i], memories[i]});
    for (const ResetRandomness randomness :
         {ResetRandomness{0, 1}, {1, 1}, {2, 1}, {2, 2}, {2, 3}}) {
        const ReplayReport report = replay("verilator", target, jobs, randomness);
        EXPECT_TRUE(report.pass()) << "mode " << randomness.mode << " seed " << randomness.seed
                                   << ": " << to_string(*report.divergence);
    }
}

TEST_P(EachRtlEngine, words_of_memory_wider_than_a_byte_are_read_as_their_low_byte) {
    const isa::Program program = small_program();
    const std::vector<std::int32_t> wide = {0x101, 0x7f02, -253, 0x10004, 5, 6, 7, 8};
    const Job jobs[] = {{&program, wide}, {&program, kImage}};
    EXPECT_TRUE(replay(GetParam(), isa::reference_target(), jobs).pass());
    const auto engine = make_engine(GetParam(), isa::reference_target());
    const auto results = engine->run(jobs);
    EXPECT_EQ(results[0].memory[8], 1 * 5 + 2 * 6 + 3 * 7 + 4 * 8);
    EXPECT_EQ(results[1].memory[8], 70);
}

TEST_P(EachRtlEngine, runs_trace_and_memory_equal_the_machines) {
    const isa::Program program = small_program();
    const Job job{&program, kImage};
    const auto target = isa::reference_target();
    const Result got = std::move(make_engine(GetParam(), target)->run({&job, 1}).front());
    const Result want = std::move(make_engine("model", target)->run({&job, 1}).front());
    EXPECT_EQ(got.status, want.status);
    EXPECT_EQ(got.counters, want.counters);
    EXPECT_EQ(got.memory, want.memory);
    EXPECT_EQ(got.trace, want.trace);
}

TEST_P(EachRtlEngine, the_largest_external_memory_is_addressed_to_its_last_word) {
    const isa::Target target = isa::reference_target(isa::kMaxExtWords);
    const std::uint32_t last = isa::kMaxExtWords - 1;
    const isa::Program program = program_of({{.op = Opcode::ld, .d = 0, .x = 0, .n = 1},
                                             {.op = Opcode::st, .a = 0, .x = last, .n = 1},
                                             {.op = Opcode::ld, .d = 1, .x = last, .n = 1},
                                             {.op = Opcode::ld, .d = 2, .x = last, .n = 2},
                                             {.op = Opcode::halt}});
    const Job job{&program, kImage};
    const ReplayReport report = replay(GetParam(), target, {&job, 1});
    EXPECT_TRUE(report.pass()) << to_string(*report.divergence);
    EXPECT_EQ(make_engine(GetParam(), target)->run({&job, 1})[0].status,
              (Status{State::trapped, isa::Trap::ext_range, 3}));
}

TEST(CosimLockstep, cores_of_one_thread_may_end_in_any_order) {
    const isa::Program program = small_program();
    const auto target = isa::reference_target();
    auto first = make_verilated_core(target);
    auto second = make_verilated_core(target);
    second.reset();
    first->load(program, kImage);
    first->start(1000);
    first->run_to_stop();
    EXPECT_EQ(first->status().state, State::halted);
    second = make_verilated_core(target);
    second.reset();
    first.reset();
    EXPECT_EQ(first, nullptr);
}

}  // namespace
}  // namespace capra::sim
