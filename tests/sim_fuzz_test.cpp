// The fuzzer's own laws: what it draws, and that shrinking keeps the difference and little else.
#include "sim/fuzz.hpp"

#include "isa/codec.hpp"
#include "sim/fuzz_case.hpp"
#include "sim/verify.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace capra::sim {
namespace {

using isa::Opcode;

const isa::Target kTarget = isa::reference_target(3000);

TEST(SimFuzz, the_same_seed_draws_the_same_program) {
    EXPECT_EQ(random_program(7, kTarget), random_program(7, kTarget));
    EXPECT_NE(random_program(7, kTarget).code, random_program(8, kTarget).code);
}

TEST(SimFuzz, every_program_is_defined_and_together_they_use_the_whole_isa) {
    std::map<Opcode, unsigned> opcodes;
    std::set<isa::Trap> traps;
    unsigned halted = 0;
    unsigned in_place = 0;
    unsigned last_cell = 0;
    constexpr unsigned kPrograms = 2000;
    for (std::uint64_t seed = 0; seed < kPrograms; ++seed) {
        const isa::Program program = random_program(seed, kTarget);
        ASSERT_TRUE(is_defined(program, kTarget)) << "seed " << seed;
        const Status end = verify(program, kTarget).end;
        halted += end.state == State::halted ? 1 : 0;
        traps.insert(end.trap);
        for (const isa::Word& word : program.code)
            if (const auto insn = isa::decode(word)) {
                ++opcodes[insn->op];
                in_place += insn->op == Opcode::rq && insn->acc == 0 && insn->d == insn->a ? 1 : 0;
                last_cell += isa::effect(*insn).end() == kTarget.spad_bytes ? 1 : 0;
            }
    }
    EXPECT_EQ(opcodes.size(), isa::kTable.size());
    for (const auto& [op, count] : opcodes) EXPECT_GT(count, 500U) << static_cast<int>(op);
    EXPECT_GT(halted, kPrograms / 2);
    EXPECT_EQ(traps.size(), isa::kTrapCount) << "every trap, and none";
    EXPECT_GT(last_cell, 100U);
    EXPECT_GT(in_place, 0U);
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
    isa::Program program = random_program(seed, kTarget);
    const auto differs = [](const isa::Program& candidate) {
        const Job job{&candidate, {}};
        return !planted({&job, 1}).pass();
    };
    while (!differs(program)) program = random_program(++seed, kTarget);
    const isa::Program small = shrink(program, kTarget, planted);
    ASSERT_TRUE(differs(small));
    EXPECT_TRUE(is_defined(small, kTarget));
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

}  // namespace
}  // namespace capra::sim
