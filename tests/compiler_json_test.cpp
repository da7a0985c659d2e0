// Graph files: exact round trips, and one line for everything that is wrong.
#include "compiler/graph_json.hpp"
#include "isa/error.hpp"
#include "tests/compiler_graph_json.hpp"
#include "tests/compiler_random_graph.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <ostream>
#include <string>
#include <vector>

namespace capra {
namespace {

using namespace compiler;
using namespace compiler_testing;

RC_GTEST_PROP(CompilerJson, graph_and_samples_survive_the_round_trip_exactly, ()) {
    const auto seed = *rc::gen::arbitrary<std::uint32_t>();
    const Graph graph = GraphFromChoices(*choices(), seed).build();
    std::mt19937 random(seed);
    const std::vector<Inputs> samples = {random_inputs(random, graph),
                                         random_inputs(random, graph)};
    const std::string text = graph_to_json(graph, samples);
    const ParsedGraph parsed = parse_graph(text, "round.json");
    RC_ASSERT(parsed.graph == graph);
    RC_ASSERT(parsed.samples == samples);
    RC_ASSERT(graph_to_json(parsed.graph, parsed.samples) == text);
}

TEST(CompilerJson, doubles_at_the_edges_survive_the_round_trip_exactly) {
    using Limits = std::numeric_limits<double>;
    const Matrix edges{
        1, 6, {Limits::max(), Limits::min(), Limits::denorm_min(), 0.1, -0.0, 9007199254740993.0}};
    GraphBuilder b("edges");
    b.output("out", b.add("s", b.input("x", 1, 6), b.weight("w", edges)));
    const Graph graph = b.build();
    const std::vector<Inputs> samples = {{{"x", edges}}};
    const auto parsed = parse_graph(graph_to_json(graph, samples), "edges.json");
    EXPECT_EQ(parsed.graph, graph);
    EXPECT_EQ(parsed.samples, samples);
    EXPECT_TRUE(std::signbit(parsed.samples[0].at("x").values[4]));
}

const std::string kGood = R"({"name": "mlp",
 "nodes": [
  {"name": "x", "op": "input", "rows": 1, "cols": 2, "tag": "t"},
  {"name": "w", "op": "weight", "values": [[0.5, -1], [2, 0.25]]},
  {"name": "y", "op": "matmul", "inputs": ["x", "w"], "scale": 0.5, "transpose_b": false},
  {"name": "out", "op": "output", "inputs": ["y"]}],
 "calibration": [{"x": [[1, -1]]}]})";

TEST(CompilerJson, the_documented_example_is_read) {
    const auto parsed = parse_graph(kGood, "good.json");
    GraphBuilder b("mlp");
    const NodeId x = b.input("x", 1, 2, "t");
    b.output("out", b.matmul("y", x, b.weight("w", {2, 2, {0.5, -1, 2, 0.25}}), 0.5));
    EXPECT_EQ(parsed.graph, b.build());
    EXPECT_EQ(parsed.samples, (std::vector<Inputs>{{{"x", {1, 2, {1, -1}}}}}));
}

std::string refusal(const std::string& text) {
    try {
        parse_graph(text, "bad.json");
    } catch (const Error& error) {
        return error.what();
    }
    return "nothing was refused";
}

/// The good file with one part replaced, and how the message then begins and what else it says.
struct Damage {
    const char* law;
    std::string part;
    std::string replacement;
    std::string begins;
    std::string says;
};

void PrintTo(const Damage& damage, std::ostream* out) {
    *out << damage.replacement << " for " << damage.part;
}

const Damage kDamages[] = {
    // Numbers.
    {"text_for_rows", "\"rows\": 1", "\"rows\": \"1\"", "$.nodes[0].rows: node \"x\"", "got \"1\""},
    {"true_for_rows", "\"rows\": 1", "\"rows\": true", "$.nodes[0].rows: node \"x\"", "got true"},
    {"fraction_of_rows", "\"rows\": 1", "\"rows\": 1.5", "$.nodes[0].rows: node \"x\"", "got 1.5"},
    {"float_for_rows", "\"rows\": 1", "\"rows\": 1.0", "$.nodes[0].rows: node \"x\"", "got 1.0"},
    {"zero_rows", "\"rows\": 1", "\"rows\": 0", "$.nodes[0].rows: node \"x\"", "got 0"},
    {"negative_rows", "\"rows\": 1", "\"rows\": -1", "$.nodes[0].rows: node \"x\"", "got -1"},
    {"rows_beyond_a_tensor", "\"rows\": 1", "\"rows\": 65536", "$.nodes[0].rows: node \"x\"",
     "65536"},
    {"rows_that_wrap_to_one", "\"rows\": 1", "\"rows\": 4294967297", "$.nodes[0].rows: node \"x\"",
     "got 4294967297"},
    {"rows_beyond_64_bits", "\"rows\": 1", "\"rows\": 18446744073709551617",
     "$.nodes[0].rows: node \"x\"", "got 1.844"},
    {"huge_cols", "\"cols\": 2", "\"cols\": 1e300", "$.nodes[0].cols: node \"x\"", "got 1e+300"},
    {"huge_product", "\"rows\": 1, \"cols\": 2", "\"rows\": 65535, \"cols\": 65535",
     "$.nodes[0]: node \"x\"", "65535 x 65535"},
    {"null_for_cols", "\"cols\": 2", "\"cols\": null", "$.nodes[0].cols: node \"x\"", "got null"},
    {"overflow_in_weight", "0.25", "1e999", "$.nodes[1].values[1][1]: node \"w\"", "got 1e999"},
    {"overflow_in_scale", "\"scale\": 0.5", "\"scale\": -1e999", "$.nodes[2].scale: node \"y\"",
     "got -1e999"},
    {"nan_in_weight", "0.25", "NaN", "$.nodes[1].values[1][1]: node \"w\"", "got NaN"},
    {"infinity_in_sample", "[[1,", "[[Infinity,", "$.calibration[0].x[0][0]", "got Infinity"},
    {"true_in_weight", "0.25", "true", "$.nodes[1].values[1][1]: node \"w\"", "got true"},
    {"text_in_weight", "0.25", "\"0.25\"", "$.nodes[1].values[1][1]: node \"w\"", "got \"0.25\""},
    {"true_in_sample", "[[1,", "[[true,", "$.calibration[0].x[0][0]: input \"x\"", "got true"},
    {"zero_scale", "\"scale\": 0.5", "\"scale\": 0", "$.nodes[2]: node \"y\"", "got 0"},
    {"negative_scale", "\"scale\": 0.5", "\"scale\": -1", "$.nodes[2]: node \"y\"", "got -1"},
    {"text_for_scale", "\"scale\": 0.5", "\"scale\": \"1\"", "$.nodes[2].scale: node \"y\"",
     "got \"1\""},
    {"number_for_flag", "\"transpose_b\": false", "\"transpose_b\": 0",
     "$.nodes[2].transpose_b: node \"y\"", "got 0"},
    // Keys.
    {"duplicate_key", "\"rows\": 1", "\"rows\": 1, \"rows\": 1", "$.nodes[0].rows: node \"x\"",
     "twice"},
    {"duplicate_top_key", "\"nodes\"", "\"name\"", "$.name", "twice"},
    {"unknown_key", "\"rows\": 1", "\"rows\": 1, \"row\": 1", "$.nodes[0].row: node \"x\"",
     "unknown key"},
    {"unknown_key_with_odd_name", "\"rows\": 1", "\"rows\": 1, \"a.b\\n\": 1",
     "$.nodes[0][\"a.b?\"]: node \"x\"", "unknown key"},
    {"unknown_top_key", "\"name\": \"mlp\",", "\"name\": \"mlp\", \"version\": 1,", "$.version",
     "unknown key"},
    {"key_of_another_operation", "\"inputs\": [\"y\"]", "\"inputs\": [\"y\"], \"scale\": 1",
     "$.nodes[3].scale: node \"out\"", "unknown key"},
    {"missing_rows", "\"rows\": 1, ", "", "$.nodes[0]: node \"x\"", "\"rows\" is missing"},
    {"missing_op", "\"op\": \"input\", ", "", "$.nodes[0]: node \"x\"", "\"op\" is missing"},
    {"missing_name", "\"name\": \"x\", ", "", "$.nodes[0]", "\"name\" is missing"},
    {"missing_graph_name", "\"name\": \"mlp\",", "", "$: ", "\"name\" is missing"},
    {"missing_inputs", ", \"inputs\": [\"y\"]", "", "$.nodes[3]: node \"out\"",
     "\"inputs\" is missing"},
    {"missing_values", ", \"values\": [[0.5, -1], [2, 0.25]]", "", "$.nodes[1]: node \"w\"",
     "\"values\" is missing"},
    {"missing_calibration", ",\n \"calibration\": [{\"x\": [[1, -1]]}]", "",
     "$: ", "\"calibration\" is missing"},
    // Nodes.
    {"duplicate_node", "\"name\": \"w\"", "\"name\": \"x\"", "$.nodes[1]: node \"x\"",
     "another node"},
    {"number_for_name", "\"name\": \"w\"", "\"name\": 5", "$.nodes[1].name", "got 5"},
    {"empty_name", "\"name\": \"w\"", "\"name\": \"\"", "$.nodes[1]: node \"\"", "a name is"},
    {"name_with_newline", "\"name\": \"w\"", "\"name\": \"w\\nv\"", "$.nodes[1]: node \"w?v\"",
     "a name is"},
    {"empty_graph_name", "\"mlp\"", "\"\"", "$.name: graph \"\"", "a name is"},
    {"number_for_tag", "\"tag\": \"t\"", "\"tag\": 1", "$.nodes[0].tag: node \"x\"", "got 1"},
    {"tag_with_space", "\"tag\": \"t\"", "\"tag\": \"t u\"", "$.nodes[0]: node \"x\"", "t u"},
    {"unknown_op", "\"matmul\"", "\"matmull\"", "$.nodes[2].op: node \"y\"", "got \"matmull\""},
    {"unknown_operand", "[\"x\", \"w\"]", "[\"x\", \"v\"]", "$.nodes[2].inputs[1]: node \"y\"",
     "got \"v\""},
    {"operand_that_comes_later", "[\"x\", \"w\"]", "[\"x\", \"out\"]",
     "$.nodes[2].inputs[1]: node \"y\"", "got \"out\""},
    {"number_for_operand", "[\"x\", \"w\"]", "[0, \"w\"]", "$.nodes[2].inputs[0]: node \"y\"",
     "got 0"},
    {"one_operand_of_two", "[\"x\", \"w\"]", "[\"x\"]", "$.nodes[2].inputs: node \"y\"",
     "expected two"},
    {"two_operands_of_one", "[\"y\"]", "[\"y\", \"y\"]", "$.nodes[3].inputs: node \"out\"",
     "expected one"},
    {"text_for_operands", "[\"y\"]", "\"y\"", "$.nodes[3].inputs: node \"out\"", "got \"y\""},
    {"shape_mismatch", "\"cols\": 2", "\"cols\": 3", "$.nodes[2]: node \"y\"", "(1 x 3)"},
    {"unused_node", "[\"y\"]", "[\"w\"]", "$.nodes: node \"y\"", "nothing uses"},
    {"number_for_node", "{\"name\": \"out\", \"op\": \"output\", \"inputs\": [\"y\"]}", "7",
     "$.nodes[3]", "got 7"},
    {"no_nodes", "\"nodes\": [", "\"nodes\": {}, \"rest\": [", "$.rest", "unknown key"},
    // Matrices and samples.
    {"ragged_weight", "[2, 0.25]", "[2]", "$.nodes[1].values[1]: node \"w\"",
     "2 numbers, got an array of 1"},
    {"empty_row", "[[0.5, -1], [2, 0.25]]", "[[]]", "$.nodes[1].values[0]: node \"w\"",
     "an array of 0"},
    {"flat_weight", "[[0.5, -1], [2, 0.25]]", "[0.5]", "$.nodes[1].values[0]: node \"w\"",
     "got 0.5"},
    {"empty_weight", "[[0.5, -1], [2, 0.25]]", "[]", "$.nodes[1].values: node \"w\"",
     "an array of 0"},
    {"object_for_weight", "[[0.5, -1], [2, 0.25]]", "{}", "$.nodes[1].values: node \"w\"",
     "an object"},
    {"sample_without_input", "{\"x\": [[1, -1]]}", "{}", "$.calibration[0]: input \"x\"",
     "\"x\" is missing"},
    {"sample_with_unknown_input", "{\"x\": [[1, -1]]}", "{\"x\": [[1, -1]], \"z\": [[1]]}",
     "$.calibration[0].z", "no input has this name"},
    {"sample_of_wrong_shape", "[[1, -1]]", "[[1], [-1]]", "$.calibration[0].x: input \"x\"",
     "1 x 2 values, got 2 x 1"},
    {"sample_with_a_row_too_many", "[[1, -1]]", "[[1, -1], [1, -1]]",
     "$.calibration[0].x: input \"x\"", "1 x 2 values, got 2 x 2"},
    {"sample_with_a_column_too_few", "[[1, -1]]", "[[1]]", "$.calibration[0].x: input \"x\"",
     "1 x 2 values, got 1 x 1"},
    {"no_samples", "[{\"x\": [[1, -1]]}]", "[]", "$.calibration", "at least one"},
    {"object_for_samples", "[{\"x\": [[1, -1]]}]", "{\"x\": 1}", "$.calibration",
     "expected an array"},
    {"array_for_sample", "{\"x\": [[1, -1]]}", "[]", "$.calibration[0]", "expected an object"},
    // Syntax.
    {"comment", "\"mlp\",", "\"mlp\", // hello", "$.name", "syntax error"},
    {"trailing_comma", "[[1, -1]]}]", "[[1, -1]]},]", "$.calibration[1]", "syntax error"},
    {"unclosed", "]]}]}", "]]}]", "$.calibration", "syntax error"},
    {"text_after_the_value", "]]}]}", "]]}]} 1", "$: ", "got 1"},
    {"control_character_in_text", "\"mlp\"", "\"m\nlp\"", "$.name", "control character"},
    {"broken_utf8", "\"mlp\"", "\"m\xFFlp\"", "$.name", "UTF-8"},
};

class CompilerJsonRefuses : public testing::TestWithParam<Damage> {};

TEST_P(CompilerJsonRefuses, in_one_line_with_file_path_node_and_value) {
    const Damage& damage = GetParam();
    std::string text = kGood;
    const auto at = text.find(damage.part);
    ASSERT_NE(at, std::string::npos) << "the damage does not apply";
    text.replace(at, damage.part.size(), damage.replacement);
    const std::string message = refusal(text);
    const std::string begins = "bad.json: " + damage.begins;
    EXPECT_EQ(message.substr(0, begins.size()), begins) << message;
    EXPECT_NE(message.find(damage.says), std::string::npos) << message;
    for (char c : message) EXPECT_TRUE(c >= ' ' && c <= '~') << "not printable: " << int{c};
    EXPECT_LT(message.size(), 500U);
}

INSTANTIATE_TEST_SUITE_P(Compiler, CompilerJsonRefuses, testing::ValuesIn(kDamages),
                         [](const auto& damage) { return damage.param.law; });

TEST(CompilerJson, texts_that_are_no_object_are_refused) {
    for (const std::string text : {"", " ", "[]", "7", "null", "\"graph\"", "{", "\0"})
        EXPECT_EQ(refusal(text).substr(0, 13), "bad.json: $: ") << text;
}

TEST(CompilerJson, a_number_of_a_million_digits_makes_a_short_message) {
    std::string text = kGood;
    text.replace(text.find("0.25"), 4, std::string(1000000, '9'));
    const auto message = refusal(text);
    EXPECT_EQ(message.find("bad.json: $.nodes[1].values[1][1]: node \"w\""), 0U) << message;
    EXPECT_LT(message.size(), 500U);
}

TEST(CompilerJson, a_matrix_beyond_the_largest_tensor_is_refused) {
    std::string row = "[0";
    for (int i = 0; i < 65535; ++i) row += ",0";
    const auto with = [&](const std::string& matrix) {
        std::string text = kGood;
        text.replace(text.find(matrix), matrix.size(), "[" + row + "]]");
        return refusal(text);
    };
    EXPECT_EQ(with("[[1, -1]]"),
              "bad.json: $.calibration[0].x: input \"x\": a tensor has at most 65535 elements, got "
              "65536");
    EXPECT_EQ(with("[[0.5, -1], [2, 0.25]]"),
              "bad.json: $.nodes[2]: node \"y\": operand \"w\" (1 x 65536) has more than the 65535 "
              "elements that can be loaded");
}

}  // namespace
}  // namespace capra
