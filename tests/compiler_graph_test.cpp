// What the graph builder, the float interpreter and calibration accept, compute and refuse.
#include "compiler/calibrate.hpp"
#include "compiler/graph.hpp"
#include "isa/error.hpp"
#include "tests/compiler_support.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <ostream>
#include <set>
#include <string>
#include <vector>

namespace capra {
namespace {

using namespace compiler;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The message of the Error that `act` must throw.
std::string refusal(const std::function<void()>& act) {
    try {
        act();
    } catch (const Error& error) {
        return error.what();
    }
    return "nothing was refused";
}

struct RefusedGraph {
    const char* law;
    std::function<void(GraphBuilder&)> build;
    std::vector<std::string> message_parts;
};

void PrintTo(const RefusedGraph& refused, std::ostream* out) {
    *out << refused.law;
}

// Every builder starts with x (2 x 3) and w (3 x 4).
const RefusedGraph kRefused[] = {
    {"duplicate_name", [](auto& b) { b.input("x", 1, 1); }, {"\"x\"", "another node"}},
    {"empty_name", [](auto& b) { b.relu("", 0); }, {"node \"\"", "a name is"}},
    {"name_with_newline", [](auto& b) { b.relu("a\nb", 0); }, {"\"a?b\"", "a name is"}},
    {"name_with_semicolon", [](auto& b) { b.relu("a;b", 0); }, {"\"a;b\"", "a name is"}},
    {"overlong_name", [](auto& b) { b.relu(std::string(65, 'n'), 0); }, {"nnn", "a name is"}},
    {"tag_with_space", [](auto& b) { b.relu("r", 0, "a b"); }, {"\"r\"", "tag", "a b"}},
    {"no_rows", [](auto& b) { b.input("z", 0, 3); }, {"\"z\"", "0 x 3"}},
    {"no_cols", [](auto& b) { b.input("z", 3, 0); }, {"\"z\"", "3 x 0"}},
    {"too_many_elements", [](auto& b) { b.input("z", 256, 256); }, {"\"z\"", "256 x 256"}},
    {"product_that_wraps", [](auto& b) { b.input("z", 1U << 31, 2); }, {"\"z\"", "2147483648"}},
    {"nan_weight",
     [](auto& b) {
         b.weight("v", {1, 2, {0, kNan}});
     },
     {"\"v\"", "nan"}},
    {"infinite_weight",
     [](auto& b) {
         b.weight("v", {1, 1, {kInfinity}});
     },
     {"\"v\"", "inf"}},
    {"short_weight",
     [](auto& b) {
         b.weight("v", {2, 2, {1, 2, 3}});
     },
     {"\"v\"", "2 x 2", "3"}},
    {"depth_mismatch", [](auto& b) { b.matmul("m", 1, 0); }, {"\"m\"", "3 x 4", "2 x 3"}},
    {"transposed_depth_mismatch",
     [](auto& b) { b.matmul("m", 0, 1, 1.0, true); },
     {"\"m\"", "2 x 3", "3 x 4", "transposed"}},
    {"zero_scale", [](auto& b) { b.matmul("m", 0, 1, 0.0); }, {"\"m\"", "scale", "0"}},
    {"negative_scale", [](auto& b) { b.matmul("m", 0, 1, -2.0); }, {"\"m\"", "scale", "-2"}},
    {"nan_scale", [](auto& b) { b.matmul("m", 0, 1, kNan); }, {"\"m\"", "scale", "nan"}},
    {"sum_of_unequal_shapes", [](auto& b) { b.add("s", 0, 1); }, {"\"s\"", "2 x 3", "3 x 4"}},
    {"sum_of_unequal_rows",
     [](auto& b) { b.add("s", 0, b.input("z", 1, 3)); },
     {"\"s\"", "2 x 3", "1 x 3"}},
    {"sum_of_unequal_cols",
     [](auto& b) { b.add("s", 0, b.input("z", 2, 1)); },
     {"\"s\"", "2 x 3", "2 x 1"}},
    {"empty_concat", [](auto& b) { b.concat_rows("c", {}); }, {"\"c\"", "at least one"}},
    {"ragged_concat",
     [](auto& b) {
         b.concat_rows("c", {0, 1});
     },
     {"\"c\"", "\"w\" (3 x 4)"}},
    {"unknown_operand", [](auto& b) { b.relu("r", 7); }, {"\"r\"", "7"}},
    {"operand_one_past_the_last", [](auto& b) { b.relu("r", 2); }, {"\"r\"", "the number 2"}},
    {"operand_that_is_an_output",
     [](auto& b) { b.relu("r", b.output("o", 0)); },
     {"\"r\"", "\"o\" is an output"}},
    {"operand_that_is_an_index",
     [](auto& b) { b.relu("r", b.argmax("i", 0)); },
     {"\"r\"", "\"i\" is an index"}},
    {"unused_node", [](auto& b) { b.output("o", b.relu("r", 0)); }, {"\"w\"", "nothing uses"}},
    {"unused_first_node",
     [](auto& b) { b.output("o", b.relu("r", 1)); },
     {"\"x\"", "nothing uses"}},
    {"no_output", [](auto& b) { b = GraphBuilder("lonely"); }, {"\"lonely\"", "no output"}},
};

class CompilerGraphRefuses : public testing::TestWithParam<RefusedGraph> {};

TEST_P(CompilerGraphRefuses, with_one_line_that_names_the_node) {
    const auto message = refusal([] {
        GraphBuilder b("g");
        b.input("x", 2, 3);
        b.weight("w", {3, 4, std::vector<double>(12, 1.0)});
        GetParam().build(b);
        b.build();
    });
    for (const auto& part : GetParam().message_parts)
        EXPECT_NE(message.find(part), std::string::npos) << message << "\nlacks " << part;
    EXPECT_EQ(message.find('\n'), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Compiler, CompilerGraphRefuses, testing::ValuesIn(kRefused),
                         [](const auto& refused) { return refused.param.law; });

/// As many elements as a graph may have.
void fill(GraphBuilder& b) {
    static_assert(kMaxTensorElements == 5 * 13107 && kMaxGraphElements == 256 * 65536);
    for (int i = 0; i < 256; ++i) b.input("x" + std::to_string(i), 5, 13107);
    b.input("rest", 1, 256);
}

TEST(CompilerGraph, a_graph_has_as_many_elements_as_memory_has_words_and_no_more) {
    GraphBuilder b("huge");
    fill(b);
    const auto message = refusal([&] { b.input("more", 1, 1); });
    EXPECT_NE(message.find("\"more\""), std::string::npos) << message;
    EXPECT_NE(message.find("16777216"), std::string::npos) << message;
}

TEST(CompilerGraph, building_empties_the_builder) {
    GraphBuilder b("g");
    b.output("o", b.input("x", 1, 1));
    EXPECT_EQ(b.build().nodes.size(), 2U);
    EXPECT_TRUE(b.graph().nodes.empty());
    // Names and elements are free again.
    b.input("x", 1, 1);
    b.output("o", 0);
    b.build();
    EXPECT_NO_THROW(fill(b));
}

/// The value of the last node for input x.
std::vector<double> value(const std::function<NodeId(GraphBuilder&, NodeId)>& add,
                          const Matrix& x) {
    GraphBuilder b("g");
    b.output("o", add(b, b.input("x", x.rows, x.cols)));
    return evaluate(b.build(), {{"x", x}}).back().values;
}

TEST(CompilerFloat, every_operation_equals_a_hand_worked_value) {
    const Matrix x{2, 2, {1, -2, 3, 4}};
    const Matrix w{2, 2, {1, 2, 3, 5}};
    using V = std::vector<double>;
    EXPECT_EQ(value([&](auto& b, auto a) { return b.matmul("m", a, b.weight("w", w), 2); }, x),
              (V{-10, -16, 30, 52}));
    EXPECT_EQ(
        value([&](auto& b, auto a) { return b.matmul("m", a, b.weight("w", w), 1, true); }, x),
        (V{-3, -7, 11, 29}));
    EXPECT_EQ(value([&](auto& b, auto a) { return b.add("s", a, b.weight("w", w)); }, x),
              (V{2, 0, 6, 9}));
    EXPECT_EQ(value([](auto& b, auto a) { return b.relu("r", a); }, x), (V{1, 0, 3, 4}));
    EXPECT_EQ(value([](auto& b, auto a) { return b.argmax("i", a); }, x), (V{0, 1}));
    EXPECT_EQ(value([](auto& b, auto a) { return b.argmax("i", a); }, {1, 3, {5, 5, 5}}), (V{0}));
    EXPECT_EQ(value(
                  [&](auto& b, auto a) {
                      return b.concat_rows("c", {a, b.weight("w", w)});
                  },
                  x),
              (V{1, -2, 3, 4, 1, 2, 3, 5}));
    const auto p = value([](auto& b, auto a) { return b.softmax("p", a); },
                         {2, 2, {0, std::log(3), 1000, 1000}});
    EXPECT_NEAR(p[0], 0.25, 1e-15);
    EXPECT_NEAR(p[1], 0.75, 1e-15);
    EXPECT_EQ(p[2], 0.5);
}

Graph relu_graph(const std::string& tag = "") {
    GraphBuilder b("g");
    b.output("o", b.relu("r", b.input("x", 1, 2, tag), tag));
    return b.build();
}

/// Whatever the exponential of the larger one is, that of their difference is what counts.
TEST(CompilerFloat, softmax_of_values_far_apart_is_finite) {
    const auto add = [](GraphBuilder& b, NodeId a) { return b.softmax("p", a); };
    EXPECT_EQ(value(add, {1, 2, {-800, 800}}), (std::vector<double>{0, 1}));
    EXPECT_EQ(value(add, {1, 2, {-900, -900}}), (std::vector<double>{0.5, 0.5}));
}

TEST(CompilerFloat, what_is_no_number_passes_a_relu_and_leaves_winners_distinct) {
    GraphBuilder b("g");
    const NodeId x = b.input("x", 1, 3);
    const NodeId relu = b.relu("relu", x);
    const NodeId top = b.topk("top", x, 3);
    b.output("o", relu);
    b.output("p", top);
    const auto values = evaluate(b.build(), {{"x", {1, 3, {1, kNan, -2}}}});
    EXPECT_TRUE(std::isnan(values[relu].values[1]));
    EXPECT_EQ(std::set(values[top].values.begin(), values[top].values.end()),
              (std::set<double>{0, 1, 2}));
}

TEST(CompilerFloat, missing_wrong_and_unknown_inputs_are_refused_by_name) {
    const Graph graph = relu_graph();
    const auto message = [&](const Inputs& in) { return refusal([&] { evaluate(graph, in); }); };
    EXPECT_NE(message({}).find("node \"x\": no value"), std::string::npos);
    EXPECT_NE(message({{"x", {2, 1, {1, 2}}}}).find("1 x 2 expected, got 2 x 1"),
              std::string::npos);
    EXPECT_NE(message({{"x", {1, 2, {1}}}}).find("(1 values)"), std::string::npos);
    EXPECT_NE(message({{"x", {1, 2, {1, 2}}}, {"z", {}}}).find("\"z\""), std::string::npos);
}

TEST(CompilerCalibration, ranges_are_largest_magnitudes_by_tag_or_name) {
    Ranges ranges;
    observe(ranges, relu_graph(), {{"x", {1, 2, {-3, 2}}}});
    observe(ranges, relu_graph(), {{"x", {1, 2, {1, 1}}}});
    EXPECT_EQ(ranges.find("x"), 3);
    EXPECT_EQ(ranges.find("r"), 2);
    EXPECT_EQ(ranges.find("o"), std::nullopt);
    observe(ranges, relu_graph("t"), {{"x", {1, 2, {-5, 2}}}});
    EXPECT_EQ(ranges.find("t"), 5);
    EXPECT_EQ(ranges.find("x"), 3);
}

TEST(CompilerCalibration, range_of_a_sum_covers_its_operands) {
    GraphBuilder b("g");
    const auto x = b.input("x", 1, 1);
    b.output("o", b.add("s", x, b.input("y", 1, 1)));
    const Inputs opposite = {{"x", {1, 1, {-7}}}, {"y", {1, 1, {6}}}};
    EXPECT_EQ(calibrate(b.build(), {&opposite, 1}).find("s"), 7);
}

TEST(CompilerCalibration, a_range_takes_the_widest_value_in_any_order) {
    Ranges a;
    a.widen("x", 1);
    a.widen("y", 5);
    a.widen("x", 2);
    Ranges b;
    b.widen("x", 2);
    b.widen("y", 5);
    b.widen("x", 1);
    EXPECT_EQ(a, b);
    EXPECT_EQ(a.all(), (std::map<std::string, double>{{"x", 2}, {"y", 5}}));
}

TEST(CompilerCalibration, nan_and_infinite_values_are_refused_by_node) {
    GraphBuilder b("g");
    const auto x = b.input("x", 1, 1);
    b.output("o", b.matmul("huge", x, x));
    const Graph graph = b.build();
    const auto message = [&](double v) {
        Ranges ranges;
        return refusal([&] { observe(ranges, graph, {{"x", {1, 1, {v}}}}); });
    };
    EXPECT_NE(message(kNan).find("node \"x\": calibration gives nan"), std::string::npos);
    EXPECT_NE(message(-kInfinity).find("node \"x\": calibration gives -inf"), std::string::npos);
    EXPECT_NE(message(1e200).find("node \"huge\": calibration gives inf"), std::string::npos);
}

}  // namespace
}  // namespace capra
