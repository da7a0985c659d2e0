// stem_edit: what it prints and writes, and that it refuses bad input.
#include "model/language_model.hpp"
#include "model/py_random.hpp"
#include "tests/tools_support.hpp"
#include "tools/status.hpp"
#include "tools/stem_edit/report.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <sstream>

namespace capra {
namespace {

class ToolsStemEdit : public ToolsTest {
  protected:
    /// Runs it, checks that no line is longer than 80 columns, and keeps what it printed.
    nlohmann::json edit(std::vector<std::string> options, int status = 0) {
        options.insert(options.end(), {"--json", path("e.json")});
        const ProcessResult result = tool("stem_edit", options);
        EXPECT_EQ(result.status, status) << result.output;
        printed_ = result.output;
        std::istringstream lines(printed_);
        for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
        return nlohmann::json::parse(read_file(path("e.json")));
    }
    static std::vector<std::uint32_t> column(const nlohmann::json& json, const char* key) {
        std::vector<std::uint32_t> values;
        for (const auto& position : json.at("positions")) values.push_back(position.at(key));
        return values;
    }
    /// Rows by number, those that the edit adds by name.
    static nlohmann::json rows(const nlohmann::json& json, std::size_t first, std::size_t last) {
        auto names = nlohmann::json::array();
        for (std::size_t i = first; i <= last; ++i)
            names.push_back(json.at("positions").at(i - 1).at("row_after"));
        return names;
    }
    static void expect_refused(const std::vector<std::string>& options, const std::string& naming) {
        expect_bad(tool("stem_edit", options), naming);
    }

    std::string printed_;
};

using Tokens = std::vector<std::uint32_t>;

TEST_F(ToolsStemEdit, predictions_follow_the_rows_while_the_text_stays) {
    const auto json = edit({});
    EXPECT_EQ(column(json, "token"), (Tokens{0, 3, 2, 13, 4, 7, 6, 1}));
    EXPECT_EQ(column(json, "row_before"), (Tokens{0, 3, 2, 13, 4, 7, 6, 1}));
    EXPECT_EQ(column(json, "row_after"), (Tokens{0, 3, 9, 12, 4, 7, 6, 1}));
    EXPECT_EQ(column(json, "predicts_before"), (Tokens{3, 2, 13, 4, 7, 6, 1, 8}));
    EXPECT_EQ(column(json, "predicts_after"), (Tokens{3, 2, 0, 15, 7, 6, 1, 8}));
    EXPECT_EQ(json.at("span"), nlohmann::json({3, 4}));
    EXPECT_EQ(json.at("follows_target"), true);
    for (std::size_t i = 0; i < 8; ++i) {
        EXPECT_EQ(json.at("positions")[i].at("edited"), i == 2 || i == 3) << i;
        EXPECT_EQ(json.at("positions")[i].at("position"), i + 1);
    }
}

TEST_F(ToolsStemEdit, every_mode_assigns_rows_by_its_rule) {
    using List = nlohmann::json;
    const auto span = [&](std::vector<std::string> options) {
        options.insert(options.end(), {"--span", "2-6"});
        const auto json = edit(std::move(options));
        EXPECT_EQ(rows(json, 1, 1), List({0})) << "outside the span";
        EXPECT_EQ(rows(json, 7, 8), List({6, 1})) << "outside the span";
        return rows(json, 2, 6);
    };
    EXPECT_EQ(span({"--mode", "swap", "--target", "9,12,15,14,5"}), List({9, 12, 15, 14, 5}));
    EXPECT_EQ(span({"--mode", "copy", "--target", "9,12"}), List({9, 9, 12, 12, 12}));
    EXPECT_EQ(span({"--mode", "pad", "--target", "9,12"}),
              List({"zeros", "zeros", "zeros", 9, 12}));
    EXPECT_EQ(span({"--mode", "pad", "--target", "9,12", "--pad", "right"}),
              List({9, 12, "zeros", "zeros", "zeros"}));
    EXPECT_EQ(span({"--mode", "mean", "--target", "9,12"}),
              List({"mean", "mean", "mean", "mean", "mean"}));
    const std::string seven = "9,12,15,14,5,10,11";
    EXPECT_EQ(span({"--mode", "subset", "--target", seven}), List({9, 12, 15, 14, 5}));
    EXPECT_EQ(span({"--mode", "subset", "--target", seven, "--choose", "1,3,4,6,7"}),
              List({9, 15, 14, 10, 11}));
}

TEST_F(ToolsStemEdit, padding_says_nothing_and_a_mean_of_few_rows_what_one_of_them_says) {
    const auto pad = edit({"--mode", "pad", "--span", "3-5", "--target", "9"});
    EXPECT_EQ(pad.at("positions")[2].at("expected"), Tokens{2}) << "the token itself";
    EXPECT_EQ(pad.at("positions")[4].at("expected"), Tokens{0});
    EXPECT_NE(printed_.find(" zeros "), std::string::npos) << printed_;
    const auto three = edit({"--mode", "mean", "--target", "9,12,5"});
    EXPECT_EQ(three.at("positions")[2].at("expected"), (Tokens{0, 12, 15}));
    EXPECT_NE(printed_.find(" 0 or 12 or 15\n"), std::string::npos) << printed_;
    const auto two = edit({"--mode", "mean", "--span", "3", "--target", "9,12,9,12"});
    EXPECT_EQ(two.at("positions")[2].at("expected"), (Tokens{0, 15}));
    EXPECT_NE(printed_.find(" 0 or 15\n"), std::string::npos) << printed_;
    EXPECT_NE(printed_.find(" mean "), std::string::npos) << printed_;
    EXPECT_EQ(edit({"--mode", "mean", "--span", "3", "--target", "9,12,9"})
                  .at("positions")[2]
                  .at("expected"),
              Tokens{0})
        << "two rows of three say 0";
}

TEST_F(ToolsStemEdit, a_mean_of_many_rows_fades_until_a_token_predicts_itself) {
    const auto faded = edit({"--text", "2,9,0,13,9,15,9,4", "--span", "3-6", "--target", "1,2,7,8",
                             "--mode", "mean", "--seed", "5"});
    const auto& token_13 = faded.at("positions")[3];
    EXPECT_EQ(token_13.at("expected"), (Tokens{13}));
    EXPECT_EQ(token_13.at("predicts_after"), 13);
    EXPECT_EQ(faded.at("positions")[4].at("expected"), (Tokens{6, 8, 9, 11, 13}))
        << "8, 13, 6 and 11 by the rows, and the token 9";
    EXPECT_NE(printed_.find(" any of 5\n"), std::string::npos) << printed_;
    EXPECT_NE(printed_.find("a tenth of the highest"), std::string::npos) << printed_;
}

/// The chip may take either of two logits that tie, and no other.
TEST_F(ToolsStemEdit, means_of_random_targets_say_what_double_precision_says) {
    constexpr std::uint32_t kSeed = 11;
    model::PyRandom random(kSeed);
    for (int i = 0; i < 12; ++i) {
        const auto tokens = [&](std::uint32_t count) {
            std::string list;
            while (count-- > 0)
                list += (list.empty() ? "" : ",") + std::to_string(random.next_u32() % 16);
            return list;
        };
        const auto text = tokens(6);
        const auto target = tokens(1 + i % 9);
        const auto json = edit({"--mode", "mean", "--text", text, "--span", "2-5", "--target",
                                target, "--seed", std::to_string(i)});
        EXPECT_EQ(json.at("follows_target"), true)
            << "seed " << kSeed << ": text " << text << ", target " << target;
    }
}

/// Attention looks back only: an edit reaches later positions, through a later attention.
TEST_F(ToolsStemEdit, an_edit_reaches_later_positions_through_a_later_attention_alone) {
    const auto changes = [](const nlohmann::json& json) {
        std::vector<double> all;
        for (const auto& position : json.at("positions"))
            all.push_back(position.at("logit_change"));
        return all;
    };
    const auto deep = edit({});
    const auto reached = changes(deep);
    EXPECT_EQ(reached[0], 0);
    EXPECT_EQ(reached[1], 0);
    EXPECT_GT(reached[2], 0);
    EXPECT_GT(*std::max_element(reached.begin() + 4, reached.end()), 0);
    const auto& untouched = deep.at("untouched");
    EXPECT_EQ(untouched.at("positions"), 6);
    const double sum = std::accumulate(reached.begin() + 4, reached.end(), 0.0);
    EXPECT_DOUBLE_EQ(untouched.at("mean_change").get<double>(), sum / 6);
    EXPECT_EQ(untouched.at("largest_change"),
              *std::max_element(reached.begin() + 4, reached.end()));
    EXPECT_EQ(printed_.find("No attention"), std::string::npos) << printed_;
    const auto largest = std::max_element(reached.begin() + 4, reached.end()) - reached.begin();
    EXPECT_NE(printed_.find(fmt::format(" % at position {}\n", largest + 1)), std::string::npos)
        << printed_;

    const auto flat = edit({"--pattern", "*S"});
    EXPECT_EQ(flat.at("follows_target"), true);
    EXPECT_EQ(flat.at("untouched").at("largest_change"), 0);
    EXPECT_NE(printed_.find("No attention comes after a table:"), std::string::npos);
}

TEST_F(ToolsStemEdit, what_it_prints_is_what_it_writes) {
    const auto json = edit({"--mode", "pad", "--span", "3-5", "--target", "9"});
    std::istringstream lines(printed_);
    std::vector<std::string> rows;
    for (std::string line; std::getline(lines, line);)
        if (line.find(" %  ") != std::string::npos) rows.push_back(line);
    ASSERT_EQ(rows.size(), 8U) << printed_;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto& position = json.at("positions")[i];
        std::istringstream words(rows[i]);
        std::vector<std::string> printed{std::istream_iterator<std::string>(words), {}};
        std::vector<std::string> written;
        if (position.at("edited")) written.emplace_back("*");
        for (const char* key : {"position", "token", "row_before"})
            written.push_back(position.at(key).dump());
        const auto& after = position.at("row_after");
        written.push_back(after.is_string() ? after.get<std::string>() : after.dump());
        for (const char* key : {"predicts_before", "predicts_after"})
            written.push_back(position.at(key).dump());
        written.push_back(fmt::format("{:.1f}", 100 * position.at("logit_change").get<double>()));
        written.emplace_back("%");
        written.push_back(position.at("expected")[0].dump());
        EXPECT_EQ(printed, written) << rows[i];
    }
}

TEST_F(ToolsStemEdit, the_rtl_reads_the_same_rows) {
    auto machine = edit({"--text", "0,3,2", "--span", "2-3"});
    auto rtl = edit({"--text", "0,3,2", "--span", "2-3", "--engine", "verilator"});
    EXPECT_EQ(rtl.at("engine"), "verilator");
    rtl["engine"] = machine["engine"];
    EXPECT_EQ(machine, rtl);
}

TEST_F(ToolsStemEdit, fails_where_a_prediction_of_the_span_is_none_of_the_expected) {
    const auto status = [](std::uint32_t predicted) {
        const tools::EditStudy study{
            .span = {.first = 1, .count = 2},
            .positions = {{.predicts_after = 5, .expected = {4}},
                          {.predicts_after = 4, .expected = {4}},
                          {.predicts_after = predicted, .expected = {8, 9}}}};
        return tools::print_study({}, study);
    };
    testing::internal::CaptureStdout();
    EXPECT_EQ(status(9), tools::kOk) << "position 1 is outside the span";
    EXPECT_NE(testing::internal::GetCapturedStdout().find("predictions follow the edit"),
              std::string::npos);
    testing::internal::CaptureStdout();
    EXPECT_EQ(status(4), tools::kCheckFailed);
    EXPECT_NE(testing::internal::GetCapturedStdout().find("do NOT follow"), std::string::npos);
}

TEST(StemEditCollateral, counts_what_changed_outside_the_span_alone) {
    const tools::Collateral sum = tools::collateral(
        {.span = {.first = 1, .count = 2},
         .positions = {{.predicts_before = 3, .predicts_after = 3, .logit_change = 0.125},
                       {.predicts_before = 1, .predicts_after = 2, .logit_change = 8},
                       {.predicts_before = 1, .predicts_after = 2, .logit_change = 8},
                       {.predicts_before = 4, .predicts_after = 5, .logit_change = 0.5},
                       {.predicts_before = 6, .predicts_after = 7, .logit_change = 0.25}}});
    EXPECT_EQ(sum.positions, 3U);
    EXPECT_EQ(sum.predictions, 2U);
    EXPECT_NEAR(sum.mean_change, 0.875 / 3, 1e-15);
    EXPECT_EQ(sum.largest_change, 0.5);
    EXPECT_EQ(sum.largest_at, 3U);
}

TEST_F(ToolsStemEdit, long_texts_and_targets_stay_within_a_line) {
    std::string target = "15";
    for (int i = 1; i < 60; ++i) target += "," + std::to_string(10 + i % 6);
    (void)edit({"--mode", "mean", "--target", target, "--text", target});
    EXPECT_EQ(printed_.find("No attention"), std::string::npos) << printed_;
    (void)edit({"--pattern", "*****************S"});
    EXPECT_NE(printed_.find("No attention"), std::string::npos) << printed_;
}

TEST_F(ToolsStemEdit, refuses_bad_input_in_one_line) {
    expect_refused({"--text", "0,16"}, "--text");
    expect_refused({"--text", ""}, "--text");
    std::string text = "0";
    for (int i = 1; i < 254; ++i) text += ",0";
    expect_refused({"--text", text}, "--text: 254 tokens: expected 1 to 253");
    expect_refused({"--target", "16"}, "--target");
    for (const char* span :
         {"0", "0-2", "2-1", "9", "8-9", "1-", "-1", "1-2-3", "a", "1-18446744073709551617"})
        expect_refused({std::string("--span=") + span},
                       "--span: '" + std::string(span) +
                           "': expected FIRST-LAST, positions 1 to 8 of the text");
    expect_refused({"--mode", "cut"}, "--mode");
    expect_refused({"--pad", "right"}, "--pad: mode swap has no padding");
    expect_refused({"--mode", "pad", "--pad", "up"}, "--pad");
    expect_refused({"--choose", "1"}, "--choose: mode swap chooses no tokens");
    for (const std::string choose : {"0", "3", "2,1", "1,1"}) {
        std::string said = choose;
        std::replace(said.begin(), said.end(), ',', ' ');
        expect_refused({"--mode", "subset", "--choose", choose},
                       fmt::format("--choose: {}: expected rising numbers from 1 to 2", said));
    }
    expect_refused({"--target", "9"}, "swap: a source of 2 and a target of 1 tokens");
    expect_refused({"--mode", "copy", "--target", "9,12,15"}, "copy: a source of 2");
    expect_refused({"--mode", "subset", "--target", "9"}, "subset: a source of 2");
    expect_refused({"--mode", "subset", "--choose", "1"},
                   "--choose: 1: expected 2, one for each position of the span");
    expect_refused({"--mode", "subset", "--target", "9,12,15", "--choose", "3,1"},
                   "--choose: 3 1: expected rising numbers from 1 to 3");
    expect_refused({"--mode", "subset", "--target", "9,12,15", "--choose", "2,2"},
                   "--choose: 2 2: expected rising");
    for (const std::string layer : {"E", "R", "D", "X"})
        expect_refused({"--pattern", "*S" + layer},
                       "--pattern: *S" + layer + ": layer '" + layer + "': expected * and S");
    expect_refused({"--pattern", "**"}, "--pattern: '**': expected a layer with a table, S");
    expect_refused({"--engine", "fpga"}, "fpga");
    expect_refused({"--seed", "4294967296"}, "--seed");
    expect_refused({"--json", path("no/e.json")}, "no directory");
    EXPECT_FALSE(fs::exists(path("no")));
}

}  // namespace
}  // namespace capra
