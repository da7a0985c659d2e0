// Weights with one scale a column: how they are quantised, lowered and evaluated.
#include "compiler/compile.hpp"
#include "compiler/integer_interpreter.hpp"
#include "compiler/lower.hpp"
#include "isa/codec.hpp"
#include "isa/error.hpp"
#include "tests/compiler_support.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace capra {
namespace {

using namespace compiler;
using namespace compiler_testing;
using isa::Opcode;

constexpr auto kColumns = WeightScales::per_column;

std::vector<double> same(double factor, std::size_t count) {
    return std::vector<double>(count, factor);
}

TEST(CompilerColumnRequant, factors_equal_hand_worked_tables) {
    EXPECT_EQ(column_requant_for(same(1, 2)), (ColumnRequant{{1U << 15, 1U << 15}, 15}));
    // The largest fixes the shift; the others round half up.
    EXPECT_EQ(column_requant_for(std::vector{0.5, 1.0, 1.5}),
              (ColumnRequant{{1U << 14, 1U << 15, 3U << 14}, 15}));
    EXPECT_EQ(column_requant_for(std::vector{1.0, 0.5 / 32768, 0.4999 / 32768}),
              (ColumnRequant{{1U << 15, 1, 0}, 15}));
    // Just below 2: rounds up to 2^16, so that the shift gives way.
    EXPECT_EQ(column_requant_for(std::vector{2 - std::ldexp(1, -20), 1.0}),
              (ColumnRequant{{1U << 15, 1U << 14}, 14}));
    EXPECT_EQ(column_requant_for(same(65535, 1)), (ColumnRequant{{65535}, 0}));
    // Shift 63 is the end: multipliers lose bits.
    EXPECT_EQ(column_requant_for(std::vector{std::ldexp(1, -50), std::ldexp(1, -60)}),
              (ColumnRequant{{1U << 13, 1U << 3}, 63}));
}

TEST(CompilerColumnRequant, factors_that_no_table_can_hold_are_refused) {
    for (const double factor : {0.0, -1.0, std::nan(""), HUGE_VAL, 65535.5, 65536.0}) {
        EXPECT_EQ(column_requant_for(std::vector{factor, 1.0}), std::nullopt) << factor;
        EXPECT_EQ(column_requant_for(std::vector{1.0, factor}), std::nullopt) << factor;
    }
}

RC_GTEST_PROP(CompilerColumnRequant, is_within_2_to_the_minus_16_of_the_largest_factor, ()) {
    const auto exponents =
        *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(-150, 150)));
    std::vector<double> factors;
    for (const int e : exponents) factors.push_back(std::exp2(e / 10.0));
    const double largest = *std::max_element(factors.begin(), factors.end());
    const auto requant = column_requant_for(factors);
    RC_ASSERT(requant.has_value());
    for (std::size_t i = 0; i < factors.size(); ++i) {
        RC_ASSERT(requant->mults[i] < 1U << 16);
        const double got = std::ldexp(requant->mults[i], -static_cast<int>(requant->shift));
        RC_ASSERT(std::fabs(got - factors[i]) <= std::ldexp(largest, -16));
    }
}

Ranges ranges_of(std::initializer_list<std::pair<const char*, double>> list) {
    Ranges ranges;
    for (const auto& [key, range] : list) ranges.widen(key, range);
    return ranges;
}

/// y = 0.5 x W with columns of 0.254, 1.27, 0 and one whose 127th part is no normal number.
Graph small_product() {
    GraphBuilder b("g");
    const NodeId x = b.input("x", 2, 2);
    const NodeId w = b.weight("w", {2, 4, {0.254, 1, 0, 1e-306, -0.1, -1.27, 0, 0}});
    const NodeId y = b.matmul("y", x, w, 0.5);
    b.output("out", y);
    b.output("best", b.argmax("top", y));
    return b.build();
}

TEST(CompilerColumns, each_column_has_the_scale_of_its_largest_magnitude) {
    const Graph graph = small_product();
    const auto ranges = ranges_of({{"x", 127}, {"y", 127}});
    const auto q = quantise(graph, ranges, kColumns);
    const QuantisedNode& w = q.nodes[1];
    ASSERT_EQ(w.column_scales.size(), 4U);
    EXPECT_DOUBLE_EQ(w.column_scales[0], 0.002);
    EXPECT_DOUBLE_EQ(w.column_scales[1], 0.01);
    EXPECT_DOUBLE_EQ(w.column_scales[2], 0.01) << "a column of zeros takes the weight's";
    EXPECT_DOUBLE_EQ(w.column_scales[3], 0.01) << "so does one too small for a scale";
    EXPECT_EQ(w.scale, 0);
    EXPECT_EQ(w.weights, (IntMatrix{2, 4, {127, 100, 0, 0, -50, -127, 0, 0}}));
    const QuantisedNode& y = q.nodes[2];
    EXPECT_EQ(y.column_requant, column_requant_for(std::vector{0.001, 0.005, 0.005, 0.005}));
    EXPECT_EQ(y.requant, Requant{});
    EXPECT_TRUE(q.nodes[4].of_accumulators);
    const auto per_tensor = quantise(graph, ranges);
    EXPECT_TRUE(per_tensor.nodes[1].column_scales.empty());
    EXPECT_EQ(per_tensor.nodes[2].column_requant, std::nullopt);
    EXPECT_FALSE(per_tensor.nodes[4].of_accumulators);
}

TEST(CompilerColumns, a_weight_used_as_anything_but_a_right_operand_has_one_scale) {
    GraphBuilder b("g");
    std::vector<NodeId> weights = {b.weight("right", {2, 2, {1, 2, 3, 4}})};
    const NodeId x = b.input("x", 2, 2);
    for (const char* name : {"left", "transposed", "added", "joined", "stored", "both"})
        weights.push_back(b.weight(name, {2, 2, {1, 2, 3, 4}}));
    std::vector<NodeId> results = {b.matmul("m0", x, weights[0]),
                                   b.matmul("m1", weights[1], x),
                                   b.matmul("m2", x, weights[2], 1, /*transpose_b=*/true),
                                   b.add("m3", x, weights[3]),
                                   b.concat_rows("m4", {x, weights[4]}),
                                   b.matmul("m5", x, weights[5]),
                                   b.matmul("m6", weights[6], weights[6]),
                                   b.matmul("m7", x, weights[0])};
    for (NodeId id : results) b.output("o" + std::to_string(id), id);
    b.output("o", weights[5]);
    const Graph graph = b.build();
    const auto q = quantise(graph, some_ranges(graph), kColumns);
    for (NodeId id : weights)
        EXPECT_EQ(q.nodes[id].column_scales.empty(), id != weights[0]) << graph.nodes[id].name;
    EXPECT_TRUE(q.nodes[results[0]].column_requant.has_value());
    EXPECT_TRUE(q.nodes[results[7]].column_requant.has_value());
    for (const int plain : {1, 2, 5, 6})
        EXPECT_EQ(q.nodes[results[plain]].column_requant, std::nullopt) << plain;
}

TEST(CompilerColumns, factors_and_weights_out_of_reach_are_refused_by_graph_and_node) {
    const auto message = [](double weight, double range) -> std::string {
        GraphBuilder b("net");
        const NodeId x = b.input("x", 1, 1);
        b.output("out", b.matmul("y", x, b.weight("w", {1, 1, {weight}})));
        try {
            quantise(b.build(), ranges_of({{"x", range}, {"y", 1}}), kColumns);
        } catch (const Error& error) {
            return error.what();
        }
        return "nothing was refused";
    };
    EXPECT_EQ(message(0, 1), "graph \"net\": node \"w\": all values are zero, so it has no scale");
    EXPECT_EQ(message(127, 65536 * 127),
              "graph \"net\": node \"y\": no requantise of columns multiplies by 8323072");
    EXPECT_EQ(message(1, 1), "nothing was refused");
}

// 0.5 x W with x = (10 3; -10 4): sums (1120 619 0 0; -1470 -1508 0 0), times 0.001 and 0.005.
TEST(CompilerColumns, the_interpreter_gives_hand_worked_results) {
    const auto q = quantise(small_product(), ranges_of({{"x", 127}, {"y", 127}}), kColumns);
    const auto values = evaluate(q, {{"x", {2, 2, {10, 3, -10, 4}}}});
    EXPECT_EQ(values[2], (IntMatrix{2, 4, {1, 3, 0, 0, -1, -8, 0, 0}}));
    EXPECT_EQ(values[4], (IntMatrix{2, 1, {1, 2}}));
}

TEST(CompilerColumns, argmax_sees_what_rounding_to_int8_hides) {
    GraphBuilder b("g");
    const NodeId x = b.input("x", 2, 1);
    const NodeId y = b.matmul("y", x, b.weight("w", {1, 3, {1.27, 0.635, 1.2}}));
    b.output("out", y);
    b.output("best", b.argmax("top", y));
    const Graph graph = b.build();
    const auto ranges = ranges_of({{"x", 127}, {"y", 1270}});
    const auto q = quantise(graph, ranges, kColumns);
    // x W = (1.27 0.64 1.2; -1.27 -0.64 -1.2), in steps of 10: all are 0 when stored.
    const auto values = evaluate(q, {{"x", {2, 1, {1, -1}}}});
    EXPECT_EQ(values[y], (IntMatrix{2, 3, {0, 0, 0, 0, 0, 0}}));
    EXPECT_EQ(values[y + 2], (IntMatrix{2, 1, {0, 1}}));
    const auto rounded = evaluate(quantise(graph, ranges), {{"x", {2, 1, {1, -1}}}});
    EXPECT_EQ(rounded[y + 2], (IntMatrix{2, 1, {0, 0}}));
}

std::vector<isa::Instruction> instructions(const isa::Program& program) {
    std::vector<isa::Instruction> result;
    for (const auto& word : program.code) result.push_back(*isa::decode(word));
    return result;
}

TEST(CompilerColumns, a_product_becomes_a_table_an_argmax_and_a_requantise_by_it) {
    const auto q = quantise(small_product(), ranges_of({{"x", 127}, {"y", 127}}), kColumns);
    const auto program = lower(q, isa::reference_target());
    const auto& table = isa::find_symbol(program, isa::SymbolKind::weight, "y.mult");
    EXPECT_EQ(table.rows, 4U);
    EXPECT_EQ(table.cols, 2U);
    EXPECT_EQ(table.scale, 0);
    EXPECT_EQ(isa::find_symbol(program, isa::SymbolKind::weight, "w").scale, 0);
    const auto memory = isa::initial_memory(program);
    for (std::uint32_t j = 0; j < 4; ++j) {
        const auto byte = [&](std::uint32_t i) { return memory[table.address + 2 * j + i] & 0xff; };
        EXPECT_EQ(static_cast<std::uint32_t>(byte(0) + 256 * byte(1)),
                  q.nodes[2].column_requant->mults[j]);
    }
    const auto code = instructions(program);
    std::vector<Opcode> ops;
    for (const auto& insn : code) ops.push_back(insn.op);
    EXPECT_EQ(ops, (std::vector<Opcode>{Opcode::ld, Opcode::ld, Opcode::mm, Opcode::ld,
                                        Opcode::amaxc, Opcode::amaxc, Opcode::rqc, Opcode::st,
                                        Opcode::st, Opcode::halt}));
    EXPECT_EQ(code[3].x, table.address);
    EXPECT_EQ(code[3].n, 8U);
    for (const std::uint32_t row : {0U, 1U}) {
        EXPECT_EQ(code[4 + row].a, 4 * row);
        EXPECT_EQ(code[4 + row].b, code[3].d);
        EXPECT_EQ(code[4 + row].d, code[4].d + row);
        EXPECT_EQ(code[4 + row].n, 4U);
    }
    EXPECT_EQ(code[6].a, 0U);
    EXPECT_EQ(code[6].b, code[3].d);
    EXPECT_EQ(code[6].n, 8U);
    EXPECT_EQ(code[6].cols, 4U);
    EXPECT_EQ(code[6].shift, q.nodes[2].column_requant->shift);
    EXPECT_EQ(code[6].relu, 0U);
}

TEST(CompilerColumns, a_result_that_only_argmax_uses_is_not_requantised) {
    for (const bool stored : {false, true}) {
        GraphBuilder b("g");
        const NodeId x = b.input("x", 1, 2);
        const NodeId y = b.matmul("y", x, b.weight("w", {2, 2, {1, 2, 3, 4}}));
        b.output("first", b.argmax("top", y));
        b.output("second", b.argmax("again", y));
        if (stored) b.output("out", y);
        const Graph graph = b.build();
        const auto code =
            instructions(compile(graph, some_ranges(graph), isa::reference_target(), kColumns));
        const auto count = [&](Opcode op) {
            return std::count_if(code.begin(), code.end(),
                                 [&](const auto& insn) { return insn.op == op; });
        };
        EXPECT_EQ(count(Opcode::amaxc), 2);
        EXPECT_EQ(count(Opcode::rqc), stored ? 1 : 0);
        EXPECT_EQ(count(Opcode::amax) + count(Opcode::rq), 0);
    }
}

TEST(CompilerColumns, relu_is_part_of_the_requantise_by_columns) {
    const Graph graph = expert(1);
    const auto code =
        instructions(compile(graph, some_ranges(graph), isa::reference_target(), kColumns));
    std::vector<std::uint32_t> relus;
    for (const auto& insn : code)
        if (insn.op == Opcode::rqc) relus.push_back(insn.relu);
    EXPECT_EQ(relus, (std::vector<std::uint32_t>{1, 0, 0}));
}

TEST(CompilerColumns, a_table_that_does_not_fit_is_refused_by_its_matmul) {
    const Graph graph = expert(1);
    const auto ranges = some_ranges(graph);
    const auto words = compile(graph, ranges, isa::reference_target(), kColumns).memory_words;
    EXPECT_EQ(words,
              compile(graph, ranges, isa::reference_target()).memory_words + 2 * (32 + 16 + 16));
    GraphBuilder b("g");
    const NodeId x = b.input("x", 1, 1);
    b.output("o", b.argmax("top", b.matmul("y", x, b.weight("w", {1, 129, same(1, 129)}))));
    const Graph wide = b.build();
    const auto message = [&](std::uint32_t ext_words) -> std::string {
        try {
            compile(wide, some_ranges(wide), isa::reference_target(ext_words), kColumns);
        } catch (const Error& error) {
            return error.what();
        }
        return "nothing was refused";
    };
    EXPECT_EQ(message(387),
              "graph \"g\": node \"y\": 258 words at address 130 exceed the external "
              "memory of 387");
    EXPECT_EQ(message(389),
              "graph \"g\": node \"top\": rows of 129 elements exceed the longest argmax, 128");
}

// At the RQC: 8 bytes of table, 8 of result, 2 of indices.
TEST(CompilerColumns, a_table_takes_two_bytes_a_column_of_scratchpad) {
    const auto q = quantise(small_product(), ranges_of({{"x", 127}, {"y", 127}}), kColumns);
    isa::Target target = isa::reference_target();
    target.spad_bytes = 18;
    EXPECT_EQ(lower(q, target).code.size(), 10U);
    target.spad_bytes = 17;
    EXPECT_THROW(lower(q, target), Error);
}

TEST(CompilerColumns, scales_have_the_names_that_options_take) {
    EXPECT_EQ(weight_scales_name(WeightScales::per_tensor), "per-tensor");
    EXPECT_EQ(weight_scales_name(kColumns), "per-channel");
    EXPECT_EQ(weight_scales_by_name("per-tensor"), WeightScales::per_tensor);
    EXPECT_EQ(weight_scales_by_name("per-channel"), kColumns);
    try {
        weight_scales_by_name("per-column");
        FAIL();
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(),
                     "no weight scales 'per-column'; there are per-tensor, per-channel");
    }
}

}  // namespace
}  // namespace capra
