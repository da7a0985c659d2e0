// Graphs with tables, gates and choices: what the builder refuses, and what float gives.
#include "compiler/float_interpreter.hpp"

#include "compiler/calibrate.hpp"
#include "isa/error.hpp"
#include "tests/compiler_support.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace capra::compiler {
namespace {

Matrix ones(std::uint32_t rows, std::uint32_t cols) {
    return {rows, cols, std::vector<double>(std::size_t{rows} * cols, 1)};
}

/// A builder with one of everything that operands can be.
struct Parts {
    GraphBuilder b{"g"};
    NodeId row = b.input("row", 1, 4);
    NodeId square = b.input("square", 3, 3);
    NodeId token = b.index("token");
    NodeId table = b.weight("table", ones(5, 6));
    NodeId best = b.argmax("best", row);
    NodeId many = b.argmax("many", square);
    NodeId top = b.topk("top", row, 2);
    NodeId out = b.output("out", row);
};

std::string refusal(const std::function<void(Parts&)>& build) {
    Parts parts;
    try {
        build(parts);
    } catch (const Error& error) {
        return error.what();
    }
    return "nothing was refused";
}

constexpr const char* kFine = "nothing was refused";

TEST(CompilerTables, operands_of_a_product_have_one_shape_or_a_column) {
    EXPECT_EQ(refusal([](Parts& p) { p.b.mul("m", p.square, p.square); }), kFine);
    EXPECT_EQ(refusal([](Parts& p) { p.b.mul("m", p.square, p.b.input("c", 3, 1)); }), kFine);
    EXPECT_EQ(refusal([](Parts& p) { p.b.mul("m", p.square, p.b.input("c", 1, 1)); }),
              "node \"m\": shapes do not multiply element by element: \"square\" (3 x 3) and \"c\" "
              "(1 x 1)");
    EXPECT_EQ(refusal([](Parts& p) { p.b.mul("m", p.b.input("c", 3, 1), p.square); }),
              "node \"m\": shapes do not multiply element by element: \"c\" (3 x 1) and \"square\" "
              "(3 x 3)");
    EXPECT_EQ(
        refusal([](Parts& p) { p.b.mul("m", p.row, p.b.input("c", 1, 2)); }),
        "node \"m\": shapes do not multiply element by element: \"row\" (1 x 4) and \"c\" (1 x "
        "2)");
}

TEST(CompilerTables, an_index_is_no_value) {
    for (const char* name : {"best", "many", "top"}) {
        const auto with = [&](auto use) {
            return refusal([&](Parts& p) {
                const NodeId id = name[0] == 'b' ? p.best : name[0] == 'm' ? p.many : p.top;
                use(p, id);
            });
        };
        const std::string refused =
            "node \"n\": operand \"" + std::string(name) + "\" is an index, not a value";
        EXPECT_EQ(with([](Parts& p, NodeId id) { p.b.mul("n", id, p.row); }), refused);
        EXPECT_EQ(with([](Parts& p, NodeId id) { p.b.mul("n", p.row, id); }), refused);
        EXPECT_EQ(with([](Parts& p, NodeId id) { p.b.silu("n", id); }), refused);
        EXPECT_EQ(with([](Parts& p, NodeId id) { p.b.sigmoid("n", id); }), refused);
        EXPECT_EQ(with([](Parts& p, NodeId id) { p.b.gelu("n", id); }), refused);
        EXPECT_EQ(with([](Parts& p, NodeId id) { p.b.topk("n", id, 1); }), refused);
        EXPECT_EQ(with([](Parts& p, NodeId id) { p.b.element("n", id, 0); }), refused);
        EXPECT_EQ(with([](Parts& p, NodeId id) { p.b.concat_cols("n", {p.row, id}); }), refused);
        EXPECT_EQ(with([](Parts& p, NodeId id) { p.b.output("n", id); }), kFine);
    }
    EXPECT_EQ(refusal([](Parts& p) { p.b.silu("n", p.token); }),
              "node \"n\": operand \"token\" is an index that the host gives, for lookups only");
    EXPECT_EQ(refusal([](Parts& p) { p.b.output("n", p.token); }),
              "node \"n\": operand \"token\" is an index that the host gives, for lookups only");
}

TEST(CompilerTables, choices_and_elements_are_of_one_row_and_inside_it) {
    const std::string one_row = "node \"n\": one row expected, got \"square\" (3 x 3)";
    EXPECT_EQ(refusal([](Parts& p) { p.b.topk("n", p.square, 1); }), one_row);
    EXPECT_EQ(refusal([](Parts& p) { p.b.element("n", p.square, 0); }), one_row);
    EXPECT_EQ(refusal([](Parts& p) { p.b.concat_cols("n", {p.row, p.square}); }), one_row);
    EXPECT_EQ(refusal([](Parts& p) { p.b.topk("n", p.row, 1); }), kFine);
    EXPECT_EQ(refusal([](Parts& p) { p.b.topk("n", p.row, 4); }), kFine);
    EXPECT_EQ(refusal([](Parts& p) { p.b.topk("n", p.row, 5); }),
              "node \"n\": k is 1 to the 4 elements of \"row\", got 5");
    EXPECT_EQ(refusal([](Parts& p) { p.b.topk("n", p.row, 0); }),
              "node \"n\": k is 1 to the 4 elements of \"row\", got 0");
    EXPECT_EQ(refusal([](Parts& p) { p.b.element("n", p.row, 3); }), kFine);
    EXPECT_EQ(refusal([](Parts& p) { p.b.element("n", p.row, 4); }),
              "node \"n\": \"row\" (1 x 4) has no column 4");
    EXPECT_EQ(refusal([](Parts& p) { p.b.topk_values("n", p.best); }),
              "node \"n\": operand \"best\" is no topk");
    EXPECT_EQ(refusal([](Parts& p) { p.b.topk_values("n", p.top); }), kFine);
    EXPECT_EQ(refusal([](Parts& p) { p.b.concat_cols("n", {}); }),
              "node \"n\": concat_cols needs at least one operand");
}

TEST(CompilerTables, a_row_of_the_table_fills_the_lookup) {
    const auto shaped = [](std::uint32_t rows, std::uint32_t cols) {
        return refusal([&](Parts& p) { p.b.lookup("n", p.table, p.token, rows, cols); });
    };
    for (const auto& [rows, cols] : {std::pair{1U, 6U}, {2U, 3U}, {6U, 1U}, {3U, 0U}, {1U, 0U}})
        EXPECT_EQ(shaped(rows, cols), kFine);
    EXPECT_EQ(shaped(1, 5), "node \"n\": a row of \"table\" (5 x 6) does not make 1 x 5 elements");
    EXPECT_EQ(shaped(4, 0), "node \"n\": a row of \"table\" (5 x 6) does not make 4 x 1 elements");
    EXPECT_EQ(shaped(0, 6), "node \"n\": a row of \"table\" (5 x 6) does not make 0 x 6 elements");
    EXPECT_EQ(shaped(0, 0), "node \"n\": a row of \"table\" (5 x 6) does not make 0 x 0 elements");
    Parts p;
    const Node& three = p.b.graph().nodes[p.b.lookup("n", p.table, p.token, 3)];
    EXPECT_EQ(three.rows, 3U);
    EXPECT_EQ(three.cols, 2U);
}

TEST(CompilerTables, a_table_is_a_weight_that_nothing_but_lookups_reads) {
    EXPECT_EQ(refusal([](Parts& p) { p.b.lookup("n", p.row, p.token); }),
              "node \"n\": operand \"row\" is no weight, so no table");
    EXPECT_EQ(refusal([](Parts& p) {
                  p.b.output("w", p.table);
                  p.b.lookup("n", p.table, p.token);
              }),
              "node \"n\": the table \"table\" is an operand of something else");
    EXPECT_EQ(refusal([](Parts& p) {
                  p.b.lookup("l", p.table, p.token);
                  p.b.lookup("n", p.table, p.best);
              }),
              kFine);
    const std::string refused = "node \"n\": operand \"table\" is a table, for lookups only";
    for (const bool stored : {false, true})
        EXPECT_EQ(refusal([&](Parts& p) {
                      p.b.lookup("l", p.table, p.token);
                      stored ? p.b.output("n", p.table) : p.b.relu("n", p.table);
                  }),
                  refused);
}

TEST(CompilerTables, a_table_has_as_many_rows_as_can_be_counted_and_may_be_larger_than_a_load) {
    const auto table = [](std::uint32_t rows, std::uint32_t cols) {
        return refusal(
            [&](Parts& p) { p.b.lookup("n", p.b.weight("long", ones(rows, cols)), p.token); });
    };
    EXPECT_EQ(table(65535, 2), kFine);
    EXPECT_EQ(table(65536, 1),
              "node \"n\": a table has at most 65535 rows, got \"long\" (65536 x 1)");
    const auto loaded = [](std::uint32_t cols) {
        return refusal([&](Parts& p) { p.b.output("n", p.b.weight("long", ones(1, cols))); });
    };
    EXPECT_EQ(loaded(65535), kFine);
    EXPECT_EQ(
        loaded(65536),
        "node \"n\": operand \"long\" (1 x 65536) has more than the 65535 elements that can be "
        "loaded");
    EXPECT_EQ(table(1, 65536), "node \"n\": a tensor has 1 to 65535 elements, got 1 x 65536");
}

TEST(CompilerTables, an_index_of_one_row_names_a_row_that_the_table_has) {
    EXPECT_EQ(refusal([](Parts& p) { p.b.lookup("n", p.table, p.row); }),
              "node \"n\": operand \"row\" is a value, not an index");
    EXPECT_EQ(refusal([](Parts& p) { p.b.lookup("n", p.table, p.many); }),
              "node \"n\": an index of one row expected, got \"many\" (3 x 1)");
    EXPECT_EQ(refusal([](Parts& p) { p.b.lookup("n", p.table, p.top, 1, 6, 1); }), kFine);
    EXPECT_EQ(refusal([](Parts& p) { p.b.lookup("n", p.table, p.top, 1, 6, 2); }),
              "node \"n\": \"top\" (1 x 2) has no index number 2");
    EXPECT_EQ(refusal([](Parts& p) { p.b.lookup("n", p.table, p.token, 1, 6, 1); }),
              "node \"n\": \"token\" (1 x 1) has no index number 1");
    for (const bool top : {false, true}) {
        const auto of = [&](std::uint32_t rows) {
            return refusal([&](Parts& p) {
                p.b.lookup("n", p.b.weight("short", ones(rows, 2)), top ? p.top : p.best);
            });
        };
        EXPECT_EQ(of(4), kFine);
        EXPECT_EQ(of(3), std::string("node \"n\": \"") + (top ? "top" : "best") +
                             "\" chooses from 4 columns, \"short\" (3 x 2) has fewer rows");
    }
}

TEST(CompilerTables, an_index_reaches_to_the_end_of_the_shortest_table_it_looks_up) {
    Parts p;
    p.b.lookup("five", p.table, p.token);
    p.b.lookup("three", p.b.weight("short", ones(3, 1)), p.token);
    p.b.lookup("one", p.b.weight("other", ones(1, 1)), p.b.index("another"));
    EXPECT_EQ(index_end(p.b.graph(), p.token), 3U);
    EXPECT_EQ(index_end(p.b.graph(), p.best), 65535U) << "looks nothing up";
}

TEST(CompilerTables, operations_have_one_name_each) {
    for (int i = 0; i <= static_cast<int>(Op::output); ++i)
        EXPECT_EQ(op_by_name(op_name(static_cast<Op>(i))), static_cast<Op>(i));
    EXPECT_EQ(op_by_name("outputs"), std::nullopt);
    EXPECT_EQ(op_name(Op::index), "index");
    EXPECT_EQ(op_name(Op::topk_values), "topk_values");
    EXPECT_EQ(op_name(Op::output), "output");
}

TEST(CompilerTables, float_gives_hand_worked_values) {
    GraphBuilder b("g");
    const NodeId x = b.input("x", 2, 2);
    const NodeId r = b.input("r", 1, 4);
    const NodeId token = b.index("token");
    const NodeId table = b.weight("table", {4, 2, {0, 1, 2, 3, 4, 5, 6, 7}});
    const NodeId top = b.topk("top", r, 3);
    const NodeId nodes[] = {b.mul("m", x, x),
                            b.mul("gate", x, b.input("c", 2, 1)),
                            top,
                            b.topk_values("values", top),
                            b.element("e", r, 2),
                            b.lookup("l", table, token, 2),
                            b.lookup("best", table, b.argmax("arg", r)),
                            b.lookup("second", table, top, 1, 2, 1),
                            b.concat_cols("cat", {r, r}),
                            b.sigmoid("s", r)};
    for (const NodeId id : nodes) b.output("o" + std::to_string(id), id);
    const auto values = evaluate(b.build(), {{"x", {2, 2, {1, -2, 3, 4}}},
                                             {"r", {1, 4, {0, 5, -1, 5}}},
                                             {"token", {1, 1, {3}}},
                                             {"c", {2, 1, {10, 0.5}}}});
    const std::vector<Matrix> expected = {{2, 2, {1, 4, 9, 16}},
                                          {2, 2, {10, -20, 1.5, 2}},
                                          {1, 3, {1, 3, 0}},
                                          {1, 3, {5, 5, 0}},
                                          {1, 1, {-1}},
                                          {2, 1, {6, 7}},
                                          {1, 2, {2, 3}},
                                          {1, 2, {6, 7}},
                                          {1, 8, {0, 5, -1, 5, 0, 5, -1, 5}}};
    for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(values[nodes[i]], expected[i]) << i;
    EXPECT_EQ(values[nodes[9]].values[0], 0.5);
}

TEST(CompilerTables, float_refuses_an_index_that_names_no_row) {
    GraphBuilder b("g");
    b.output("o", b.lookup("l", b.weight("table", ones(3, 2)), b.index("token")));
    const Graph graph = b.build();
    const auto with = [&](const Matrix& index) -> std::string {
        try {
            evaluate(graph, {{"token", index}});
        } catch (const Error& error) {
            return error.what();
        }
        return kFine;
    };
    EXPECT_EQ(with({1, 1, {2}}), kFine);
    EXPECT_EQ(with({1, 1, {0}}), kFine);
    EXPECT_EQ(with({1, 1, {3}}), "node \"l\": the table has 3 rows, the index is 3");
    const std::string integer = "node \"token\": an index is an integer of at least 0, got ";
    EXPECT_EQ(with({1, 1, {-1}}), integer + "-1");
    EXPECT_EQ(with({1, 1, {0.5}}), integer + "0.5");
    EXPECT_EQ(with({1, 1, {std::nan("")}}), integer + "nan");
    EXPECT_EQ(with({1, 2, {0, 0}}),
              "node \"token\": input of 1 x 1 expected, got 1 x 2 (2 values)");
}

TEST(CompilerTables, ranges_are_observed_of_what_has_its_own) {
    GraphBuilder b("g");
    const NodeId x = b.input("x", 1, 2);
    const NodeId top = b.topk("top", x, 1);
    const NodeId table = b.weight("table", ones(2, 2));
    const NodeId nodes[] = {b.mul("mul", x, x, "shared"),
                            b.silu("silu", x),
                            b.gelu("gelu", x),
                            b.sigmoid("sigmoid", x),
                            b.topk_values("values", top),
                            b.element("element", x, 0),
                            b.lookup("row", table, b.index("token")),
                            b.concat_cols("cat", {x, x})};
    for (const NodeId id : nodes) b.output("o" + std::to_string(id), id);
    const auto ranges =
        calibrate(b.build(), std::vector<Inputs>{{{"x", {1, 2, {3, -4}}}, {"token", ones(1, 1)}}});
    std::vector<std::string> keys;
    for (const auto& [key, range] : ranges.all()) keys.push_back(key);
    EXPECT_EQ(keys, (std::vector<std::string>{"cat", "gelu", "shared", "silu", "x"}));
    EXPECT_EQ(ranges.find("shared"), 16);
    EXPECT_EQ(ranges.find("cat"), 4);
}

}  // namespace
}  // namespace capra::compiler
