// Graph files with tables, gates and choices.
#include "compiler/graph_json.hpp"
#include "isa/error.hpp"
#include "isa/files.hpp"

#include <gtest/gtest.h>

#include <string>

namespace capra::compiler {
namespace {

/// The example of compiler/graph_json.hpp.
constexpr const char* kGood = R"({"name": "block",
 "nodes": [
  {"name": "x", "op": "input", "rows": 1, "cols": 2, "tag": "x"},
  {"name": "w", "op": "weight", "values": [[0.5, -1], [2, 0.25]]},
  {"name": "y", "op": "matmul", "inputs": ["x", "w"], "scale": 0.5, "transpose_b": false},
  {"name": "h", "op": "silu", "inputs": ["y"]},
  {"name": "token", "op": "index"},
  {"name": "table", "op": "weight", "values": [[1, 0], [0.5, -1], [0, 2]]},
  {"name": "row", "op": "lookup", "inputs": ["table", "token"], "rows": 1, "position": 0},
  {"name": "z", "op": "mul", "inputs": ["h", "row"]},
  {"name": "best", "op": "topk", "inputs": ["z"], "k": 2},
  {"name": "first", "op": "element", "inputs": ["z"], "column": 0},
  {"name": "o", "op": "output", "inputs": ["best"]},
  {"name": "p", "op": "output", "inputs": ["first"]}],
 "calibration": [{"x": [[1, -1]], "token": [[2]]}]})";

Graph good() {
    GraphBuilder b("block");
    const NodeId x = b.input("x", 1, 2, "x");
    const NodeId y = b.matmul("y", x, b.weight("w", {2, 2, {0.5, -1, 2, 0.25}}), 0.5);
    const NodeId h = b.silu("h", y);
    const NodeId token = b.index("token");
    const NodeId table = b.weight("table", {3, 2, {1, 0, 0.5, -1, 0, 2}});
    const NodeId z = b.mul("z", h, b.lookup("row", table, token));
    const NodeId best = b.topk("best", z, 2);
    const NodeId first = b.element("first", z, 0);
    b.output("o", best);
    b.output("p", first);
    return b.build();
}

/// The good file with `from` replaced.
std::string with(const std::string& from, const std::string& to) {
    std::string text = kGood;
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

std::string refusal(const std::string& from, const std::string& to) {
    try {
        parse_graph(with(from, to), "bad.json");
    } catch (const Error& error) {
        return error.what();
    }
    return "nothing was refused";
}

TEST(CompilerTablesJson, the_documented_example_is_read) {
    const auto parsed = parse_graph(kGood, "good.json");
    EXPECT_EQ(parsed.graph, good());
    EXPECT_EQ(parsed.samples,
              (std::vector<Inputs>{{{"x", {1, 2, {1, -1}}}, {"token", {1, 1, {2}}}}}));
}

TEST(CompilerTablesJson, a_lookup_without_rows_or_position_is_one_row_by_the_first_index) {
    EXPECT_EQ(parse_graph(with(R"(, "rows": 1, "position": 0)", ""), "short.json").graph, good());
    const auto two = parse_graph(with(R"("rows": 1, "position": 0},
  {"name": "z", "op": "mul", "inputs": ["h", "row"]})",
                                      R"("rows": 2},
  {"name": "yy", "op": "matmul", "inputs": ["h", "row"]},
  {"name": "z", "op": "concat_cols", "inputs": ["yy", "yy"]})"),
                                 "two.json");
    EXPECT_EQ(two.graph.nodes[6].rows, 2U);
    EXPECT_EQ(two.graph.nodes[6].cols, 1U);
}

TEST(CompilerTablesJson, a_tag_belongs_to_what_has_a_range) {
    const auto tagged = parse_graph(
        with(R"("op": "silu", "inputs": ["y"])", R"("op": "silu", "inputs": ["y"], "tag": "t")"),
        "tagged.json");
    EXPECT_EQ(tagged.graph.nodes[3].tag, "t");
    EXPECT_EQ(
        refusal(R"("op": "silu", "inputs": ["y"])",
                R"("op": "sigmoid", "inputs": ["y"], "tag": "t")"),
        "bad.json: $.nodes[3].tag: node \"h\": unknown key, the keys here are name, op, inputs");
    EXPECT_EQ(refusal(R"("position": 0)", R"("position": 0, "tag": "t")"),
              "bad.json: $.nodes[6].tag: node \"row\": unknown key, the keys here are name, op, "
              "inputs, rows, position");
    EXPECT_EQ(refusal(R"("k": 2)", R"("k": 2, "tag": "t")"),
              "bad.json: $.nodes[8].tag: node \"best\": unknown key, the keys here are name, op, "
              "inputs, k");
    EXPECT_EQ(refusal(R"("column": 0)", R"("column": 0, "tag": "t")"),
              "bad.json: $.nodes[9].tag: node \"first\": unknown key, the keys here are name, op, "
              "inputs, column");
    EXPECT_EQ(refusal(R"("op": "index")", R"("op": "index", "tag": "t")"),
              "bad.json: $.nodes[4].tag: node \"token\": unknown key, the keys here are name, op");
}

TEST(CompilerTablesJson, what_is_wrong_is_told_by_its_place) {
    EXPECT_EQ(refusal(R"("k": 2)", R"("k": 3)"),
              "bad.json: $.nodes[8]: node \"best\": k is 1 to the 2 elements of \"z\", got 3");
    EXPECT_EQ(refusal(R"("k": 2)", R"("k": 0)"),
              "bad.json: $.nodes[8].k: node \"best\": expected a whole number in 1..65535, got 0");
    EXPECT_EQ(refusal(R"(, "k": 2)", ""),
              "bad.json: $.nodes[8]: node \"best\": the key \"k\" is missing");
    EXPECT_EQ(refusal(R"("column": 0)", R"("column": 2)"),
              "bad.json: $.nodes[9]: node \"first\": \"z\" (1 x 2) has no column 2");
    EXPECT_EQ(
        refusal(R"("column": 0)", R"("column": -1)"),
        "bad.json: $.nodes[9].column: node \"first\": expected a whole number in 0..65534, got "
        "-1");
    EXPECT_EQ(refusal(R"("position": 0)", R"("position": 1)"),
              "bad.json: $.nodes[6]: node \"row\": \"token\" (1 x 1) has no index number 1");
    EXPECT_EQ(refusal(R"("rows": 1, "position")", R"("rows": 3, "position")"),
              "bad.json: $.nodes[6]: node \"row\": a row of \"table\" (3 x 2) does not make 3 x 0 "
              "elements");
    EXPECT_EQ(
        refusal(R"(["table", "token"])", R"(["table"])"),
        "bad.json: $.nodes[6].inputs: node \"row\": expected two operands, got an array of 1");
    EXPECT_EQ(refusal(R"("op": "index")", R"("op": "index", "rows": 1)"),
              "bad.json: $.nodes[4].rows: node \"token\": unknown key, the keys here are name, op");
}

TEST(CompilerTablesJson, an_index_of_a_sample_is_a_row_of_its_tables) {
    const auto token = [](const std::string& value) {
        return refusal(R"("token": [[2]])", R"("token": )" + value);
    };
    EXPECT_EQ(token("[[0]]"), "nothing was refused");
    EXPECT_EQ(token("[[2.0]]"), "nothing was refused");
    const std::string place = "bad.json: $.calibration[0].token";
    for (const std::string value : {"3", "-1", "0.5"})
        EXPECT_EQ(token("[[" + value + "]]"),
                  place + "[0][0]: input \"token\": expected an index in 0..2, got " + value);
    EXPECT_EQ(token("[[0, 1]]"), place + ": input \"token\": expected 1 x 1 values, got 1 x 2");
    EXPECT_EQ(token("2"), place + ": input \"token\": expected an array, got 2");
}

TEST(CompilerTablesJson, the_example_graph_is_a_stem_block) {
    const std::string path = CAPRA_SOURCE "/examples/stem-block.json";
    const auto parsed = parse_graph(read_file(path), path);
    std::vector<std::string_view> ops;
    for (const Node& node : parsed.graph.nodes) ops.push_back(op_name(node.op));
    EXPECT_EQ(ops,
              (std::vector<std::string_view>{"input", "index", "weight", "matmul", "silu", "weight",
                                             "lookup", "mul", "weight", "matmul", "output"}));
    // Every token is calibrated on.
    EXPECT_EQ(parsed.samples.size(), index_end(parsed.graph, 1));
}

}  // namespace
}  // namespace capra::compiler
