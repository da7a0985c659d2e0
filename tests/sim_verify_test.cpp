// The static verifier: what it refuses, and that what it predicts is what the machine does.
#include "sim/verify.hpp"

#include "sim/fuzz_case.hpp"
#include "sim/model_engine.hpp"
#include "sim/replay.hpp"
#include "tests/sim_support.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace capra::sim {
namespace {

using isa::Opcode;

const isa::Target& reference() {
    static const isa::Target target = isa::reference_target();
    return target;
}

std::string findings(const isa::Program& program) {
    std::string text;
    for (const Finding& finding : verify(program, reference()).findings)
        text += finding.text + "\n";
    return text;
}

TEST(SimVerify, a_program_that_reads_what_it_wrote_and_halts_is_safe) {
    EXPECT_EQ(findings(program_of({{.op = Opcode::ld, .d = 10, .x = 0, .n = 4},
                                   {.op = Opcode::amax, .d = 14, .a = 10, .n = 4},
                                   {.op = Opcode::st, .a = 10, .x = 4, .n = 5},
                                   {.op = Opcode::halt}})),
              "");
}

TEST(SimVerify, the_first_unwritten_cell_an_instruction_reads_is_named) {
    EXPECT_EQ(findings(program_of({{.op = Opcode::ld, .d = 10, .x = 0, .n = 4},
                                   {.op = Opcode::amax, .d = 0, .a = 10, .n = 6},
                                   {.op = Opcode::halt}})),
              "instruction 1 (AMAX d=0 a=10 n=6): reads scratchpad cell 14, which nothing wrote\n");
    EXPECT_EQ(findings(program_of(
                  {{.op = Opcode::rq, .d = 0, .a = 3, .n = 1, .acc = 1}, {.op = Opcode::halt}})),
              "instruction 0 (RQ acc=1 relu=0 d=0 a=3 n=1 shift=0 mult=0): reads accumulator cell "
              "3, which nothing wrote\n");
}

TEST(SimVerify, a_finding_has_the_pc_of_its_instruction_and_0_if_it_has_none) {
    isa::Program program = program_of({{.op = Opcode::ld, .d = 10, .x = 0, .n = 4},
                                       {.op = Opcode::amax, .d = 0, .a = 9, .n = 1},
                                       {.op = Opcode::halt}});
    program.data.push_back({.address = 255, .values = {1, 2}});
    const auto found = verify(program, reference()).findings;
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].pc, 1U);
    EXPECT_EQ(found[1].pc, 0U);
}

TEST(SimVerify, the_gaps_between_strided_rows_stay_unwritten) {
    const auto read_acc = [](std::uint32_t cell) {
        return program_of({{.op = Opcode::ld, .d = 0, .x = 0, .n = 8},
                           {.op = Opcode::mm,
                            .d = 0,
                            .a = 0,
                            .b = 0,
                            .m = 2,
                            .k = 2,
                            .n = 2,
                            .sa = 2,
                            .sb = 2,
                            .sd = 5},
                           {.op = Opcode::rq, .d = 0, .a = cell, .n = 1, .acc = 1},
                           {.op = Opcode::halt}});
    };
    for (const std::uint32_t cell : {0U, 1U, 5U, 6U}) EXPECT_EQ(findings(read_acc(cell)), "");
    for (const std::uint32_t cell : {2U, 4U, 7U}) EXPECT_NE(findings(read_acc(cell)), "") << cell;
}

TEST(SimVerify, a_program_must_end_in_halt_and_nowhere_before) {
    EXPECT_EQ(findings(program_of({{.op = Opcode::ld, .n = 1}})),
              "instruction 1 (end of code): traps with pc_range: the program counter ran past the "
              "last instruction\n");
    EXPECT_EQ(findings(program_of({{.op = Opcode::halt}, {.op = Opcode::halt}})),
              "instruction 0 (HALT): 1 instructions behind HALT are never reached\n");
}

TEST(SimVerify, external_accesses_symbols_and_data_stay_in_the_programs_memory) {
    EXPECT_EQ(findings(program_of({{.op = Opcode::ld, .x = 9, .n = 1}, {.op = Opcode::halt}}, 10)),
              "");
    EXPECT_EQ(findings(program_of({{.op = Opcode::ld, .x = 9, .n = 2}, {.op = Opcode::halt}}, 10)),
              "instruction 0 (LD d=0 n=2 x=9): external word 10 is outside the program's memory of "
              "10\n");
    isa::Program program = program_of({{.op = Opcode::halt}}, 10);
    program.symbols.push_back(
        {.kind = isa::SymbolKind::output, .name = "y", .address = 8, .rows = 1, .cols = 3});
    program.data.push_back({.address = 9, .values = {1, 2}});
    EXPECT_EQ(findings(program),
              "data at 9 ends at word 11, outside the program's memory of 10\n"
              "symbol 'y' ends at word 11, outside the program's memory of 10\n");
}

RC_GTEST_PROP(SimVerify, end_and_counters_are_what_the_machine_reports, (std::uint64_t seed)) {
    const isa::Program program = random_program(seed, reference());
    ModelEngine engine(reference());
    const Result result = engine.run_one(program, isa::initial_memory(program));
    const bool faulty = result.status.trap == isa::Trap::index_range;
    const Verification report =
        verify(program, reference(), faulty ? std::optional(result.status.pc) : std::nullopt);
    RC_ASSERT(result.status == report.end);
    RC_ASSERT(result.counters == report.counters);
    RC_ASSERT(report.counters.total == report.counters.matrix + report.counters.dma +
                                           report.counters.vector + report.counters.control);
}

/// Two indexed loads; the second index is whatever the first one loaded.
isa::Program chained() {
    return program_of({{.op = Opcode::ld, .d = 0, .x = 0, .n = 1},
                       {.op = Opcode::ldx, .d = 1, .a = 0, .x = 1, .rows = 3, .n = 1},
                       {.op = Opcode::vadd, .d = 2, .a = 0, .b = 1, .n = 1},
                       {.op = Opcode::ldxw, .d = 3, .x = 1, .w = 0, .rows = 2, .n = 1},
                       {.op = Opcode::halt}},
                      4);
}

TEST(SimVerify, an_indexed_load_is_safe_and_named_because_it_may_trap) {
    const Verification report = verify(chained(), reference());
    EXPECT_TRUE(report.ok());
    EXPECT_EQ(report.indexed, (std::vector<std::uint32_t>{1, 3}));
    EXPECT_EQ(report.end, (Status{State::halted, isa::Trap::none, 4}));
    // LD 10, LDX 14, LDXW 20; VADD 4.
    EXPECT_EQ(report.counters, (Counters{58, 0, 44, 4, 10}));
}

TEST(SimVerify, all_rows_of_a_table_lie_in_the_programs_memory) {
    isa::Program program = chained();
    program.memory_words = 3;
    EXPECT_NE(findings(program).find("external word 3 is outside"), std::string::npos);
}

TEST(SimVerify, a_run_that_ends_at_a_fault_is_priced_too) {
    const Verification first = verify(chained(), reference(), 1);
    EXPECT_EQ(first.end, (Status{State::trapped, isa::Trap::index_range, 1}));
    EXPECT_EQ(first.counters, (Counters{18, 0, 14, 0, 4}));
    const Verification second = verify(chained(), reference(), 3);
    EXPECT_EQ(second.end, (Status{State::trapped, isa::Trap::index_range, 3}));
    EXPECT_EQ(second.counters, (Counters{46, 0, 34, 4, 8}));
    EXPECT_EQ(second.indexed, (std::vector<std::uint32_t>{1}));
}

/// The machine ends where the data say, at the price that the text says.
TEST(SimVerify, the_machine_is_held_to_the_price_of_a_fault) {
    for (const std::int32_t index : {0, 1, 2, 3}) {
        const isa::Program program = chained();
        const std::vector<std::int32_t> memory = {index};
        const Job job{&program, memory};
        const ReplayReport report = replay("model", reference(), {&job, 1});
        EXPECT_TRUE(report.pass()) << to_string(*report.divergence);
        const std::uint64_t expected = index < 2 ? 58 : index < 3 ? 46 : 18;
        EXPECT_EQ(report.cycles, expected) << index;
    }
}

}  // namespace
}  // namespace capra::sim
