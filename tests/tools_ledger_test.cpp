// capra ledger: the published figures as data, a table that fits the terminal, refusals by name.
#include "tests/tools_support.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sstream>

namespace capra {
namespace {

class ToolsLedger : public ToolsTest {
  protected:
    nlohmann::json ledger(std::vector<std::string> options) {
        options.insert(options.begin(), "ledger");
        options.insert(options.end(), {"--json", path("l.json")});
        const ProcessResult result = capra(options);
        EXPECT_EQ(result.status, 0) << result.output;
        return nlohmann::json::parse(read_file(path("l.json")));
    }
    static void expect_refused(std::vector<std::string> options, const std::string& naming) {
        options.insert(options.begin(), "ledger");
        expect_bad(capra(options), naming);
    }
};

void expect_figures(const nlohmann::json& json, const nlohmann::json& figures) {
    for (const auto& [key, value] : figures.items()) EXPECT_EQ(json.at(key), value) << key;
}

TEST_F(ToolsLedger, presets_give_the_published_figures_to_the_digit) {
    const nlohmann::json none;
    expect_figures(ledger({"--preset", "circus-moe"}), {{"attention", 4718592},
                                                        {"moe", 3170304},
                                                        {"shared", 1572864},
                                                        {"stem", none},
                                                        {"routed", none},
                                                        {"dense", none},
                                                        {"total", 94617600},
                                                        {"relative_to_control_percent", 0.0},
                                                        {"product_key", none}});
    expect_figures(
        ledger({"--preset", "circus-stem"}),
        {{"stem", 3145728}, {"total", 94470144}, {"relative_to_control_percent", -0.16}});
    expect_figures(ledger({"--preset", "circus-sr50"}), {{"moe", none},
                                                         {"shared", none},
                                                         {"routed", 4731904},
                                                         {"total", 94504960},
                                                         {"relative_to_control_percent", -0.12}});
    for (const char* name : {"circus-sr25", "circus-srpl"})
        expect_figures(
            ledger({"--preset", name}),
            {{"routed", 3939328}, {"total", 86579200}, {"relative_to_control_percent", -8.5}});
    expect_figures(
        ledger({"--preset", "circus-pk"}),
        {{"total", 94470144 + 6 * 122880},
         {"product_key", {{"macs", 122880}, {"percent_of_conditional_feed_forward", 2.34}}}});
}

TEST_F(ToolsLedger, layers_and_kinds_add_up_to_the_total) {
    for (const char* name : {"circus-stem", "circus-srpl", "circus-pk"}) {
        const auto json = ledger({"--preset", name});
        for (const std::string amount : {"macs", "weights_read", "weights_stored", "table_bytes"}) {
            std::int64_t layers = 0;
            std::int64_t kinds = 0;
            for (const auto& layer : json.at("layers")) layers += layer.at(amount).get<int64_t>();
            for (const auto& kind : json.at("sums")) kinds += kind.at(amount).get<int64_t>();
            EXPECT_EQ(layers, json.at(amount == "macs" ? "total" : amount)) << name << amount;
            EXPECT_EQ(kinds, layers) << name << amount;
        }
    }
}

TEST_F(ToolsLedger, every_size_has_an_option_and_is_written_down) {
    const nlohmann::json sizes = {
        {"width", 2},         {"query_heads", 6},      {"kv_groups", 3},
        {"head_width", 5},    {"context", 7},          {"experts", 11},
        {"top", 4},           {"expert_hidden", 13},   {"shared_hidden", 0},
        {"table_width", 19},  {"row_width", 23},       {"table_rows", 29},
        {"dense_hidden", 31}, {"query_width", 8},      {"sub_keys", 37},
        {"key_top", 9},       {"bytes_per_weight", 10}};
    std::vector<std::string> options = {"--pattern", "*SERD",     "--capacity",
                                        "1/3",       "--address", "product-key"};
    for (const auto& [key, value] : sizes.items()) {
        std::string option = "--" + key;
        std::replace(option.begin(), option.end(), '_', '-');
        options.insert(options.end(), {option, value.dump()});
    }
    const auto json = ledger(options);
    nlohmann::json written = json.at("sizes");
    EXPECT_EQ(written.at("address"), "product-key");
    written.erase("address");
    EXPECT_EQ(written, sizes);
    EXPECT_EQ(json.at("attention"), 600);
    EXPECT_EQ(json.at("dense"), 186);
    EXPECT_EQ(json.at("shared"), 0);
    EXPECT_EQ(json.at("routed"), std::to_string((76 + 519 + 2) * 3 + 334) + "/3");
    EXPECT_EQ(json.at("layers")[3].at("capacity"), "1/3");
}

TEST_F(ToolsLedger, an_own_pattern_keeps_the_address_of_the_preset_and_nothing_else) {
    const auto routed = ledger({"--preset", "circus-srpl", "--pattern", "*R*R"});
    EXPECT_EQ(routed.at("layers")[1].at("capacity"), "1/2");
    EXPECT_EQ(routed.at("sizes").at("address"), "token");
    const auto keyed = ledger({"--preset", "circus-pk", "--pattern", "*D"});
    EXPECT_EQ(keyed.at("sizes").at("address"), "product-key");
    EXPECT_EQ(keyed.at("product_key"), nlohmann::json()) << "no table, no key";
    EXPECT_EQ(keyed.at("name"), "own pattern");
    const auto token = ledger({"--preset", "circus-pk", "--address", "token"});
    EXPECT_EQ(token.at("total"), 94470144);
    EXPECT_EQ(
        ledger({"--pattern", "RR", "--capacity", "0.125,13/32"}).at("layers")[1].at("capacity"),
        "13/32");
    EXPECT_EQ(ledger({}).at("name"), "circus-moe");
}

TEST_F(ToolsLedger, the_tables_fit_100_columns_and_show_fractions_exactly) {
    for (const char* name : {"circus-moe", "circus-srpl", "circus-pk"}) {
        std::istringstream lines(capra({"ledger", "--preset", name}).output);
        for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U) << line;
    }
    const ProcessResult moe = capra({"ledger", "--preset", "circus-moe"});
    EXPECT_NE(moe.output.find("against it: 0.00 %"), std::string::npos) << moe.output;
    const ProcessResult third = capra({"ledger", "--pattern", "R", "--capacity", "1/7"});
    EXPECT_NE(third.output.find("3,599,652 4/7"), std::string::npos) << third.output;
    const ProcessResult pk = capra({"ledger", "--preset", "circus-pk"});
    EXPECT_NE(pk.output.find("94,617,600 MACs"), std::string::npos) << pk.output;
    EXPECT_NE(pk.output.find("122,880 MACs"), std::string::npos) << pk.output;
    EXPECT_NE(pk.output.find("against it: +0.62 %"), std::string::npos) << pk.output;
    EXPECT_NE(pk.output.find(" 2.34 %"), std::string::npos) << pk.output;
}

TEST_F(ToolsLedger, names_shared_experts_only_where_there_are_some) {
    const std::string with = capra({"ledger", "--pattern", "SE", "--shared-hidden", "1"}).output;
    for (const char* name :
         {"S StemFFN, shared expert ", "E experts, shared expert ", "\nshared experts "})
        EXPECT_NE(with.find(name), std::string::npos) << name << with;
    const std::string without = capra({"ledger", "--pattern", "SE", "--shared-hidden", "0"}).output;
    EXPECT_EQ(without.find("shared"), std::string::npos) << without;
    for (const char* name : {"  S StemFFN  ", "  E experts  ", "by kind.\n"})
        EXPECT_NE(without.find(name), std::string::npos) << name << without;
}

TEST_F(ToolsLedger, sums_that_need_too_many_bits_leave_nothing_half_printed) {
    const auto result =
        capra({"ledger", "--pattern", "RRR", "--capacity", "1/999999937,1/999999893,1/999999883"});
    EXPECT_EQ(result.status, 2);
    EXPECT_NE(result.output.find("more than 64 bits"), std::string::npos) << result.output;
    EXPECT_EQ(std::count(result.output.begin(), result.output.end(), '\n'), 1) << result.output;
}

TEST_F(ToolsLedger, refuses_bad_input_in_one_line_by_letter_place_and_capacity) {
    expect_refused({"--pattern", "*E*X"}, "pattern: 'X' at place 4");
    expect_refused({"--pattern", ""}, "pattern: no letters");
    expect_refused({"--pattern", "RR", "--capacity", "1/2,3/2"}, "capacity: 3/2 at place 2");
    expect_refused({"--pattern", "RR", "--capacity", "half"}, "capacity: 'half'");
    expect_refused({"--pattern", "RRR", "--capacity", "1/2,1/4"}, "capacity: 2 given for 3 R");
    expect_refused({"--capacity", "1/2"}, "capacity: the pattern has no R layer");
    expect_refused({"--width", "0"}, "--width");
    expect_refused({"--width", "16777217"}, "--width");
    expect_refused({"--top", "25"}, "sizes: top 25 of 24 experts");
    expect_refused({"--preset", "circus"}, "--preset");
    expect_refused({"--address", "hash"}, "--address");
    expect_refused({"--width", "16777216", "--expert-hidden", "16777216", "--experts", "16777216"},
                   "more than 64 bits");
    expect_refused({"--json", path("no/l.json")}, "no directory");
    write_file(path("old.json"), "precious");
    expect_refused({"--pattern", "X", "--json", path("old.json")}, "'X' at place 1");
    EXPECT_EQ(read_file(path("old.json")), "precious");
}

}  // namespace
}  // namespace capra
