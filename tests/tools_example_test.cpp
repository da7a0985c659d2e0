// The running examples: the chapter's figures in what they print and write.
#include "tests/tools_support.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sstream>

namespace capra {
namespace {

using Json = nlohmann::json;

class ToolsExample : public ToolsTest {
  protected:
    /// Runs an example; its text, and its JSON in `json`.
    std::string run(const std::string& name, std::vector<std::string> arguments = {}) {
        arguments.insert(arguments.end(), {"--json", path("example.json")});
        const ProcessResult result = tool(name, arguments);
        EXPECT_EQ(result.status, 0) << result.output;
        json = Json::parse(read_file(path("example.json")));
        return result.output;
    }

    Json json;
};

/// The lines of a text, runs of spaces as one, so that a test need not count columns.
std::string squeezed(const std::string& text) {
    std::string result;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        for (std::string word; words >> word;) result += word + " ";
        result += "\n";
    }
    return result;
}

/// Each of these is a whole line of the text.
void expect_lines(const std::string& text, std::initializer_list<const char*> expected) {
    const std::string lines = "\n" + squeezed(text);
    for (const std::string line : expected)
        EXPECT_NE(lines.find("\n" + line + " \n"), std::string::npos) << line << "\n" << text;
}

void expect_fits_a_terminal(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(line.size(), 100U) << line;
        EXPECT_TRUE(line.empty() || line.back() != ' ') << line;
        EXPECT_EQ(line.find("-0.00"), std::string::npos) << line;
    }
}

TEST_F(ToolsExample, a_prints_the_published_figures) {
    const std::string text = run("ch17_example_a");
    expect_fits_a_terminal(text);
    expect_lines(text, {"0 0 +1.99 -0.03 -0.06 -0.36 0 0.86",
                        "1 1 +0.00 +1.58 -0.12 +0.14 1 0.85",
                        "5 1 +0.16 +1.56 +0.07 -0.13 1 0.83",
                        "9 1 +0.25 +2.14 +0.05 +0.16 1 0.90",
                        "15 3 -0.09 -0.08 +0.06 +2.04 3 0.93",
                        "u = relu(h W1_1) hidden unit 1; units above 0.05: 1 of 32 3.80 not stored",
                        "argmax logits next token: the one with the largest logit 12 12",
                        "5 12 5 *12 5 5",
                        "6 1 6 6 *1 6",
                        "right host route 0 3 2 1 0 3 2 1 0 3 2 1 0 3 2 1 0 3 2 1 0 3 2 1",
                        "token 3 2 13 4 7 6 1 8 11 10 5 12 15 14 9 0 3 2 13 4 7 6 1 8",
                        "expert 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1",
                        "token 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0",
                        "MM matrix multiply, one tile 23 16",
                        "SM softmax of one row 1 0",
                        "HALT stop 1 1",
                        "all instructions 50 29",
                        "words loaded from external memory, an int8 value each 1,328 1,296",
                        "words stored to external memory 53 17",
                        "total cycles, the sum of the four below 4,165 3,696",
                        "matrix multiplying matrices 2,338 2,144",
                        "dma direct memory access: load and store 1,463 1,353"});
}

TEST_F(ToolsExample, a_writes_the_published_figures) {
    run("ch17_example_a");
    const auto& scores = json.at("router_scores_context1");
    EXPECT_EQ(scores.size(), 16U);
    EXPECT_EQ(scores[3], Json({-0.16, -0.34, -0.12, 1.58}));
    EXPECT_EQ(scores[12], Json({1.89, -0.11, -0.47, 0.33}));
    EXPECT_EQ(json.at("routes_context1")[7], 3);
    EXPECT_EQ(json.at("token5_logits"), Json({-0.3, -0.2, 0.4, 0.2, 0.3, 0.0, -0.5, -0.5, 0.4, -0.7,
                                              0.2, 0.1, 7.9, -0.4, 0.1, -0.4}));
    EXPECT_EQ(json.at("token5").at("hidden_above_0.05"),
              Json::parse(R"([{"unit":1,"value":3.8}])"));
    EXPECT_EQ(json.at("token5").at("chip").at("token"), 12);
    EXPECT_EQ(json.at("wrong_expert").at("5"), Json({5, 12, 5, 5}));
    EXPECT_EQ(json.at("wrong_expert").at("6"), Json({6, 6, 1, 6}));
    EXPECT_EQ(json.at("tokens"), Json({0,  3,  2, 13, 4, 7, 6,  1, 8, 11, 10, 5, 12,
                                       15, 14, 9, 0,  3, 2, 13, 4, 7, 6,  1,  8}));
    EXPECT_EQ(json.at("routes").size(), 24U);
    EXPECT_EQ(json.at("off_by_one_tokens"), Json(std::vector<int>(25, 0)));
    const auto& a8 = json.at("programs").at("A8");
    EXPECT_EQ(a8.at("histogram"),
              Json::parse(R"({"LD":8,"MM":23,"RQ":10,"SM":1,"VADD":1,"ST":5,"AMAX":1,"HALT":1})"));
    EXPECT_EQ(a8.at("counters"), Json({4165, 2338, 1463, 264, 100}));
    const auto& b1 = json.at("programs").at("B1");
    EXPECT_EQ(b1.at("histogram"),
              Json::parse(R"({"LD":4,"MM":16,"RQ":4,"VADD":1,"AMAX":1,"ST":2,"HALT":1})"));
    EXPECT_EQ(a8.at("words_loaded"), 1328);
    EXPECT_EQ(b1.at("words_loaded"), 1296);
    EXPECT_EQ(b1.at("counters"), Json({3696, 2144, 1353, 141, 58}));
}

TEST_F(ToolsExample, b_prints_the_published_figures_and_labels_the_derived_ones) {
    const std::string text = run("ch17_example_b");
    expect_fits_a_terminal(text);
    expect_lines(
        text, {"1-3 under 0.05 57 9.9 % 2 3.5 %", "0 165 28.6 % 1.15", "2 196 34.0 % 1.36",
               "1 1.00 1.00 1.00 1.00", "2 1.75 1.75 1.73 1.73", "4 2.73 2.73 2.68 2.68",
               "8 3.60 3.60 3.51 3.51", "16 3.96 3.96 3.92 3.92", "32 4.00 4.00 4.00 4.00",
               "one by one 8 1 2,144 1,353 141 58 3,696 29,568",
               "grouped by expert 4 2 2,544 1,386 272 60 4,262 17,048", "1 12 GB 1.00 83 83 667",
               "4 36 GB 3.60 83 30 244", "16 132 GB 6.45 83 18 144", "64 516 GB 7.58 83 15 124"});
    for (const char* part : {"569 of 576", "555 of 569", "2 of 7", "0.152", "Median: 0.32",
                             "25.9 %", "(steps 9 to 16 ", "Grouped costs 0.58", "8 of 8 tokens",
                             "Serving (derived:", "Formulas (derived)"})
        EXPECT_NE(text.find(part), std::string::npos) << part;
}

TEST_F(ToolsExample, b_writes_the_published_figures) {
    run("ch17_example_b");
    const auto& routes = json.at("routes");
    EXPECT_EQ(routes.at("seeds_1_to_3").at("decisions"), 576);
    const auto& thirty = routes.at("seeds_1_to_30");
    EXPECT_EQ(thirty.at("decisions"), 5760);
    EXPECT_GE(thirty.at("route_agrees").get<double>(), 0.988 * 5760);
    EXPECT_EQ(thirty.at("route_agrees").get<std::size_t>() + json.at("flips").size(), 5760U);
    EXPECT_EQ(routes.at("published_seeds_1_to_3").at("route_agrees"), 569);
    EXPECT_NEAR(json.at("margins").at("seeds_1_to_3").at("under_0.15").get<double>(), 0.259, 5e-4);
    EXPECT_EQ(json.at("experts_chosen"), Json({165, 107, 196, 108}));
    const auto& distinct = json.at("distinct_experts");
    ASSERT_EQ(distinct.size(), 32U);
    EXPECT_EQ(distinct[7].at("batch"), 8);
    EXPECT_NEAR(distinct[7].at("uniform_formula").get<double>(), 3.60, 0.005);
    const auto& grouping = json.at("grouping");
    EXPECT_EQ(grouping.at("separate").at("cycles"), 29568);
    EXPECT_EQ(grouping.at("grouped").at("cycles"), 17048);
    EXPECT_EQ(grouping.at("grouped").at("counters"), Json({4262, 2544, 1386, 272, 60}));
    EXPECT_EQ(grouping.at("same_tokens"), 8);
    EXPECT_EQ(json.at("serving").at("derived"), true);
    EXPECT_EQ(json.at("serving").at("rows")[3].at("total_gb"), 516);
}

TEST_F(ToolsExample, b_compares_weight_scales_only_when_asked) {
    const std::string plain = run("ch17_example_b");
    EXPECT_EQ(plain.find("per-channel"), std::string::npos);
    EXPECT_FALSE(json.contains("per_channel"));
    const Json without = json;
    EXPECT_EQ(run("ch17_example_b", {"--quant", "per-tensor"}), plain);
    EXPECT_EQ(json, without);
    const std::string text = run("ch17_example_b", {"--quant", "per-channel"});
    EXPECT_EQ(text.substr(0, plain.size()), plain) << "sections 1 to 4 stay as they are";
    expect_fits_a_terminal(text);
    const Json measured = json.at("per_channel");
    const auto& agrees = measured.at("routes").at("seeds_1_to_30").at("route_agrees");
    EXPECT_GE(agrees.get<double>(), 0.992 * 5760);
    EXPECT_EQ(agrees.get<std::size_t>() + measured.at("flips").size(), 5760U);
    EXPECT_EQ(measured.at("routes").at("seeds_1_to_3").at("decisions"), 576);
    json.erase("per_channel");
    EXPECT_EQ(json, without);
}

// The figures of the published programs, and beside them those of one scale a column: an LD of 2
// bytes a column each, RQC 2n + 2 for RQ n + 2, AMAXC 2n + 3 for AMAX n + 3.
TEST_F(ToolsExample, b_states_what_one_scale_a_column_costs) {
    const std::string text = run("ch17_example_b", {"--quant", "per-channel"});
    expect_lines(
        text, {"A(8) instructions 50 55 5 +10.0 %", "words loaded 1,328 1,464 136 +10.2 %",
               "cycles 4,165 4,428 263 +6.3 %", "B instructions 29 32 3 +10.3 %",
               "words loaded 1,296 1,424 128 +9.9 %", "cycles 3,696 3,937 241 +6.5 %",
               "24 steps instructions 1,930 2,122 192 +9.9 %",
               "words loaded 66,432 72,768 6,336 +9.5 %", "cycles 198,614 210,710 12,096 +6.1 %"});
    for (const char* part : {"seeds 1-3: same route", "seeds 1-30: flips", "seeds 1-30: share"})
        EXPECT_NE(text.find(part), std::string::npos) << part;
    const auto& cost = json.at("per_channel").at("cost");
    EXPECT_EQ(cost.at("per_tensor").at("decode").at("cycles"), 198614);
    EXPECT_EQ(cost.at("per_channel").at("A"),
              Json::parse(R"({"instructions":55,"words_loaded":1464,"cycles":4428})"));
    EXPECT_EQ(cost.at("per_channel").at("B"),
              Json::parse(R"({"instructions":32,"words_loaded":1424,"cycles":3937})"));
    EXPECT_EQ(cost.at("per_channel").at("decode").at("words_loaded"), 72768);
    EXPECT_EQ(json.at("per_channel").at("context"), 8);
    EXPECT_EQ(json.at("per_channel").at("steps"), 24);
}

TEST_F(ToolsExample, b_draws_other_batches_with_another_seed_and_nothing_else_changes) {
    const auto drawn = [&](const char* seed) {
        EXPECT_EQ(tool("ch17_example_b", {"--seed", seed, "--json", path(seed)}).status, 0);
        return Json::parse(read_file(path(seed)));
    };
    auto first = drawn("1");
    auto second = drawn("2");
    for (const char* drawn_figure : {"uniform_simulated", "skewed_simulated"})
        EXPECT_NE(first.at("distinct_experts")[3].at(drawn_figure),
                  second.at("distinct_experts")[3].at(drawn_figure));
    first.erase("distinct_experts");
    second.erase("distinct_experts");
    EXPECT_EQ(first, second);
}

TEST_F(ToolsExample, bad_arguments_and_outputs_are_one_line_and_status_2) {
    for (const char* name : {"ch17_example_a", "ch17_example_b"}) {
        expect_bad(tool(name, {"--frobnicate"}), "frobnicate");
        expect_bad(tool(name, {"extra"}), "extra");
        expect_bad(tool(name, {"--json"}), "--json");
        expect_bad(tool(name, {"--json", ""}), "--json");
        expect_bad(tool(name, {"--json", path("")}), "is a directory");
        expect_bad(tool(name, {"--json", path("no/such/file")}), "no directory");
        EXPECT_EQ(tool(name, {"--help"}).status, 0);
    }
    for (const char* seed : {"-1", "4294967296", "x"})
        expect_bad(tool("ch17_example_b", {"--seed", seed}), "--seed");
    expect_bad(tool("ch17_example_b", {"--quant", "per-column"}), "--quant");
}

}  // namespace
}  // namespace capra
