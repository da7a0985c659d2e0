// Compiled programs with tables, gates and choices, cell for cell on the RTL.
#include "compiler/compile.hpp"
#include "isa/error.hpp"
#include "model/chip_decoder.hpp"
#include "sim/replay.hpp"
#include "tests/compiler_random_graph.hpp"
#include "tests/compiler_table_graphs.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <map>

namespace capra {
namespace {

using namespace compiler_testing;
using compiler::Graph;
using compiler::Inputs;
using compiler::WeightScales;

const isa::Target& target() {
    static const isa::Target large = isa::reference_target(1U << 16);
    return large;
}

/// Programs and the memories they start from; no element moves when more come.
struct Runs {
    std::deque<isa::Program> programs;
    std::deque<std::vector<std::int32_t>> images;
    std::vector<sim::Job> jobs;

    void add(const isa::Program& program, const Inputs& inputs) {
        programs.push_back(program);
        images.push_back(model::memory_image(program, inputs));
        jobs.push_back({&programs.back(), images.back()});
    }
};

Runs table_runs() {
    Runs runs;
    std::mt19937 random(15);
    for (const Graph& graph : {stem_block(5), stem_block(300), two_experts()})
        for (const auto scales : {WeightScales::per_tensor, WeightScales::per_column}) {
            const auto program = compile(graph, some_ranges(graph), target(), scales);
            for (int i = 0; i < 3; ++i) runs.add(program, random_inputs(random, graph));
        }
    return runs;
}

/// Random graphs from seed 1 on, but for those that the chip cannot hold.
Runs random_runs(std::size_t count) {
    Runs runs;
    for (std::uint32_t seed = 1; runs.jobs.size() < count; ++seed) {
        std::mt19937 random(seed);
        std::vector<Choice> choices(12);
        const auto draw = [&](std::uint32_t end) { return std::uint32_t(random() % end); };
        for (Choice& c : choices)
            c = {draw(22), draw(20), draw(20), 1 + draw(6), 1 + draw(10), draw(64)};
        const Graph graph = GraphFromChoices(choices, seed).build();
        const Inputs inputs = random_inputs(random, graph);
        const auto scales = seed % 2 == 0 ? WeightScales::per_tensor : WeightScales::per_column;
        try {
            runs.add(compile(graph, usable_ranges(graph, {inputs}), target(), scales), inputs);
        } catch (const Error&) {
            continue;
        }
        runs.programs.back().name = "seed" + std::to_string(seed);
    }
    return runs;
}

void expect_equal(const char* engine, const Runs& runs) {
    const auto report = sim::replay(engine, target(), runs.jobs);
    EXPECT_TRUE(report.pass()) << to_string(*report.divergence);
    EXPECT_EQ(report.counters.size(), runs.jobs.size());
    std::size_t instructions = 0;
    for (const isa::Program& program : runs.programs) instructions += program.code.size();
    EXPECT_EQ(report.retires, instructions) << "a trap leaves out the rest of its program";
}

class TablesOnEachRtlEngine : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Cosim, TablesOnEachRtlEngine, testing::Values("verilator", "icarus"),
                         [](const auto& name) { return std::string(name.param); });

TEST_P(TablesOnEachRtlEngine, stem_blocks_and_experts_of_the_chips_choice_are_equal) {
    expect_equal(GetParam(), table_runs());
}

TEST_P(TablesOnEachRtlEngine, random_graphs_are_equal) {
    const Runs runs = random_runs(std::string(GetParam()) == "icarus" ? 30 : 300);
    std::map<isa::Opcode, unsigned> seen;
    for (const isa::Program& program : runs.programs)
        for (const isa::Word& word : program.code) ++seen[isa::decode(word)->op];
    using isa::Opcode;
    for (const Opcode op :
         {Opcode::ldx, Opcode::ldxw, Opcode::lut, Opcode::vmul, Opcode::topk, Opcode::topkc})
        EXPECT_GT(seen[op], 0U) << isa::row_of(op).mnemonic;
    expect_equal(GetParam(), runs);
}

}  // namespace
}  // namespace capra
