// stem_edit: what it prints and writes, and that it refuses bad input.
#include "tests/tools_support.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstring>
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
    constexpr std::uint32_t kAdded = 16;  // the row that pad and mean append
    const auto rows = [&](std::vector<std::string> options) {
        options.insert(options.end(), {"--span", "2-6"});
        const Tokens all = column(edit(std::move(options)), "row_after");
        EXPECT_EQ((Tokens{all[0], all[6], all[7]}), (Tokens{0, 6, 1})) << "outside the span";
        return Tokens(all.begin() + 1, all.begin() + 6);
    };
    EXPECT_EQ(rows({"--mode", "swap", "--target", "9,12,15,14,5"}), (Tokens{9, 12, 15, 14, 5}));
    EXPECT_EQ(rows({"--mode", "copy", "--target", "9,12"}), (Tokens{9, 9, 12, 12, 12}));
    EXPECT_EQ(rows({"--mode", "pad", "--target", "9,12"}), (Tokens{kAdded, kAdded, kAdded, 9, 12}));
    EXPECT_EQ(rows({"--mode", "pad", "--target", "9,12", "--pad", "right"}),
              (Tokens{9, 12, kAdded, kAdded, kAdded}));
    EXPECT_EQ(rows({"--mode", "mean", "--target", "9,12"}), Tokens(5, kAdded));
    const std::string seven = "9,12,15,14,5,10,11";
    EXPECT_EQ(rows({"--mode", "subset", "--target", seven}), (Tokens{9, 12, 15, 14, 5}));
    EXPECT_EQ(rows({"--mode", "subset", "--target", seven, "--choose", "1,3,4,6,7"}),
              (Tokens{9, 15, 14, 10, 11}));
}

TEST_F(ToolsStemEdit, padding_says_nothing_and_a_mean_says_what_one_of_its_rows_says) {
    const auto pad = edit({"--mode", "pad", "--span", "3-5", "--target", "9"});
    EXPECT_EQ(pad.at("positions")[2].at("expected"), Tokens{2}) << "the token itself";
    EXPECT_EQ(pad.at("positions")[4].at("expected"), Tokens{0});
    EXPECT_NE(printed_.find(" zeros "), std::string::npos) << printed_;
    (void)edit({"--mode", "mean", "--target", "9,12,5,14"});
    EXPECT_NE(printed_.find(" any of 4\n"), std::string::npos) << printed_;
    (void)edit({"--mode", "mean", "--target", "9,12,5"});
    EXPECT_NE(printed_.find(" 0 or 15 or 12\n"), std::string::npos) << printed_;
    const auto mean = edit({"--mode", "mean", "--span", "3", "--target", "9,12,9"});
    EXPECT_EQ(mean.at("positions")[2].at("expected"), (Tokens{0, 15}));
    EXPECT_NE(printed_.find(" 0 or 15\n"), std::string::npos) << printed_;
    EXPECT_NE(printed_.find(" mean "), std::string::npos) << printed_;
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
    EXPECT_NE(printed_.find("No attention comes after a table in *S"), std::string::npos);
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
        const auto after = position.at("row_after").get<std::uint32_t>();
        std::istringstream words(rows[i]);
        std::vector<std::string> printed{std::istream_iterator<std::string>(words), {}};
        std::vector<std::string> written;
        if (position.at("edited")) written.emplace_back("*");
        for (const char* key : {"position", "token", "row_before"})
            written.push_back(position.at(key).dump());
        written.push_back(after < 16 ? std::to_string(after) : "zeros");
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

/// Layers of experts answer by the token, which the edit leaves alone.
TEST_F(ToolsStemEdit, fails_where_the_predictions_do_not_follow_the_rows) {
    const auto json = edit({"--pattern", "*E*S", "--target", "9,12"}, 1);
    EXPECT_EQ(json.at("follows_target"), false);
    EXPECT_NE(printed_.find("do NOT follow"), std::string::npos) << printed_;
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
    for (const char* choose : {"0", "3", "2,1", "1,1"})
        expect_refused({"--mode", "subset", "--choose", choose},
                       fmt::format("--choose: {}: expected rising tokens of the target, 1 to 2",
                                   choose[std::strlen(choose) - 1]));
    expect_refused({"--target", "9"}, "swap: a source of 2 and a target of 1 tokens");
    expect_refused({"--mode", "copy", "--target", "9,12,15"}, "copy: a source of 2");
    expect_refused({"--mode", "subset", "--target", "9"}, "subset: a source of 2");
    expect_refused({"--mode", "subset", "--choose", "1"}, "subset: 1 places for a source of 2");
    expect_refused({"--pattern", "*E"}, "--pattern: *E: expected a layer with a table, S or R");
    expect_refused({"--pattern", "*X"}, "X");
    expect_refused({"--engine", "fpga"}, "fpga");
    expect_refused({"--seed", "4294967296"}, "--seed");
    expect_refused({"--json", path("no/e.json")}, "no directory");
    EXPECT_FALSE(fs::exists(path("no")));
}

}  // namespace
}  // namespace capra
