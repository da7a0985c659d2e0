// stem_run: what it prints and writes, when it fails, and that it refuses bad input.
#include "stem/builders.hpp"
#include "tests/tools_support.hpp"
#include "tools/status.hpp"
#include "tools/stem_run/studies.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <sstream>

namespace capra {
namespace {

using Json = nlohmann::ordered_json;
using Words = std::vector<std::string>;

/// 12345 -> "12,345".
std::string grouped(std::uint64_t value) {
    std::string digits = std::to_string(value);
    for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, ",");
    return digits;
}

/// The names of the checks of a decoder, without its own.
Words laws_of(const Json& json, const std::string& decoder) {
    Words laws;
    for (const Json& check : json.at("checks"))
        if (const auto name = check.at("name").get<std::string>(); name.starts_with(decoder + "_"))
            laws.push_back(name.substr(decoder.size() + 1));
    return laws;
}

class ToolsStemRun : public ToolsTest {
  protected:
    /// Runs it, checks that no line is longer than 80 columns, and keeps what it printed.
    Json family(Words options) {
        options.insert(options.end(), {"--json", path("s.json")});
        const ProcessResult result = tool("stem_run", options);
        EXPECT_EQ(result.status, 0) << result.output;
        lines_.clear();
        std::istringstream text(result.output);
        for (std::string line; std::getline(text, line);) {
            EXPECT_LE(line.size(), 80U) << line;
            lines_.push_back(line);
        }
        return Json::parse(read_file(path("s.json")));
    }

    /// The words of each line that begins with these, behind the heading "N. ".
    [[nodiscard]] std::vector<Words> printed(const std::string& section, const Words& beginning) {
        std::vector<Words> found;
        bool inside = false;
        for (const std::string& line : lines_) {
            if (!line.empty() && line.front() != ' ') inside = line.starts_with(section + ". ");
            std::istringstream text(line);
            const Words words{std::istream_iterator<std::string>(text), {}};
            if (inside && words.size() > beginning.size() &&
                std::equal(beginning.begin(), beginning.end(), words.begin()))
                found.push_back(words);
        }
        return found;
    }

    Words lines_;
};

/// The figures of a decoder, recomputed from its engines' counters, and as they were printed.
void expect_consistent(const Json& json, const std::string& name, const std::vector<Words>& rows) {
    const Json& decoder = json.at("decoders").at(name);
    const Json& replay = json.at("engines").at("model").at(name);
    std::uint64_t total = 0;
    for (const Json& counters : replay.at("counters")) total += counters[0].get<std::uint64_t>();
    EXPECT_EQ(decoder.at("total"), total);
    EXPECT_EQ(decoder.at("programs"), replay.at("counters").size());
    const double dense = json.at("decoders").at("dense").at("total");
    EXPECT_EQ(decoder.at("ratio"), std::round(100 * static_cast<double>(total) / dense) / 100);
    const auto number = [&](const char* key) {
        return grouped(static_cast<std::uint64_t>(std::round(decoder.at(key).get<double>())));
    };
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0],
              (Words{name, number("weights_stored"), number("weights_read"), number("macs"),
                     decoder.at("programs").dump(), number("step1"), number("step24"),
                     number("total"), fmt::format("{:.2f}", decoder.at("ratio").get<double>())}));
}

TEST_F(ToolsStemRun, what_it_prints_is_what_it_writes_and_what_the_engines_counted) {
    const Json json = family({"--engine", "model", "--decoder", "stem_mult,split", "--decoder",
                              "product_key", "--start", "5"});
    Words names;
    for (const auto& [name, decoder] : json.at("decoders").items()) {
        names.push_back(name);
        EXPECT_EQ(decoder.at("follows_rule"), true);
        EXPECT_EQ(decoder.at("tokens").size(), 25U);
        EXPECT_EQ(decoder.at("tokens")[0], 5);
        expect_consistent(json, name, printed("3", {name}));
        const Json& replay = json.at("engines").at("model").at(name);
        EXPECT_EQ(printed("2", {name})[0],
                  (Words{name, decoder.at("compiled").dump(), decoder.at("programs").dump(),
                         grouped(replay.at("cycles")), grouped(replay.at("retires")), "-", "PASS"}))
            << "the model's cells are compared with nothing";
    }
    EXPECT_EQ(json.at("decoders").at("product_key").at("compiled"), 25)
        << "and one behind the rows";
    EXPECT_EQ(names, (Words{"dense", "stem_mult", "split", "product_key"}))
        << "dense, asked for or not";
    EXPECT_EQ(json.at("admission"), Json::array());
    EXPECT_EQ(json.at("dial"), Json::array());
    EXPECT_EQ(json.at("dispatch"), Json());
    EXPECT_EQ(printed("1", {"ok"}).size(), json.at("checks").size());
    EXPECT_EQ(laws_of(json, "dense"),
              (Words{"follows_the_rule", "equals_interpreter", "hands_over_exactly",
                     "cost_does_not_depend_on_data", "works_as_the_ledger_says"}));
    EXPECT_EQ(laws_of(json, "random_dense"), Words{"logits_close_to_float"});
    EXPECT_EQ(laws_of(json, "stem_mult").back(), "wrong_row_is_noticed");
    EXPECT_EQ(laws_of(json, "random_product_key"),
              (Words{"logits_close_to_float", "chooses_rows_as_float"}));
}

/// A third less of a gated block: a row stands for its up-projection.
TEST_F(ToolsStemRun, a_table_saves_a_third_of_the_block_but_for_the_row) {
    const Json json = family({"--engine", "model", "--decoder", "stem_mult", "--steps", "2"});
    const Json& dense = json.at("decoders").at("dense");
    const Json& stem = json.at("decoders").at("stem_mult");
    EXPECT_EQ(dense.at("macs"), 3 * 32 * 32);
    EXPECT_EQ(stem.at("macs"), 2 * 32 * 32);
    EXPECT_EQ(stem.at("weights_read"), 2 * 32 * 32 + 32);
    EXPECT_EQ(stem.at("weights_stored"), 2 * 32 * 32 + 16 * 32);
    EXPECT_EQ(stem.at("step24"), Json()) << "not decoded that far";
    EXPECT_EQ(stem.at("programs"), 2);
}

TEST_F(ToolsStemRun, shows_the_dial_of_every_routed_model_and_both_ways_of_dispatch) {
    const Json json = family({"--engine", "model", "--decoder", "routed_C50", "--decoder",
                              "routed_C25", "--decoder", "on_chip"});
    ASSERT_EQ(json.at("admission").size(), 5U);
    for (const Json& study : json.at("admission")) {
        const auto rows =
            printed("4", {study.at("decoder"), study.at("kind"), study.at("capacity"),
                          study.at("by_choice").dump(), study.at("by_threshold").dump()});
        ASSERT_EQ(rows.size(), 1U) << study;
        EXPECT_EQ(rows[0][5], study.at("same_admissions").dump());
        EXPECT_EQ(rows[0][8], study.at("same_predictions").dump());
    }
    ASSERT_EQ(json.at("dial").size(), 4 * 5U) << "one set of random weights, and the slope";
    for (const Json& point : json.at("dial")) {
        const auto rows = printed("4", {point.at("decoder"), point.at("kind"), point.at("capacity"),
                                        point.at("admitted").dump(), "of"});
        ASSERT_EQ(rows.size(), 1U) << point;
        EXPECT_EQ(rows[0][6], point.at("right").is_null() ? "-" : point.at("right").dump());
        EXPECT_EQ(rows[0].back(), grouped(point.at("cycles")));
        EXPECT_EQ(rows[0].end()[-3],
                  fmt::format("{:.1f}", 100 * point.at("logit_distance").get<double>()));
        if (point.at("kind") == "random" && point.at("capacity") == "1/2") {
            EXPECT_LT(point.at("admitted"), 192) << "its own texts reach the share";
        }
        ASSERT_EQ(point.at("thresholds").size(), point.at("decoder") == "*R*R*R" ? 3U : 1U);
        for (const Json& threshold : point.at("thresholds"))
            EXPECT_EQ(threshold.is_null(), point.at("capacity") == "1");
        EXPECT_EQ(point.at("right").is_null(), point.at("kind") == "random");
    }
    const Words laws = laws_of(json, "on_chip");
    EXPECT_EQ(Words(laws.end() - 3, laws.end()),
              (Words{"dispatch_same_tokens", "dispatch_same_experts", "dispatch_one_program"}));
    const Json& dispatch = json.at("dispatch");
    EXPECT_EQ(dispatch.at("same_tokens"), true);
    EXPECT_EQ(dispatch.at("host").at("programs"), 48);
    EXPECT_EQ(dispatch.at("on-chip").at("programs"), 24);
    EXPECT_EQ(dispatch.at("host").at("tokens"), dispatch.at("on-chip").at("tokens"));
    for (const char* way : {"host", "on-chip"}) {
        Words row{way};
        for (const char* key : {"programs", "instructions", "step1", "last_step", "total",
                                "words_moved", "host_words"})
            row.push_back(grouped(dispatch.at(way).at(key)));
        EXPECT_EQ(printed("5", {way})[0], row);
    }
}

TEST_F(ToolsStemRun, replays_on_the_engines_asked_for) {
    const Json json = family(
        {"--engine", "verilator", "--engine", "icarus", "--steps", "1", "--decoder", "dense"});
    ASSERT_EQ(json.at("engines").size(), 2U);
    for (const char* engine : {"verilator", "icarus"}) {
        const Json& replay = json.at("engines").at(engine).at("dense");
        EXPECT_EQ(replay.at("status"), "pass");
        EXPECT_EQ(
            printed("2", {"dense"})[0],
            (Words{"dense", "24", "1", grouped(replay.at("cycles")), grouped(replay.at("retires")),
                   grouped(replay.at("cells")), "PASS", "PASS"}));
    }
}

std::vector<std::uint64_t> right_along_the_dial(const Json& json, const std::string& decoder) {
    std::vector<std::uint64_t> right;
    for (const Json& point : json.at("dial"))
        if (point.at("decoder") == decoder && !point.at("right").is_null())
            right.push_back(point.at("right"));
    return right;
}

/// Layers of a third of the tokens each lose them one after the other.
TEST_F(ToolsStemRun, the_dial_of_several_routed_layers_is_a_slope_up_to_their_own_capacity) {
    const Json json =
        family({"--engine", "model", "--decoder", "routed_C50", "--steps", "1", "--start", "3"});
    const auto right = right_along_the_dial(json, "*R*R*R");
    ASSERT_EQ(right.size(), 5U);
    EXPECT_LT(right[0], right[1]);
    EXPECT_LT(right[1], right[2]);
    EXPECT_EQ(right[2], 384U);
    EXPECT_GT(right[2], right[3]);
    EXPECT_GT(right[3], right[4]);
    EXPECT_EQ(printed("3", {"routed_C50", "0"})[0],
              (Words{"routed_C50", "0", "of", "1", "0", "of", "1"}))
        << "the token of step 1 is not admitted";
    EXPECT_EQ(printed("3", {"decoder", "weights"})[0],
              (Words{"decoder", "weights", "read", "MACs", "programs", "step", "1", "last", "1",
                     "step", "ratio"}));
}

TEST_F(ToolsStemRun, a_pattern_is_one_more_row_of_every_section) {
    const Json json = family({"--engine", "model", "--decoder", "dense", "--pattern", "*S*R*R",
                              "--capacity", "1/2,1/4"});
    const Json& pattern = json.at("decoders").at("*S*R*R");
    EXPECT_EQ(pattern.at("follows_rule"), true);
    const std::uint64_t table = 2 * 32 * 32 + 16 * 32;
    const std::uint64_t routed = table + 32 + 32 * 4 + 4 * 3 * 32 * 32;
    EXPECT_EQ(pattern.at("weights_stored"), table + 2 * routed);
    EXPECT_EQ(pattern.at("compiled"), 157) << "the table has no decision";
    expect_consistent(json, "*S*R*R", printed("3", {"*S*R*R", grouped(table + 2 * routed)}));
    EXPECT_EQ(printed("2", {"*S*R*R"})[0][1], "157");
    EXPECT_EQ(json.at("admission")[0].at("capacity"), "1/2,1/4");
    EXPECT_EQ(printed("4", {"*S*R*R", "structured", "own"}).size(), 1U);
    EXPECT_EQ(printed("4", {"*S*R*R", "random"}).size(), 6U) << "its admissions and its dial";
    const auto& checks = json.at("checks");
    for (const char* law : {"*S*R*R_follows_the_rule", "random_*S*R*R_logits_close_to_float"})
        EXPECT_TRUE(std::any_of(checks.begin(), checks.end(), [&](const Json& check) {
            return check.at("name") == law;
        })) << law;
}

TEST_F(ToolsStemRun, a_long_pattern_has_a_line_of_its_own_above_its_figures) {
    const Json json = family(
        {"--engine", "model", "--decoder", "on_chip", "--steps", "2", "--pattern", "*D*D*D*D*D*D"});
    EXPECT_EQ(std::count(lines_.begin(), lines_.end(), "   *D*D*D*D*D*D"), 2);
    EXPECT_EQ(json.at("decoders").at("*D*D*D*D*D*D").at("macs"), 6 * 3 * 32 * 32);
    EXPECT_EQ(printed("4", {"on-chip"}).size(), 1U) << "no routed layer, so dispatch is section 4";
}

TEST_F(ToolsStemRun, any_law_that_is_broken_makes_it_fail) {
    const auto decode = [](const stem::Hooks& hooks) {
        tools::FamilyDecodes decodes;
        decodes.push_back(std::make_unique<tools::FamilyDecode>(
            tools::FamilyMember{"stem_mult"},
            stem::compile_stack(stem::make_stack("stem_mult", "structured", 1),
                                stem::kCheckedSteps),
            3, 0, hooks));
        return decodes;
    };
    const auto right = decode({});
    const model::Checks holds{{"a law", true, ""}};
    tools::Replay agrees{"icarus", "stem_mult", {}};
    const tools::Studies same{{}, {{.tokens = {1, 2}}, {.tokens = {1, 2}}}};
    EXPECT_EQ(tools::status_of(holds, right, {agrees}, same), tools::kOk);
    EXPECT_EQ(tools::status_of(holds, right, {agrees}, {}), tools::kOk) << "nothing to dispatch";

    stem::Hooks wrong_row;
    wrong_row.rows = [](const stem::Decision& at, stem::Experts rows) {
        return at.position == 2 ? stem::Experts{(rows[0] + 1) % stem::kVocabulary} : rows;
    };
    const auto broken = decode(wrong_row);
    EXPECT_TRUE(right.front()->follows_rule());
    EXPECT_FALSE(broken.front()->follows_rule());
    EXPECT_EQ(tools::status_of(holds, broken, {agrees}, same), tools::kCheckFailed);
    EXPECT_EQ(tools::status_of({{"a law", false, ""}}, right, {agrees}, same), tools::kCheckFailed);
    tools::Replay differs = agrees;
    differs.report.divergence.emplace();
    EXPECT_EQ(tools::status_of(holds, right, {agrees, differs}, same), tools::kCheckFailed);
    const tools::Studies other{{}, {{.tokens = {1, 2}}, {.tokens = {1, 3}}}};
    EXPECT_EQ(tools::status_of(holds, right, {agrees}, other), tools::kCheckFailed);
}

TEST_F(ToolsStemRun, refuses_bad_input_in_one_line) {
    expect_bad(tool("stem_run", {"--engine", "fpga"}), "fpga");
    expect_bad(tool("stem_run", {"--decoder", "moe"}), "moe");
    expect_bad(tool("stem_run", {"--steps", "0"}), "1 to 253");
    expect_bad(tool("stem_run", {"--steps", "254"}), "1 to 253");
    expect_bad(tool("stem_run", {"--start", "16"}), "--start");
    expect_bad(tool("stem_run", {"--decoder", "dense,moe"}), "moe");
    expect_bad(tool("stem_run", {"--pattern", "*X"}), "'X' at place 2");
    expect_bad(tool("stem_run", {"--pattern", "**"}), "attention alone answers no token");
    expect_bad(tool("stem_run", {"--pattern", "*R", "--capacity", "2"}), "2 at place 1");
    expect_bad(tool("stem_run", {"--pattern", "*R", "--capacity", "x"}), "capacity: ");
    expect_bad(tool("stem_run", {"--pattern", "*R", "--capacity", "1/2,1/4"}), "2 given for 1");
    expect_bad(tool("stem_run", {"--pattern", "*S", "--capacity", "1/2"}), "no R layer");
    expect_bad(tool("stem_run", {"--capacity", "1/2"}), "--pattern");
    expect_bad(tool("stem_run", {"--json", path("no/s.json")}), "no directory");
    EXPECT_FALSE(fs::exists(path("no")));
}

}  // namespace
}  // namespace capra
