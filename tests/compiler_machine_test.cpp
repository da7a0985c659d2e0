// Compiled programs on the C++ machine against the golden interpreter.
#include "compiler/compile.hpp"
#include "compiler/integer_interpreter.hpp"
#include "compiler/lower.hpp"
#include "isa/check.hpp"
#include "isa/codec.hpp"
#include "isa/error.hpp"
#include "sim/engine.hpp"
#include "tests/compiler_graph_json.hpp"
#include "tests/compiler_random_graph.hpp"
#include "tests/compiler_table_graphs.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

namespace capra {
namespace {

using namespace compiler;
using namespace compiler_testing;

/// What a program is given.
struct Given {
    IntInputs inputs;
    Indices indices = {};
};

/// External memory with the inputs in place.
std::vector<std::int32_t> image(const isa::Program& program, const Given& given) {
    auto memory = isa::initial_memory(program);
    const auto address = [&](const std::string& name) {
        return memory.begin() + isa::find_symbol(program, isa::SymbolKind::input, name).address;
    };
    for (const auto& [name, matrix] : given.inputs)
        std::copy(matrix.values.begin(), matrix.values.end(), address(name));
    for (const auto& [name, index] : given.indices)
        *address(name) = static_cast<std::int32_t>(index);
    return memory;
}

/// The outputs the golden interpreter gives, placed as the program stores them.
std::vector<std::int32_t> expected_memory(const isa::Program& program,
                                          const QuantisedGraph& quantised, const Given& given) {
    auto memory = image(program, given);
    const auto values = evaluate(quantised, given.inputs, given.indices);
    for (NodeId id = 0; id < values.size(); ++id) {
        const Node& node = quantised.graph.nodes[id];
        if (node.op != Op::output) continue;
        const auto& symbol = isa::find_symbol(program, isa::SymbolKind::output, node.name);
        std::copy(values[id].values.begin(), values[id].values.end(),
                  memory.begin() + symbol.address);
    }
    return memory;
}

/// A reference machine with memories large enough that random graphs fit.
isa::Target roomy_target() {
    isa::Target target = isa::reference_target(1U << 20);
    target.spad_bytes = 65536;
    target.acc_words = 65536;
    target.prog_words = 16384;
    return target;
}

std::string run_and_compare(const QuantisedGraph& quantised, const Given& given,
                            const isa::Target& target) {
    const isa::Program program = lower(quantised, target);
    const auto engine = sim::make_engine("model", target);
    const auto result = engine->run_one(program, image(program, given));
    if (result.status.state != sim::State::halted)
        return "trapped: " + std::string(isa::trap_name(result.status.trap)) + " at pc " +
               std::to_string(result.status.pc);
    const auto expected = expected_memory(program, quantised, given);
    if (result.memory.size() != expected.size()) return "memory of another size";
    for (std::size_t i = 0; i < expected.size(); ++i)
        if (result.memory[i] != expected[i])
            return "word " + std::to_string(i) + ": expected " + std::to_string(expected[i]) +
                   ", got " + std::to_string(result.memory[i]);
    return "";
}

/// Quantised inputs of which some saturate: drawn three times as wide as the calibration's.
Given wide_inputs(std::mt19937& random, const QuantisedGraph& quantised) {
    Inputs inputs = random_inputs(random, quantised.graph);
    const Indices indices = indices_of(quantised.graph, inputs);
    for (auto& [name, matrix] : inputs)
        for (double& v : matrix.values) v *= 3;
    return {quantise_inputs(quantised, inputs), indices};
}

RC_GTEST_PROP(CompilerMachine, compiled_program_equals_integer_interpreter, ()) {
    const auto seed = *rc::gen::arbitrary<std::uint32_t>();
    const Graph graph = GraphFromChoices(*choices(), seed).build();
    std::mt19937 random(seed);
    const std::vector<Inputs> samples = {random_inputs(random, graph)};
    RC_LOG() << graph_to_json(graph, samples);
    const auto tried = try_quantise(graph, samples, *weight_scales());
    RC_PRE(tried.has_value());
    const QuantisedGraph& quantised = *tried;
    const Given narrow{quantise_inputs(quantised, samples[0]), indices_of(graph, samples[0])};
    for (const Given& given : {narrow, wide_inputs(random, quantised)})
        RC_ASSERT(run_and_compare(quantised, given, roomy_target()) == "");
}

class EachWeightScales : public testing::TestWithParam<WeightScales> {};

INSTANTIATE_TEST_SUITE_P(CompilerMachine, EachWeightScales,
                         testing::Values(WeightScales::per_tensor, WeightScales::per_column),
                         [](const auto& tested) {
                             return tested.param == WeightScales::per_tensor ? "per_tensor"
                                                                             : "per_column";
                         });

TEST_P(EachWeightScales, chapter_programs_equal_the_integer_interpreter) {
    std::vector<Graph> graphs = {expert(1), expert(2), single_block(5), dense(3)};
    for (std::uint32_t context : {1U, 2U, 8U, 24U}) graphs.push_back(attention_router(context));
    std::mt19937 random(11);
    for (const Graph& graph : graphs) {
        const auto quantised = quantise(graph, some_ranges(graph), GetParam());
        for (int i = 0; i < 5; ++i)
            EXPECT_EQ(
                run_and_compare(quantised, wide_inputs(random, quantised), isa::reference_target()),
                "")
                << graph.name;
    }
}

TEST_P(EachWeightScales, tables_and_gates_equal_the_integer_interpreter) {
    std::mt19937 random(13);
    for (const Graph& graph : {stem_block(5), stem_block(300), two_experts()}) {
        const auto quantised = quantise(graph, some_ranges(graph), GetParam());
        for (int i = 0; i < 20; ++i)
            EXPECT_EQ(
                run_and_compare(quantised, wide_inputs(random, quantised), isa::reference_target()),
                "")
                << graph.name;
    }
}

TEST(CompilerMachine, a_token_beyond_a_byte_names_its_row_and_one_beyond_the_table_traps) {
    const Graph graph = stem_block(300);
    const auto quantised = quantise(graph, some_ranges(graph));
    std::mt19937 random(14);
    Given given = wide_inputs(random, quantised);
    for (const std::uint32_t token : {0U, 127U, 128U, 255U, 256U, 299U}) {
        given.indices["token"] = token;
        EXPECT_EQ(run_and_compare(quantised, given, isa::reference_target()), "") << token;
    }
    given.indices["token"] = 300;
    const auto program = lower(quantised, isa::reference_target());
    const auto engine = sim::make_engine("model", isa::reference_target());
    const auto result = engine->run_one(program, image(program, given));
    EXPECT_EQ(result.status.trap, isa::Trap::index_range);
    EXPECT_THROW(evaluate(quantised, given.inputs, given.indices), Error);
}

TEST(CompilerMachine, tiles_follow_the_target_and_leave_the_result_alone) {
    const Graph graph = attention_router(7);
    const auto quantised = quantise(graph, some_ranges(graph));
    std::mt19937 random(12);
    const auto inputs = wide_inputs(random, quantised);
    for (std::uint32_t cols : {1U, 3U, 8U, 64U}) {
        isa::Target target = isa::reference_target();
        target.tile_cols = cols;
        EXPECT_EQ(run_and_compare(quantised, inputs, target), "") << cols << " columns";
        unsigned tiles = 0;
        for (const auto& word : lower(quantised, target).code)
            tiles += isa::decode(word)->op == isa::Opcode::mm;
        const auto cut = [&](std::uint32_t n) { return (n + cols - 1) / cols; };
        EXPECT_EQ(tiles, 5 * cut(16) + cut(7) + cut(4));
    }
}

}  // namespace
}  // namespace capra
