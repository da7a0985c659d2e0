// Programs: what is placed where, in which order, and what does not fit.
#include "compiler/lower.hpp"

#include "compiler/compile.hpp"
#include "isa/codec.hpp"
#include "isa/error.hpp"
#include "tests/compiler_support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace capra {
namespace {

using namespace compiler;
using compiler_testing::attention_router;
using compiler_testing::some_ranges;
using isa::Opcode;

isa::Program compiled(const Graph& graph, const isa::Target& target = isa::reference_target()) {
    return compile(graph, some_ranges(graph), target);
}

std::vector<isa::Instruction> instructions(const isa::Program& program) {
    std::vector<isa::Instruction> result;
    for (const auto& word : program.code) result.push_back(*isa::decode(word));
    return result;
}

TEST(CompilerLower, tensors_in_external_memory_neither_overlap_nor_leave_gaps) {
    const auto program = compiled(attention_router(8));
    std::vector<bool> taken(program.memory_words, false);
    for (const auto& symbol : program.symbols) {
        for (std::uint32_t i = 0; i < symbol.rows * symbol.cols; ++i) {
            ASSERT_LT(symbol.address + i, taken.size());
            EXPECT_FALSE(taken[symbol.address + i]) << symbol.name;
            taken[symbol.address + i] = true;
        }
    }
    EXPECT_EQ(std::count(taken.begin(), taken.end(), false), 0);
}

TEST(CompilerLower, symbols_carry_shapes_and_the_scales_of_the_quantised_graph) {
    const Graph graph = attention_router(8);
    const auto quantised = quantise(graph, some_ranges(graph));
    const auto program = lower(quantised, isa::reference_target());
    EXPECT_EQ(program.name, "A");
    EXPECT_EQ(program.target, "reference");
    std::size_t named = 0;
    for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
        const Node& node = graph.nodes[id];
        if (node.op != Op::input && node.op != Op::weight && node.op != Op::output) continue;
        const auto kind = node.op == Op::input    ? isa::SymbolKind::input
                          : node.op == Op::weight ? isa::SymbolKind::weight
                                                  : isa::SymbolKind::output;
        const auto& symbol = isa::find_symbol(program, kind, node.name);
        EXPECT_EQ(symbol.rows, node.rows);
        EXPECT_EQ(symbol.cols, node.cols);
        EXPECT_EQ(symbol.scale, quantised.nodes[id].scale);
        ++named;
    }
    EXPECT_EQ(program.symbols.size(), named);
    EXPECT_EQ(isa::find_symbol(program, isa::SymbolKind::output, "route").scale, 0);
}

TEST(CompilerLower, weights_are_the_data_blocks) {
    const Graph graph = attention_router(2);
    const auto quantised = quantise(graph, some_ranges(graph));
    const auto program = lower(quantised, isa::reference_target());
    std::vector<isa::DataBlock> expected;
    for (std::size_t id = 0; id < graph.nodes.size(); ++id)
        if (graph.nodes[id].op == Op::weight)
            expected.push_back(
                {isa::find_symbol(program, isa::SymbolKind::weight, graph.nodes[id].name).address,
                 quantised.nodes[id].weights.values});
    EXPECT_EQ(program.data, expected);
}

TEST(CompilerLower, each_load_stands_right_before_its_first_use) {
    const auto code = instructions(compiled(compiler_testing::expert(1)));
    // The operands of a matmul are loaded together; whatever follows reads the last one.
    for (std::size_t i = 0; i < code.size(); ++i) {
        if (code[i].op != Opcode::ld) continue;
        std::size_t user = i + 1;
        while (code[user].op == Opcode::ld) ++user;
        EXPECT_LE(user - i, 2U);
        const bool reads = code[user].a == code[i].d || code[user].b == code[i].d;
        EXPECT_TRUE(reads) << "instruction " << i;
    }
}

TEST(CompilerLower, cache_inputs_are_loaded_into_the_place_the_new_row_follows) {
    const auto code = instructions(compiled(attention_router(8)));
    unsigned caches = 0;
    for (std::size_t i = 0; i + 1 < code.size(); ++i) {
        if (code[i].op != Opcode::ld || code[i].n != 7 * 16) continue;
        EXPECT_EQ(code[i + 1].op, Opcode::rq);
        EXPECT_EQ(code[i + 1].acc, 0U);
        EXPECT_EQ(code[i + 1].d, code[i].d + 7 * 16);
        ++caches;
    }
    EXPECT_EQ(caches, 2U);
}

/// A graph with one matmul of the given shape.
Graph product(std::uint32_t m, std::uint32_t k, std::uint32_t n) {
    GraphBuilder b("net");
    const NodeId x = b.input("x", m, k);
    b.output("out", b.matmul("y", x, b.weight("w", {k, n, std::vector<double>(k * n, 1.0)})));
    return b.build();
}

TEST(CompilerLower, tiles_cover_ragged_results_with_the_right_addresses) {
    const auto code = instructions(compiled(product(6, 5, 7)));
    using Tile = std::vector<std::uint32_t>;  // d, a and b from their buffers, m, n
    std::vector<Tile> tiles;
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    for (const auto& insn : code) {
        if (insn.op == Opcode::ld) (insn.n == 30 ? a : b) = insn.d;
        if (insn.op != Opcode::mm) continue;
        tiles.push_back({insn.d, insn.a - a, insn.b - b, insn.m, insn.n});
        EXPECT_EQ(insn.k, 5U);
        EXPECT_EQ(insn.sa, 5U);
        EXPECT_EQ(insn.sb, 7U);
        EXPECT_EQ(insn.sd, 7U);
    }
    EXPECT_EQ(tiles, (std::vector<Tile>{
                         {0, 0, 0, 4, 4}, {4, 0, 4, 4, 3}, {28, 20, 0, 2, 4}, {32, 20, 4, 2, 3}}));
}

struct Misfit {
    const char* law;
    Graph graph;
    std::function<void(isa::Target&)> shrink;
    std::string begins;
    std::string says;
};

Graph one_node(const std::function<NodeId(GraphBuilder&, NodeId)>& add, std::uint32_t cols) {
    GraphBuilder b("net");
    b.output("out", add(b, b.input("x", 1, cols)));
    return b.build();
}

NodeId softmax(GraphBuilder& b, NodeId x) {
    return b.softmax("p", x);
}

NodeId argmax(GraphBuilder& b, NodeId x) {
    return b.argmax("i", x);
}

/// What exceeds a unit or a field of an instruction.
std::vector<Misfit> unit_misfits() {
    const auto keep = [](isa::Target&) {};
    return {
        {"depth", product(1, 257, 1), keep, "node \"y\"",
         "depth 257 exceeds the matrix unit's 256"},
        {"accumulators", product(32, 4, 33), keep, "node \"y\"", "32 x 33 results exceed the 1024"},
        {"one_accumulator", product(5, 4, 205), keep, "node \"y\"", "5 x 205 results exceed"},
        {"softmax_row", one_node(softmax, 257), keep, "node \"p\"", "257 elements exceed"},
        {"argmax_row", one_node(argmax, 129), keep, "node \"i\"", "129 elements exceed"},
        {"stride", product(1, 1, 4096),
         [](auto& t) {
             t.acc_words = 8192;
             t.spad_bytes = 65536;
             t.ext_words = 65536;
         },
         "node \"y\"", "4096 elements exceed the largest stride, 4095"},
    };
}

/// What exceeds a memory.
std::vector<Misfit> memory_misfits() {
    return {
        {"scratchpad", product(4, 16, 16), [](auto& t) { t.spad_bytes = 319; }, "node \"",
         "the plan needs 320 bytes (320 alive at once), the scratchpad has 319"},
        {"first_buffer", product(16, 16, 4), [](auto& t) { t.spad_bytes = 255; }, "node \"x\"",
         "its 256 bytes do not fit: the plan needs 320 bytes"},
        // The first buffer ends with the scratchpad's last cell.
        {"second_buffer", product(16, 16, 4), [](auto& t) { t.spad_bytes = 256; }, "node \"w\"",
         "its 64 bytes do not fit: the plan needs 320 bytes"},
        {"external_memory", product(1, 16, 16), [](auto& t) { t.ext_words = 287; }, "node \"out\"",
         "16 words at address 272 exceed the external memory of 287"},
        {"program_memory", product(1, 16, 16), [](auto& t) { t.prog_words = 8; }, "node \"out\"",
         "exceed the program memory of 8"},
    };
}

void expect_refusal(const Misfit& misfit) {
    isa::Target target = isa::reference_target();
    misfit.shrink(target);
    std::string message;
    try {
        compiled(misfit.graph, target);
    } catch (const Error& error) {
        message = error.what();
    }
    const std::string begins = "graph \"net\": " + misfit.begins;
    EXPECT_EQ(message.substr(0, begins.size()), begins) << misfit.law;
    EXPECT_NE(message.find(misfit.says), std::string::npos) << misfit.law << ": " << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << misfit.law;
}

TEST(CompilerLower, what_does_not_fit_is_refused_in_one_line_by_graph_and_node) {
    for (const Misfit& misfit : unit_misfits()) expect_refusal(misfit);
    for (const Misfit& misfit : memory_misfits()) expect_refusal(misfit);
}

TEST(CompilerLower, what_fits_exactly_is_compiled) {
    isa::Target target = isa::reference_target();
    target.ext_words = 288;
    target.prog_words = 9;
    target.spad_bytes = 16 + 256;  // the result takes the cells of the operands
    EXPECT_EQ(compiled(product(1, 16, 16), target).code.size(), 9U);
    EXPECT_NO_THROW(compiled(product(1, 256, 1)));
    EXPECT_NO_THROW(compiled(product(32, 4, 32)));
    EXPECT_NO_THROW(compiled(one_node(softmax, 256)));
    EXPECT_NO_THROW(compiled(one_node(argmax, 128)));
    target = isa::reference_target(65536);
    target.acc_words = 8192;
    target.spad_bytes = 65536;
    target.prog_words = 2048;
    EXPECT_NO_THROW(compiled(product(1, 1, 4095), target)) << "the largest stride";
}

}  // namespace
}  // namespace capra
