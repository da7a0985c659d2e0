// The programs of the chapter have the published instruction counts, words and cycles.
#include "compiler/compile.hpp"
#include "isa/codec.hpp"
#include "isa/table.hpp"
#include "tests/compiler_support.hpp"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <string>

namespace capra {
namespace {

using compiler_testing::attention_router;
using compiler_testing::dense;
using compiler_testing::expert;
using compiler_testing::single_block;
using Histogram = std::map<std::string, unsigned>;
/// total, matrix, dma, vector.
using Cycles = std::array<std::uint64_t, 4>;

isa::Program compile(const compiler::Graph& graph) {
    return compiler::compile(graph, compiler_testing::some_ranges(graph), isa::reference_target());
}

Histogram histogram(const isa::Program& program) {
    Histogram counts;
    for (const auto& word : program.code)
        ++counts[std::string(isa::row_of(isa::decode(word)->op).mnemonic)];
    return counts;
}

Cycles cycles(const isa::Program& program) {
    const auto target = isa::reference_target();
    std::array<std::uint64_t, 4> units{};
    std::uint64_t total = 0;
    for (const auto& word : program.code) {
        const auto insn = *isa::decode(word);
        const auto spent = target.unit_cycles(insn);
        units[static_cast<std::size_t>(isa::row_of(insn.op).unit)] += spent;
        total += spent + target.fetch_decode_cycles;
    }
    return {total, units[2], units[1], units[3]};
}

std::uint64_t words_moved(const isa::Program& program, isa::Opcode op) {
    std::uint64_t words = 0;
    for (const auto& word : program.code)
        if (const auto insn = *isa::decode(word); insn.op == op) words += insn.n;
    return words;
}

template <typename Build>
std::array<std::uint64_t, 3> step1_step24_sum(Build build) {
    std::uint64_t sum = 0;
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    for (std::uint32_t context = 1; context <= 24; ++context) {
        last = cycles(compile(build(context)))[0];
        if (context == 1) first = last;
        sum += last;
    }
    return {first, last, sum};
}

TEST(CompilerCounts, attention_and_router_has_the_published_instructions_and_words) {
    const auto program = compile(attention_router(8));
    EXPECT_EQ(histogram(program), (Histogram{{"LD", 8},
                                             {"MM", 23},
                                             {"RQ", 10},
                                             {"SM", 1},
                                             {"VADD", 1},
                                             {"ST", 5},
                                             {"AMAX", 1},
                                             {"HALT", 1}}));
    EXPECT_EQ(words_moved(program, isa::Opcode::ld), 1328U);
    EXPECT_EQ(words_moved(program, isa::Opcode::st), 16U + 1 + 4 + 16 + 16);
}

TEST(CompilerCounts, expert_has_the_published_instructions_and_words) {
    const auto program = compile(expert(1));
    EXPECT_EQ(
        histogram(program),
        (Histogram{
            {"LD", 4}, {"MM", 16}, {"RQ", 4}, {"VADD", 1}, {"AMAX", 1}, {"ST", 2}, {"HALT", 1}}));
    EXPECT_EQ(words_moved(program, isa::Opcode::ld), 1296U);
    EXPECT_EQ(words_moved(program, isa::Opcode::st), 17U);
}

TEST(CompilerCounts, attention_and_router_takes_the_published_cycles) {
    EXPECT_EQ(cycles(compile(attention_router(1))), (Cycles{3550, 2006, 1221, 229}));
    EXPECT_EQ(cycles(compile(attention_router(8))), (Cycles{4165, 2338, 1463, 264}));
    EXPECT_EQ(cycles(compile(attention_router(24))), (Cycles{5589, 3162, 1975, 344}));
}

TEST(CompilerCounts, expert_takes_the_published_cycles) {
    EXPECT_EQ(cycles(compile(expert(1))), (Cycles{3696, 2144, 1353, 141}));
    EXPECT_EQ(cycles(compile(expert(2))), (Cycles{4262, 2544, 1386, 272}));
}

TEST(CompilerCounts, single_block_decode_takes_the_published_cycles) {
    EXPECT_EQ(step1_step24_sum(single_block), (std::array<std::uint64_t, 3>{7000, 9039, 192710}));
}

TEST(CompilerCounts, dense_decode_takes_the_published_cycles) {
    EXPECT_EQ(step1_step24_sum(dense), (std::array<std::uint64_t, 3>{15618, 17657, 399542}));
}

TEST(CompilerCounts, routed_decode_takes_the_published_cycles) {
    const auto attention = step1_step24_sum(attention_router);
    const auto expert_cycles = cycles(compile(expert(1)))[0];
    EXPECT_EQ(attention[0] + expert_cycles, 7246U);
    EXPECT_EQ(attention[1] + expert_cycles, 9285U);
    EXPECT_EQ(attention[2] + 24 * expert_cycles, 198614U);
}

}  // namespace
}  // namespace capra
