// Rows of tables: at which scale, by which index, and by which instruction.
#include "compiler/integer_interpreter.hpp"
#include "compiler/lower.hpp"
#include "isa/error.hpp"
#include "tests/compiler_table_graphs.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace capra::compiler {
namespace {

using compiler_testing::instructions;
using compiler_testing::opcodes;
using compiler_testing::ranges_of;
using isa::Opcode;

/// Rows of a table of four, two a row, by each kind of index.
struct Lookups {
    GraphBuilder b{"g"};
    NodeId x = b.input("x", 1, 4);
    NodeId token = b.index("token");
    NodeId table = b.weight("table", {4, 2, {1, 2, 3, 4, 5, 6, 7, 127}});
    NodeId best = b.argmax("best", x);
    NodeId top = b.topk("top", x, 3);
    NodeId by_token = b.lookup("by_token", table, token, 2);
    NodeId by_best = b.lookup("by_best", table, best);
    NodeId by_third = b.lookup("by_third", table, top, 1, 2, 2);

    QuantisedGraph quantised(WeightScales scales = WeightScales::per_tensor) {
        b.output("o", by_token);
        b.output("p", by_best);
        b.output("r", by_third);
        return quantise(b.build(), ranges_of({{"x", 127}}), scales);
    }
};

TEST(CompilerLookups, a_lookup_gives_the_row_at_the_scale_of_the_table) {
    for (const auto scales : {WeightScales::per_tensor, WeightScales::per_column}) {
        Lookups l;
        const auto q = l.quantised(scales);
        EXPECT_EQ(q.nodes[l.table].scale, 1) << "one for all columns, since no matmul takes it";
        EXPECT_EQ(q.nodes[l.by_token].scale, 1);
        EXPECT_EQ(q.nodes[l.by_third].scale, 1);
        const auto values = evaluate(q, {{"x", {1, 4, {5, 3, 9, 1}}}}, {{"token", 3}});
        EXPECT_EQ(values[l.token], IntMatrix{});
        EXPECT_EQ(values[l.by_token], (IntMatrix{2, 1, {7, 127}}));
        EXPECT_EQ(values[l.by_best], (IntMatrix{1, 2, {5, 6}}));
        EXPECT_EQ(values[l.by_third], (IntMatrix{1, 2, {3, 4}}));
    }
}

TEST(CompilerLookups, rows_come_by_a_word_of_the_host_or_a_byte_of_the_chip) {
    Lookups l;
    const auto program = lower(l.quantised(), isa::reference_target());
    const auto code = instructions(program);
    EXPECT_EQ(opcodes(code), (std::vector<Opcode>{Opcode::ld, Opcode::amax, Opcode::topk,
                                                  Opcode::ldxw, Opcode::st, Opcode::ldx, Opcode::st,
                                                  Opcode::ldx, Opcode::st, Opcode::halt}));
    const auto& token = isa::find_symbol(program, isa::SymbolKind::input, "token");
    const auto& table = isa::find_symbol(program, isa::SymbolKind::weight, "table");
    EXPECT_EQ(token.rows * token.cols, 1U);
    EXPECT_EQ(token.scale, 0);
    EXPECT_EQ(code[3].w, token.address);
    EXPECT_EQ(code[5].a, code[1].d);
    EXPECT_EQ(code[7].a, code[2].d + 2);
    for (const int load : {3, 5, 7}) {
        EXPECT_EQ(code[load].x, table.address);
        EXPECT_EQ(code[load].rows, 4U);
        EXPECT_EQ(code[load].n, 2U);
        EXPECT_EQ(code[load].wide, 0U);
        EXPECT_EQ(code[load + 1].a, code[load].d);
    }
}

TEST(CompilerLookups, a_row_is_fetched_once_right_before_its_first_use) {
    Lookups l;
    const NodeId sum = l.b.add("sum", l.by_best, l.by_best);
    l.b.output("s", l.b.mul("product", sum, l.by_best));
    l.b.output("o", l.by_token);
    l.b.output("p", l.by_third);
    const auto q = quantise(l.b.build(), ranges_of({{"x", 127}, {"sum", 127}, {"product", 127}}));
    EXPECT_EQ(opcodes(instructions(lower(q, isa::reference_target()))),
              (std::vector<Opcode>{Opcode::ld, Opcode::amax, Opcode::topk, Opcode::ldx, Opcode::rq,
                                   Opcode::rq, Opcode::vadd, Opcode::vmul, Opcode::st, Opcode::ldxw,
                                   Opcode::st, Opcode::ldx, Opcode::st, Opcode::halt}));
}

TEST(CompilerLookups, the_interpreter_refuses_indices_as_it_refuses_inputs) {
    Lookups l;
    const auto q = l.quantised();
    const auto message = [&](const IntInputs& inputs, const Indices& indices) -> std::string {
        try {
            evaluate(q, inputs, indices);
        } catch (const Error& error) {
            return error.what();
        }
        return "nothing was refused";
    };
    const IntMatrix x{1, 4, {5, 3, 9, 1}};
    EXPECT_EQ(message({{"x", x}}, {{"token", 3}}), "nothing was refused");
    EXPECT_EQ(message({{"x", x}}, {{"token", 4}}),
              "node \"by_token\": the table has 4 rows, the index is 4");
    EXPECT_EQ(message({{"x", x}}, {}), "node \"token\": no number given for this index");
    EXPECT_EQ(message({{"x", x}, {"token", {1, 1, {3}}}}, {{"token", 3}}),
              "no input node is named \"token\"");
    EXPECT_EQ(message({{"x", x}}, {{"token", 3}, {"x", 3}}), "no input node is named \"x\"");
}

}  // namespace
}  // namespace capra::compiler
