// Gates, activations and choices: how they are quantised, evaluated and lowered.
#include "compiler/activation.hpp"
#include "compiler/compile.hpp"
#include "compiler/integer_interpreter.hpp"
#include "compiler/lower.hpp"
#include "isa/codec.hpp"
#include "isa/error.hpp"
#include "tests/compiler_support.hpp"
#include "tests/compiler_table_graphs.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace capra::compiler {
namespace {

using compiler_testing::instructions;
using compiler_testing::opcodes;
using compiler_testing::ranges_of;
using isa::Instruction;
using isa::Opcode;

constexpr auto kColumns = WeightScales::per_column;

TEST(CompilerTablesProgram, a_product_has_the_factor_of_its_three_scales) {
    GraphBuilder b("g");
    const NodeId x = b.input("x", 2, 3);
    const NodeId plain = b.mul("plain", x, x);
    const NodeId gated = b.mul("gated", x, b.sigmoid("s", b.input("c", 2, 1)));
    b.output("o", plain);
    b.output("p", gated);
    const auto q = quantise(
        b.build(), ranges_of({{"x", 127}, {"plain", 127 * 4}, {"c", 127}, {"gated", 127}}));
    EXPECT_EQ(q.nodes[plain].requant, requant_for(0.25));
    EXPECT_EQ(q.nodes[3].scale, 1.0 / 127);
    EXPECT_EQ(q.nodes[gated].requant, requant_for(1.0 / 127));
    const auto values =
        evaluate(q, {{"x", {2, 3, {1, 2, 3, -4, 5, -128}}}, {"c", {2, 1, {0, 127}}}});
    // x^2 / 4, halves up, saturated.
    EXPECT_EQ(values[plain], (IntMatrix{2, 3, {0, 1, 2, 4, 6, 127}}));
    // Row 0 times 64 / 127, row 1 times 127 / 127.
    EXPECT_EQ(values[gated], (IntMatrix{2, 3, {1, 1, 2, -4, 5, -128}}));
}

TEST(CompilerTablesProgram, a_product_is_one_instruction_or_one_a_row_by_its_column) {
    GraphBuilder b("g");
    const NodeId x = b.input("x", 2, 3);
    b.output("o", b.mul("plain", x, b.input("y", 2, 3)));
    b.output("p", b.mul("gated", x, b.input("c", 2, 1)));
    const NodeId column = b.input("d", 2, 1);
    b.output("r", b.mul("columns", column, column));
    const Graph graph = b.build();
    const auto q = quantise(graph, compiler_testing::some_ranges(graph));
    const auto code = instructions(lower(q, isa::reference_target()));
    std::vector<Instruction> products;
    for (const auto& insn : code)
        if (insn.op == Opcode::vmul) products.push_back(insn);
    ASSERT_EQ(products.size(), 4U);
    EXPECT_EQ(products[0].n, 6U);
    EXPECT_EQ(products[0].bcast, 0U);
    EXPECT_EQ(products[0].mult, q.nodes[2].requant.mult);
    EXPECT_EQ(products[0].shift, q.nodes[2].requant.shift);
    for (const std::uint32_t row : {0U, 1U}) {
        EXPECT_EQ(products[1 + row].n, 3U);
        EXPECT_EQ(products[1 + row].bcast, 1U);
        EXPECT_EQ(products[1 + row].a, products[0].a + 3 * row);
        EXPECT_EQ(products[1 + row].b, products[1].b + row);
        EXPECT_EQ(products[1 + row].d, products[1].d + 3 * row);
    }
    EXPECT_EQ(products[3].n, 2U);
    EXPECT_EQ(products[3].bcast, 0U);
}

TEST(CompilerTablesProgram, a_product_is_made_at_the_scale_of_the_sum_it_ends_in) {
    const auto scale = [](bool right, bool also_stored) {
        GraphBuilder b("g");
        const NodeId x = b.input("x", 1, 2);
        const NodeId m = b.mul("m", x, x);
        b.output("o", right ? b.add("sum", x, m) : b.add("sum", m, x));
        if (also_stored) b.output("p", m);
        return quantise(b.build(), ranges_of({{"x", 127}, {"m", 254}, {"sum", 508}}))
            .nodes[m]
            .scale;
    };
    EXPECT_EQ(scale(true, false), 4);
    EXPECT_EQ(scale(false, false), 2);
    EXPECT_EQ(scale(true, true), 2);
}

TEST(CompilerTablesProgram, an_activation_loads_its_table_and_looks_up) {
    GraphBuilder b("g");
    const NodeId x = b.input("x", 2, 3);
    const NodeId nodes[] = {b.silu("f", x), b.gelu("g", x), b.sigmoid("s", x)};
    for (const NodeId id : nodes) b.output("o" + std::to_string(id), id);
    const auto ranges = ranges_of({{"x", 12.7}, {"f", 127}, {"g", 12.7}});
    const auto q = quantise(b.build(), ranges);
    EXPECT_EQ(q.nodes[1].table, activation_table(Op::silu, q.nodes[0].scale, q.nodes[1].scale));
    EXPECT_EQ(q.nodes[1].scale, 1);
    EXPECT_EQ(q.nodes[3].table, activation_table(Op::sigmoid, q.nodes[0].scale, 1.0 / 127));
    // silu(-0.1 127) is 0, silu(12.7) 13; gelu in steps of 0.1: gelu(1) = 0.84, gelu(-1) = -0.16.
    const auto values = evaluate(q, {{"x", {2, 3, {-128, -1, 0, 10, -10, 127}}}});
    EXPECT_EQ(values[1], (IntMatrix{2, 3, {0, 0, 0, 1, 0, 13}}));
    EXPECT_EQ(values[2], (IntMatrix{2, 3, {0, 0, 0, 8, -2, 127}}));
    EXPECT_EQ(values[3], (IntMatrix{2, 3, {0, 60, 64, 93, 34, 127}}));
    const auto program = lower(q, isa::reference_target());
    const auto code = instructions(program);
    EXPECT_EQ(opcodes(code), (std::vector<Opcode>{Opcode::ld, Opcode::ld, Opcode::lut, Opcode::ld,
                                                  Opcode::lut, Opcode::ld, Opcode::lut, Opcode::st,
                                                  Opcode::st, Opcode::st, Opcode::halt}));
    const auto& table = isa::find_symbol(program, isa::SymbolKind::weight, "g.lut");
    EXPECT_EQ(table.rows * table.cols, 256U);
    EXPECT_EQ(table.scale, q.nodes[2].scale);
    const auto memory = isa::initial_memory(program);
    for (std::uint32_t i = 0; i < 256; ++i)
        EXPECT_EQ(memory[table.address + i], q.nodes[2].table[i]);
    EXPECT_EQ(code[3].x, table.address);
    EXPECT_EQ(code[3].n, 256U);
    EXPECT_EQ(code[4].b, code[3].d);
    EXPECT_EQ(code[4].a, code[0].d);
    EXPECT_EQ(code[4].n, 6U);
}

TEST(CompilerTablesProgram, winners_lie_before_their_values_and_elements_in_their_row) {
    GraphBuilder b("g");
    const NodeId x = b.input("x", 1, 5);
    const NodeId top = b.topk("top", x, 2);
    const NodeId values = b.topk_values("values", top);
    const NodeId element = b.element("e", x, 3);
    b.output("o", top);
    b.output("p", values);
    b.output("r", element);
    const auto q = quantise(b.build(), ranges_of({{"x", 254}}));
    EXPECT_EQ(q.nodes[top].scale, 0);
    EXPECT_EQ(q.nodes[values].scale, 2);
    EXPECT_EQ(q.nodes[element].scale, 2);
    EXPECT_EQ(q.nodes[top + 3].scale, 0) << "the output of the indices";
    EXPECT_EQ(q.nodes[top + 4].scale, 2);
    const auto results = evaluate(q, {{"x", {1, 5, {-3, 7, 7, 4, -128}}}});
    EXPECT_EQ(results[top], (IntMatrix{1, 2, {1, 2}}));
    EXPECT_EQ(results[values], (IntMatrix{1, 2, {7, 7}}));
    EXPECT_EQ(results[element], (IntMatrix{1, 1, {4}}));
    const auto code = instructions(lower(q, isa::reference_target()));
    EXPECT_EQ(opcodes(code), (std::vector<Opcode>{Opcode::ld, Opcode::topk, Opcode::st, Opcode::st,
                                                  Opcode::st, Opcode::halt}));
    EXPECT_EQ(code[1].k, 2U);
    EXPECT_EQ(code[1].n, 5U);
    EXPECT_EQ(code[2].a, code[1].d);
    EXPECT_EQ(code[2].n, 2U);
    EXPECT_EQ(code[3].a, code[1].d + 2);
    EXPECT_EQ(code[3].n, 2U);
    EXPECT_EQ(code[4].a, code[0].d + 3);
    EXPECT_EQ(code[4].n, 1U);
}

// In steps of 10 the products 1.27, 0.635 and 1.2 are all 0, and the first column would win.
TEST(CompilerTablesProgram, top_columns_are_those_of_the_exact_sums_where_columns_have_scales) {
    GraphBuilder b("g");
    const NodeId x = b.input("x", 1, 1);
    const NodeId y = b.matmul("y", x, b.weight("w", {1, 3, {-1.27, -0.635, -1.2}}));
    const NodeId top = b.topk("top", y, 2);
    const NodeId values = b.topk_values("values", top);
    b.output("o", top);
    b.output("p", values);
    const Graph graph = b.build();
    const auto ranges = ranges_of({{"x", 127}, {"y", 1270}});
    const auto q = quantise(graph, ranges, kColumns);
    EXPECT_TRUE(q.nodes[top].of_accumulators);
    EXPECT_EQ(evaluate(q, {{"x", {1, 1, {1}}}})[top], (IntMatrix{1, 2, {1, 2}}));
    EXPECT_EQ(evaluate(q, {{"x", {1, 1, {-127}}}})[top], (IntMatrix{1, 2, {0, 2}}));
    EXPECT_EQ(evaluate(q, {{"x", {1, 1, {-127}}}})[values], (IntMatrix{1, 2, {16, 15}}));
    EXPECT_EQ(evaluate(quantise(graph, ranges), {{"x", {1, 1, {1}}}})[top],
              (IntMatrix{1, 2, {0, 1}}));
    const auto code = instructions(lower(q, isa::reference_target()));
    EXPECT_EQ(opcodes(code),
              (std::vector<Opcode>{Opcode::ld, Opcode::ld, Opcode::mm, Opcode::ld, Opcode::topkc,
                                   Opcode::st, Opcode::st, Opcode::halt}));
    EXPECT_EQ(code[4].a, 0U);
    EXPECT_EQ(code[4].b, code[3].d);
    EXPECT_EQ(code[4].k, 2U);
    EXPECT_EQ(code[4].n, 3U);
    EXPECT_EQ(code[4].shift, q.nodes[y].column_requant->shift);
}

TEST(CompilerTablesProgram, joined_parts_are_loaded_in_place_or_rescaled) {
    GraphBuilder b("g");
    const NodeId x = b.input("x", 1, 2);
    const NodeId own = b.input("own", 1, 3);
    b.output("o", b.concat_cols("cat", {x, own, x}));
    const auto q = quantise(b.build(), ranges_of({{"x", 127}, {"own", 127}, {"cat", 254}}));
    EXPECT_EQ(q.nodes[own].scale, 2);
    const auto values = evaluate(q, {{"x", {1, 2, {4, -6}}}, {"own", {1, 3, {7, 8, 9}}}});
    EXPECT_EQ(values[2], (IntMatrix{1, 7, {2, -3, 7, 8, 9, 2, -3}}));
    const auto code = instructions(lower(q, isa::reference_target()));
    EXPECT_EQ(opcodes(code), (std::vector<Opcode>{Opcode::ld, Opcode::rq, Opcode::ld, Opcode::rq,
                                                  Opcode::st, Opcode::halt}));
    EXPECT_EQ(code[2].d, code[1].d + 2);
    EXPECT_EQ(code[3].d, code[1].d + 5);
}

TEST(CompilerTablesProgram, rows_too_long_to_choose_from_and_tables_too_large_are_refused) {
    const auto message = [](const std::function<void(GraphBuilder&)>& build,
                            std::uint32_t ext_words) -> std::string {
        GraphBuilder b("g");
        build(b);
        const Graph graph = b.build();
        try {
            compile(graph, compiler_testing::some_ranges(graph), isa::reference_target(ext_words));
        } catch (const Error& error) {
            return error.what();
        }
        return "nothing was refused";
    };
    const auto choose = [](std::uint32_t cols) {
        return
            [cols](GraphBuilder& b) { b.output("o", b.topk("top", b.input("x", 1, cols), cols)); };
    };
    EXPECT_EQ(message(choose(128), 4096), "nothing was refused");
    EXPECT_EQ(message(choose(129), 4096),
              "graph \"g\": node \"top\": rows of 129 elements exceed the longest topk, 128");
    const auto activate = [](GraphBuilder& b) { b.output("o", b.silu("f", b.input("x", 1, 1))); };
    EXPECT_EQ(message(activate, 258), "nothing was refused");
    EXPECT_EQ(message(activate, 256),
              "graph \"g\": node \"f\": 256 words at address 1 exceed the external memory of 256");
    const std::string longest(60, 'f');
    const auto named = [&](const std::string& name) {
        return [name](GraphBuilder& b) { b.output("o", b.silu(name, b.input("x", 1, 1))); };
    };
    EXPECT_EQ(message(named(longest), 4096), "nothing was refused");
    EXPECT_EQ(message(named(longest + "f"), 4096),
              "graph \"g\": node \"" + longest +
                  "f\": its table needs a name of at most 64 characters, not " + longest + "f.lut");
}

}  // namespace
}  // namespace capra::compiler
