// stem_edit: what it prints and writes, and that it refuses bad input.
#include "tests/tools_support.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

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

TEST_F(ToolsStemEdit, refuses_bad_input_in_one_line) {
    expect_refused({"--text", "0,16"}, "--text");
    expect_refused({"--target", "16"}, "--target");
    for (const char* span :
         {"0", "0-2", "2-1", "9", "8-9", "1-", "-1", "1-2-3", "a", "", "1-18446744073709551617"})
        expect_refused({std::string("--span=") + span},
                       "--span: '" + std::string(span) +
                           "': expected FIRST-LAST, positions 1 to 8 of the text");
    expect_refused({"--mode", "cut"}, "--mode");
    expect_refused({"--pad", "right"}, "--pad: mode swap has no padding");
    expect_refused({"--mode", "pad", "--pad", "up"}, "--pad");
    expect_refused({"--choose", "1"}, "--choose: mode swap chooses no tokens");
    expect_refused({"--mode", "subset", "--choose", "0"}, "--choose: 0: expected 1 to 2");
    expect_refused({"--mode", "subset", "--choose", "3"}, "--choose: 3: expected 1 to 2");
    expect_refused({"--engine", "fpga"}, "fpga");
    expect_refused({"--seed", "4294967296"}, "--seed");
    expect_refused({"--json", path("no/e.json")}, "no directory");
    EXPECT_FALSE(fs::exists(path("no")));
}

}  // namespace
}  // namespace capra
