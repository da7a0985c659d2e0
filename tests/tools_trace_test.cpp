// Timelines as files: valid by a schema of the Trace Event Format (valijson judges), and with
// slices that nest, without which Perfetto drops them.
#include "tests/tools_support.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include <map>

namespace capra {
namespace {

using Json = nlohmann::json;

bool valid(const Json& document) {
    const Json rules = Json::parse(read_file(CAPRA_SOURCE "/tests/trace_event.schema.json"));
    valijson::Schema schema;
    valijson::SchemaParser parser;
    parser.populateSchema(valijson::adapters::NlohmannJsonAdapter(rules), schema);
    valijson::Validator validator;
    return validator.validate(schema, valijson::adapters::NlohmannJsonAdapter(document), nullptr);
}

/// The first slice that begins inside another of its track and ends behind it; empty if all nest.
std::string crossing(const Json& document) {
    std::map<int, std::vector<std::uint64_t>> open;  // ends of the slices around, by track
    for (const Json& event : document.at("traceEvents")) {
        if (event.at("ph") != "X") continue;
        auto& ends = open[event.at("tid")];
        const auto begin = event.at("ts").get<std::uint64_t>();
        const std::uint64_t end = begin + event.at("dur").get<std::uint64_t>();
        while (!ends.empty() && ends.back() <= begin) ends.pop_back();
        if (!ends.empty() && end > ends.back()) return event.dump();
        ends.push_back(end);
    }
    return "";
}

class ToolsTrace : public ToolsTest {
  protected:
    Json decoded(const std::string& decoder) {
        EXPECT_EQ(capra({"decode", "--steps", "3", "--decoder", decoder, "--trace", path("t.json")})
                      .status,
                  0);
        return Json::parse(read_file(path("t.json")));
    }
};

TEST_F(ToolsTrace, timelines_of_decodes_follow_the_format_and_nest) {
    for (const char* decoder : {"routed", "dense", "single"}) {
        const Json trace = decoded(decoder);
        EXPECT_TRUE(valid(trace)) << decoder;
        EXPECT_EQ(crossing(trace), "") << decoder;
    }
}

TEST_F(ToolsTrace, timelines_of_runs_do_too_even_if_they_trap) {
    write_file(path("t.s"), ".memory 8\nLD d=0 n=8 x=0\nLD d=8190 n=8 x=0\nHALT\n");
    ASSERT_EQ(capra({"asm", path("t.s"), "-o", path("p.json")}).status, 0);
    ASSERT_EQ(capra({"run", path("p.json"), "--trace", path("t.json")}).status, 1);
    const Json trace = Json::parse(read_file(path("t.json")));
    EXPECT_TRUE(valid(trace));
    EXPECT_EQ(crossing(trace), "");
}

TEST_F(ToolsTrace, the_schema_refuses_what_viewers_refuse) {
    const Json good = decoded("routed");
    const auto first = [&](const std::string& phase) {
        std::size_t i = 0;
        while (good.at("traceEvents").at(i).at("ph") != phase) ++i;
        return "/traceEvents/" + std::to_string(i);
    };
    const auto with = [&](const std::string& at, const Json& value) {
        Json bad = good;
        bad[Json::json_pointer(at)] = value;
        return valid(bad);
    };
    const auto without = [&](const std::string& event, const std::string& key) {
        Json bad = good;
        bad.at(Json::json_pointer(event)).erase(key);
        return valid(bad);
    };
    const std::pair<const char*, std::vector<const char*>> needed[] = {
        {"X", {"name", "ph", "ts", "dur", "pid", "tid"}},
        {"i", {"name", "ph", "ts", "pid", "tid", "s"}},
        {"C", {"name", "ph", "ts", "pid", "args"}},
        {"M", {"name", "ph", "ts", "pid", "tid", "args"}}};
    for (const auto& [phase, keys] : needed)
        for (const char* key : keys) EXPECT_FALSE(without(first(phase), key)) << phase << key;
    EXPECT_FALSE(with(first("X") + "/dur", -1));
    EXPECT_FALSE(with(first("X") + "/ts", "0"));
    EXPECT_FALSE(with(first("X") + "/tid", 1.5));
    EXPECT_FALSE(with(first("X") + "/duration", 1)) << "no such key";
    EXPECT_FALSE(with(first("X") + "/ph", "Z")) << "no such phase";
    EXPECT_FALSE(with(first("i") + "/s", "x")) << "no such scope";
    EXPECT_FALSE(with(first("C") + "/args/matrix", "1")) << "counters are numbers";
    EXPECT_FALSE(with(first("C") + "/args", Json::object()));
    EXPECT_FALSE(with(first("M") + "/name", "thread_nam"));
    EXPECT_FALSE(with("/displayTimeUnit", "s"));
    EXPECT_FALSE(with("/traceEvents", Json::array()));
}

TEST_F(ToolsTrace, a_slice_that_crosses_another_is_seen) {
    const auto slice = [](int from, int length, int track) {
        return Json{{"name", "s"}, {"ph", "X"}, {"ts", from}, {"dur", length}, {"tid", track}};
    };
    const auto crosses = [](std::vector<Json> events) {
        return !crossing({{"traceEvents", events}}).empty();
    };
    EXPECT_FALSE(crosses({slice(0, 4, 1), slice(0, 4, 1), slice(1, 3, 1), slice(4, 2, 1)}));
    EXPECT_TRUE(crosses({slice(0, 4, 1), slice(3, 2, 1)}));
    EXPECT_FALSE(crosses({slice(0, 4, 1), slice(3, 2, 2)}));
}

}  // namespace
}  // namespace capra
