// The fuzzer's own laws: what it draws, and that shrinking keeps the difference and little else.
#include "sim/fuzz.hpp"

#include "isa/codec.hpp"
#include "sim/exec.hpp"
#include "sim/fuzz_bounds.hpp"
#include "sim/fuzz_case.hpp"
#include "sim/machine.hpp"
#include "sim/verify.hpp"

#include "tests/sim_support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>

namespace capra::sim {
namespace {

using isa::Instruction;
using isa::Opcode;

const isa::Target& reference() {
    static const isa::Target target = isa::reference_target(3000);
    return target;
}

/// True if some SM of the program would give other probabilities were 2^-16 counted as 0.
bool depends_on_smallest_exponential(const isa::Program& program) {
    const DecodedProgram decoded = decode_program(program, reference());
    Machine machine(reference());
    machine.load_memory(isa::initial_memory(program));
    machine.begin();
    for (std::size_t i = 0; i < decoded.steps.size(); ++i) {
        const Instruction& insn = decoded.steps[i].insn;
        const std::vector<std::int8_t> before = machine.memories().spad;
        machine.step(decoded, i);
        if (insn.op != Opcode::sm) continue;
        const auto row = std::span(before).subspan(insn.a, insn.n);
        const int top = *std::max_element(row.begin(), row.end());
        std::int64_t sum = 0;
        for (const int x : row)
            if (const auto e = softmax_exponential(top - x, insn.scale); e > 1) sum += e;
        const std::int64_t reciprocal = (std::int64_t{127} << 32) / sum;
        const std::int64_t first =
            round_shift(softmax_exponential(top - row[0], insn.scale) * reciprocal, 32);
        if (first != machine.memories().spad[insn.d]) return true;
    }
    return false;
}

/// True if some index of the program names no row.
bool faults(const isa::Program& program) {
    Machine machine(reference());
    machine.load_memory(isa::initial_memory(program));
    return machine.run(decode_program(program, reference())).trap == isa::Trap::index_range;
}

TEST(SimFuzz, the_same_seed_draws_the_same_program) {
    EXPECT_EQ(random_program(7, reference()), random_program(7, reference()));
    EXPECT_NE(random_program(7, reference()).code, random_program(8, reference()).code);
}

TEST(SimFuzz, every_program_is_defined_and_together_they_use_the_whole_isa) {
    std::map<Opcode, unsigned> opcodes;
    std::set<isa::Trap> traps;
    unsigned halted = 0;
    unsigned index_faults = 0;
    unsigned in_place = 0;
    unsigned last_cell = 0;
    constexpr unsigned kPrograms = 2000;
    for (std::uint64_t seed = 0; seed < kPrograms; ++seed) {
        const isa::Program program = random_program(seed, reference());
        ASSERT_TRUE(is_defined(program, reference())) << "seed " << seed;
        const Status end = verify(program, reference()).end;
        halted += end.state == State::halted ? 1 : 0;
        index_faults += faults(program) ? 1 : 0;
        traps.insert(end.trap);
        for (const isa::Word& word : program.code)
            if (const auto insn = isa::decode(word)) {
                ++opcodes[insn->op];
                in_place += insn->op == Opcode::rq && insn->acc == 0 && insn->d == insn->a ? 1 : 0;
                last_cell += isa::effect(*insn).end() == reference().spad_bytes ? 1 : 0;
            }
    }
    EXPECT_EQ(opcodes.size(), isa::kTable.size());
    for (const auto& [op, count] : opcodes) EXPECT_GT(count, 500U) << static_cast<int>(op);
    EXPECT_GT(halted, kPrograms / 2);
    EXPECT_EQ(traps.size(), isa::kTrapCount - 1) << "none, and every trap that the text decides";
    EXPECT_GT(index_faults, 50U);
    EXPECT_LT(index_faults, kPrograms / 4) << "most programs run on to their end";
    EXPECT_GT(last_cell, 100U);
    EXPECT_GT(in_place, 0U);
}

TEST(SimFuzz, just_illegal_misses_each_bound_by_one) {
    std::vector<Instruction> mm = just_illegal({.op = Opcode::mm,
                                                .d = 0,
                                                .a = 0,
                                                .b = 0,
                                                .m = 2,
                                                .k = 5,
                                                .n = 3,
                                                .sa = 7,
                                                .sb = 4,
                                                .sd = 6},
                                               reference());
    for (const Instruction& insn : mm) EXPECT_NE(isa::check(insn, reference()), isa::Trap::none);
    const auto has = [&](isa::Field field, std::uint32_t value) {
        return std::any_of(mm.begin(), mm.end(),
                           [&](const Instruction& insn) { return insn.*field == value; });
    };
    EXPECT_TRUE(has(&Instruction::d, 1024 - 6 - 3 + 1)) << "two rows of three, six apart";
    EXPECT_TRUE(has(&Instruction::a, 8192 - 7 - 5 + 1));
    EXPECT_TRUE(has(&Instruction::b, 8192 - 4 * 4 - 3 + 1));
    EXPECT_TRUE(has(&Instruction::m, 0) && has(&Instruction::m, 5));
    EXPECT_TRUE(has(&Instruction::k, 0) && has(&Instruction::k, 257));
    EXPECT_TRUE(has(&Instruction::n, 0) && has(&Instruction::n, 5));
    EXPECT_TRUE(has(&Instruction::sd, 0));
    EXPECT_EQ(mm.size(), 3U + 6 + 3);
    EXPECT_TRUE(just_illegal({.op = Opcode::halt}, reference()).empty());
    const auto topk = just_illegal({.op = Opcode::topk, .a = 9, .k = 2, .n = 5}, reference());
    EXPECT_TRUE(std::any_of(topk.begin(), topk.end(), [](const auto& i) { return i.k == 6; }));
}

/// Rows whose probabilities change when the smallest exponential that counts is left out.
TEST(SimFuzz, the_edges_of_softmax_and_of_the_bounds_are_drawn) {
    unsigned accumulators_by_one = 0;
    unsigned smallest_exponential = 0;
    for (std::uint64_t seed = 0; seed < 6000; ++seed) {
        const isa::Program program = random_program(seed, reference());
        for (const isa::Word& word : program.code) {
            const auto insn = isa::decode(word);
            if (!insn) continue;
            if (insn->op == Opcode::mm && isa::check(*insn, reference()) == isa::Trap::acc_range)
                accumulators_by_one +=
                    isa::effect(*insn).end() == reference().acc_words + 1 ? 1 : 0;
        }
        smallest_exponential += depends_on_smallest_exponential(program) ? 1 : 0;
    }
    EXPECT_GE(accumulators_by_one, 3U);
    EXPECT_GE(smallest_exponential, 3U);
}

/// A planted fault: "differs" whenever some VADD adds at least four elements.
ReplayReport planted(std::span<const Job> jobs) {
    ReplayReport report;
    for (const isa::Word& word : jobs[0].program->code) {
        const auto insn = isa::decode(word);
        if (insn && insn->op == Opcode::vadd && insn->n >= 4) report.divergence = Divergence{};
    }
    return report;
}

TEST(SimFuzz, shrinking_leaves_only_what_the_difference_needs) {
    std::uint64_t seed = 0;
    isa::Program program = random_program(seed, reference());
    const auto differs = [](const isa::Program& candidate) {
        const Job job{&candidate, {}};
        return !planted({&job, 1}).pass();
    };
    while (!differs(program)) program = random_program(++seed, reference());
    const isa::Program small = shrink(program, reference(), planted);
    ASSERT_TRUE(differs(small));
    EXPECT_TRUE(is_defined(small, reference()));
    EXPECT_LE(small.code.size(), 3U) << "a load, the VADD, nothing else needed";
    const auto vadd = std::find_if(small.code.begin(), small.code.end(), [](const isa::Word& word) {
        return isa::decode(word)->op == Opcode::vadd;
    });
    ASSERT_NE(vadd, small.code.end());
    EXPECT_EQ(isa::decode(*vadd)->n, 4U);
    for (const isa::DataBlock& block : small.data)
        EXPECT_TRUE(std::all_of(block.values.begin(), block.values.end(),
                                [](std::int8_t v) { return v == 0; }));
}

/// A rounding fault that needs a large multiplier: 2^30 steps of one are out of the question.
TEST(SimFuzz, shrinking_a_field_of_31_bits_takes_few_comparisons) {
    const isa::Program program =
        with_data(program_of({{.op = Opcode::ld, .d = 0, .x = 0, .n = 4},
                              {.op = Opcode::rq, .d = 0, .a = 0, .n = 4, .mult = 0x7ffffff0},
                              {.op = Opcode::halt}}),
                  {1, 2, 3, 4});
    unsigned comparisons = 0;
    const auto differs = [&](std::span<const Job> jobs) {
        if (++comparisons > 10000) throw std::runtime_error("too many comparisons");
        ReplayReport report;
        for (const isa::Word& word : jobs[0].program->code) {
            const auto insn = isa::decode(word);
            if (insn && insn->op == Opcode::rq && insn->mult > 0x40000000)
                report.divergence = Divergence{};
        }
        return report;
    };
    const isa::Program small = shrink(program, reference(), differs);
    EXPECT_LE(comparisons, 200U);
    const auto rq = std::find_if(small.code.begin(), small.code.end(), [](const isa::Word& word) {
        return isa::decode(word)->op == Opcode::rq;
    });
    ASSERT_NE(rq, small.code.end());
    EXPECT_EQ(isa::decode(*rq)->mult, 0x40000001U);
    EXPECT_EQ(isa::decode(*rq)->n, 1U);
}

TEST(SimFuzz, shrinking_stops_when_its_comparisons_are_used_up) {
    unsigned comparisons = 0;
    const auto differs = [&](std::span<const Job>) {
        ++comparisons;
        ReplayReport report;
        report.divergence = Divergence{};
        return report;
    };
    const isa::Program program = random_program(1, reference());
    EXPECT_EQ(shrink(program, reference(), differs, 0), program);
    EXPECT_EQ(comparisons, 0U);
    shrink(program, reference(), differs, 3);
    EXPECT_EQ(comparisons, 3U);
}

TEST(SimFuzz, a_difference_is_told_before_it_is_shrunk) {
    isa::Target target = reference();
    for (isa::OpcodeCost& cost : target.costs)
        if (cost.op == Opcode::amax) cost.terms.back().coefficient += 1;
    std::optional<FuzzFailure> drawn;
    const FuzzReport report = fuzz(1, 50, {"verilator"}, target, {},
                                   [&](const FuzzFailure& failure) { drawn = failure; });
    ASSERT_TRUE(report.failure.has_value());
    ASSERT_TRUE(drawn.has_value());
    EXPECT_EQ(drawn->seed, report.failure->seed);
    EXPECT_EQ(drawn->program, random_program(drawn->seed, target));
    EXPECT_EQ(drawn->divergence.what, "cycle");
    EXPECT_LT(report.failure->program.code.size(), drawn->program.code.size());
}

}  // namespace
}  // namespace capra::sim
