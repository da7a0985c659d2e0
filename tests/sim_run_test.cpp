// Whole runs of the C++ machine: what they count, how they end, and what they leave for the next.
#include "sim/machine.hpp"

#include "isa/error.hpp"
#include "sim/model_engine.hpp"
#include "tests/sim_support.hpp"

#include <gtest/gtest.h>

namespace capra::sim {
namespace {

using isa::Opcode;
using Values = std::vector<std::int32_t>;

TEST(SimRun, counters_add_up_per_unit_and_every_instruction_pays_two_control_cycles) {
    Machine machine(isa::reference_target());
    const isa::Program program = program_of({{.op = Opcode::ld, .d = 0, .x = 0, .n = 4},
                                             {.op = Opcode::amax, .d = 8, .a = 0, .n = 4},
                                             {.op = Opcode::st, .a = 8, .x = 9, .n = 1},
                                             {.op = Opcode::halt}});
    std::vector<Retire> trace;
    const Status end = machine.run(decode_program(program, isa::reference_target()), trace);
    EXPECT_EQ(end, (Status{State::halted, isa::Trap::none, 3}));
    // LD 4+9, AMAX 4+3, ST 1+2, four times fetch and decode.
    EXPECT_EQ(machine.counters(), (Counters{31, 0, 16, 7, 8}));
    ASSERT_EQ(trace.size(), 4U);
    EXPECT_EQ(trace[0], (Retire{0, 15, isa::Unit::dma}));
    EXPECT_EQ(trace[1], (Retire{1, 24, isa::Unit::vector}));
    EXPECT_EQ(trace[2], (Retire{2, 29, isa::Unit::dma}));
    EXPECT_EQ(trace[3], (Retire{3, 31, isa::Unit::control}));
}

TEST(SimRun, cycles_are_counted_in_64_bits) {
    isa::Target target = isa::reference_target();
    for (isa::OpcodeCost& cost : target.costs)
        if (cost.op == Opcode::amax) cost.terms = {{0xffffffff}};  // the most a target may ask for
    const isa::Program program = program_of({{.op = Opcode::ld, .n = 3},
                                             {.op = Opcode::amax, .d = 9, .a = 0, .n = 3},
                                             {.op = Opcode::halt}});
    ModelEngine engine(target);
    const Counters counters = engine.run_one(program, {}).counters;
    EXPECT_EQ(counters.vector, 0xffffffffU);
    EXPECT_EQ(counters.total, counters.vector + 12 + 3 * 2);
    EXPECT_EQ(total_cycles(decode_program(program, target)), counters.total);
}

TEST(SimRun, a_program_uses_no_more_external_memory_than_there_is) {
    const isa::Program program = program_of({{.op = Opcode::halt}}, 300);
    EXPECT_THROW(decode_program(program, isa::reference_target(299)), Error);
    EXPECT_NO_THROW(decode_program(program, isa::reference_target(300)));
}

TEST(SimRun, a_trap_stops_in_decode_and_leaves_memory_as_it_was) {
    ModelEngine engine(isa::reference_target());
    const isa::Program program =
        program_of({{.op = Opcode::st, .a = 8190, .x = 0, .n = 3}, {.op = Opcode::halt}});
    const Values image = {1, 2, 3};
    const Result result = engine.run_one(program, image);
    EXPECT_EQ(result.status, (Status{State::trapped, isa::Trap::spad_range, 0}));
    EXPECT_EQ(result.counters, (Counters{2, 0, 0, 0, 2}));
    EXPECT_TRUE(result.trace.empty());
    EXPECT_EQ(Values(result.memory.begin(), result.memory.begin() + 3), image);
}

TEST(SimRun, running_off_the_end_traps_at_the_first_missing_instruction) {
    ModelEngine engine(isa::reference_target());
    const Result empty = engine.run_one(program_of({}), {});
    EXPECT_EQ(empty.status, (Status{State::trapped, isa::Trap::pc_range, 0}));
    EXPECT_EQ(empty.counters, (Counters{2, 0, 0, 0, 2}));
    const Result one = engine.run_one(program_of({{.op = Opcode::ld, .n = 1}}), {});
    EXPECT_EQ(one.status, (Status{State::trapped, isa::Trap::pc_range, 1}));
    EXPECT_EQ(one.counters, (Counters{14, 0, 10, 0, 4}));
}

TEST(SimRun, external_memory_is_cleared_between_runs) {
    ModelEngine engine(isa::reference_target());
    const isa::Program store = program_of({{.op = Opcode::ld, .d = 0, .x = 0, .n = 1},
                                           {.op = Opcode::st, .a = 0, .x = 9, .n = 1},
                                           {.op = Opcode::halt}});
    const isa::Program nothing = program_of({{.op = Opcode::halt}});
    const Values image = {42, 0, 7};
    EXPECT_EQ(engine.run_one(store, image).memory[9], 42);
    const Values after = engine.run_one(nothing, {}).memory;
    EXPECT_EQ(after, Values(after.size(), 0));
}

TEST(SimRun, a_new_image_clears_what_the_last_image_and_run_left) {
    const isa::Target target = isa::reference_target(16);
    Machine machine(target);
    const auto load = [&](const Values& image) {
        machine.load_memory(image);
        EXPECT_EQ(machine.external_end(), image.size());
        Values expected = image;
        expected.resize(16);
        EXPECT_EQ(machine.memories().ext, expected);
    };
    load({1, 2, 3, 4, 5});
    load({6, 7});
    const isa::Program store = program_of({{.op = Opcode::ld, .d = 0, .x = 0, .n = 1},
                                           {.op = Opcode::st, .a = 0, .x = 2, .n = 1},
                                           {.op = Opcode::halt}},
                                          16);
    machine.run(decode_program(store, target));
    EXPECT_EQ(machine.external_end(), 3U);
    EXPECT_EQ(machine.memories().ext[2], 6);
    load({8, 9});
}

TEST(SimRun, every_run_counts_from_zero_and_does_the_same_with_a_trace_and_without) {
    const isa::Target target = isa::reference_target(16);
    const DecodedProgram program =
        decode_program(program_of({{.op = Opcode::ld, .d = 0, .x = 0, .n = 4},
                                   {.op = Opcode::amax, .d = 8, .a = 0, .n = 4},
                                   {.op = Opcode::st, .a = 8, .x = 9, .n = 1},
                                   {.op = Opcode::halt}},
                                  16),
                       target);
    Machine machine(target);
    for (const bool traced : {false, true, true, false, false}) {
        machine.load_memory(Values{1, 2, 9, 3});
        std::vector<Retire> trace;
        const Status end = traced ? machine.run(program, trace) : machine.run(program);
        EXPECT_EQ(end, (Status{State::halted, isa::Trap::none, 3}));
        EXPECT_EQ(machine.counters(), (Counters{31, 0, 16, 7, 8}));
        EXPECT_EQ(machine.memories().ext[9], 2);
        EXPECT_EQ(trace.size(), traced ? 4U : 0U);
    }
}

TEST(SimRun, a_program_or_image_may_fill_its_memory_and_is_refused_beyond) {
    isa::Program program = program_of({});
    program.code.resize(1024);
    EXPECT_NO_THROW(decode_program(program, isa::reference_target()));
    program.code.resize(1025);
    EXPECT_THROW(decode_program(program, isa::reference_target()), Error);
    Machine machine(isa::reference_target(16));
    EXPECT_NO_THROW(machine.load_memory(Values(16, 0)));
    EXPECT_THROW(machine.load_memory(Values(17, 0)), Error);
}

}  // namespace
}  // namespace capra::sim
