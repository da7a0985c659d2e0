// capra decode's experiments: two experts a token, a scaled router, a batch with a capacity.
#include "tests/tools_support.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <set>

namespace capra {
namespace {

using Json = nlohmann::json;

class ToolsDecode : public ToolsTest {
  protected:
    static ProcessResult decode(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "decode");
        return capra(std::move(arguments));
    }

    Json json_of(std::vector<std::string> arguments) {
        arguments.insert(arguments.end(), {"--json", path("d.json")});
        const ProcessResult result = decode(std::move(arguments));
        EXPECT_EQ(result.status, 0) << result.output;
        return Json::parse(read_file(path("d.json")));
    }

    static void expect_line(const ProcessResult& result, const std::string& line) {
        EXPECT_EQ(result.status, 0);
        EXPECT_NE(("\n" + result.output).find("\n" + line + "\n"), std::string::npos)
            << line << "\n"
            << result.output;
    }
};

TEST_F(ToolsDecode, two_experts_a_token_are_printed_as_pairs_and_follow_the_rule) {
    const ProcessResult result = decode({"--top", "2", "--steps", "4"});
    expect_line(result,
                "structured model, routed decoder, model engine, 2 experts a token, start token 0");
    expect_line(result, "tokens  0 3 2 13 4");
    expect_line(result, "routes  0+1 3+0 2+0 1+0");
    expect_line(result, "      1  B0_first         2935     1704     1085      104       42");
    expect_line(result, "      2  B1_second        3723     2144     1378      141       60");
}

TEST_F(ToolsDecode, weight_scales_are_told_where_they_are_not_the_usual_ones) {
    expect_line(decode({"--quant", "per-channel", "--steps", "1"}),
                "structured model, routed decoder, model engine, per-channel weight scales, start "
                "token 0");
    expect_line(decode({"--quant", "per-tensor", "--steps", "1"}),
                "structured model, routed decoder, model engine, start token 0");
    expect_line(decode({"--seed", "2", "--experts", "8", "--steps", "1"}),
                "structured model, routed decoder, model engine, seed 2, 8 experts, start token 0");
    expect_line(decode({"--decoder", "single", "--experts", "8", "--steps", "1"}),
                "tiny model, single decoder, model engine, start token 0");
    const Json json = json_of({"--quant", "per-channel", "--steps", "1"});
    EXPECT_EQ(json.at("quant"), "per-channel");
    EXPECT_EQ(json.at("about"),
              "structured model, routed decoder, model engine, per-channel weight scales");
    EXPECT_EQ(json_of({"--steps", "1"}).at("quant"), "per-tensor");
}

TEST_F(ToolsDecode, an_output_without_a_place_is_refused_before_anything_is_decoded_or_written) {
    for (const char* option : {"--json", "--trace"}) {
        const char* other = option == std::string("--json") ? "--trace" : "--json";
        const auto result =
            decode({option, path("no/such"), other, path("other.json"), "--steps", "1"});
        EXPECT_EQ(result.status, 2);
        EXPECT_EQ(result.output.find("tokens"), std::string::npos) << result.output;
        EXPECT_NE(result.output.find("no directory"), std::string::npos) << result.output;
        EXPECT_FALSE(fs::exists(path("other.json")));
    }
}

TEST_F(ToolsDecode, json_has_a_list_of_routes_for_each_step_when_there_are_two) {
    const Json two = json_of({"--top", "2", "--steps", "2"});
    EXPECT_EQ(two.at("routes"), (Json{{0, 1}, {3, 0}}));
    EXPECT_EQ(two.at("top"), 2);
    EXPECT_EQ(two.at("programs").size(), 6U);
    const Json one = json_of({"--top", "1", "--steps", "2"});
    EXPECT_EQ(one.at("routes"), (Json{0, 3}));
    EXPECT_EQ(one.at("top"), 1);
    EXPECT_FALSE(one.contains("router_scale") || one.contains("batch") || one.contains("dropped"));
}

TEST_F(ToolsDecode,
       a_router_scaled_after_calibration_flips_routes_and_calibrated_anew_it_does_not) {
    const std::string right = "routes  0 3 2 1 0 3 2 1";
    expect_line(decode({"--steps", "8", "--router-scale", "0.01"}), right);
    expect_line(decode({"--steps", "8", "--router-scale", "0.002"}), "routes  0 0 0 0 0 0 0 0");
    const ProcessResult anew = decode({"--steps", "8", "--router-scale", "0.002", "--recalibrate"});
    expect_line(anew, right);
    expect_line(anew,
                "structured model, routed decoder, model engine, router x 0.002 (calibrated "
                "anew), start token 0");
    const Json json = json_of({"--steps", "1", "--router-scale", "0.5"});
    EXPECT_EQ(json.at("router_scale"), 0.5);
    EXPECT_EQ(json.at("recalibrated"), false);
}

/// Tokens 14, 15, 0, 1, 2 choose experts 2, 3, 0, 1, 2; the last is one too many.
TEST_F(ToolsDecode, a_batch_prints_each_sequence_and_what_was_dropped) {
    const ProcessResult result =
        decode({"--batch", "5", "--start", "14", "--capacity", "1", "--steps", "1"});
    expect_line(result,
                "structured model, routed decoder, model engine, 5 sequences from token "
                "14, capacity 1");
    expect_line(result, "sequence 0   tokens  14 9");
    expect_line(result, "             routes  2");
    expect_line(result, "sequence 4   tokens  2 2");
    expect_line(result, "      1  10              33344    19046    11828     1746      724  4");
    expect_line(result,
                "    all  10              33344    19046    11828     1746      724  1 of 5 "
                "tokens");
    const ProcessResult all = decode({"--batch", "5", "--start", "14", "--steps", "1"});
    expect_line(all, "structured model, routed decoder, model engine, 5 sequences from token 14");
    expect_line(all, "sequence 4   tokens  2 13");
    expect_line(all, "      1  9               33100    19006    11550     1840      704");
    expect_line(all,
                "    all  9               33100    19006    11550     1840      704  0 of 5 "
                "tokens");
}

TEST_F(ToolsDecode, a_batch_writes_sequences_and_drops_as_json) {
    const Json json = json_of({"--batch", "5", "--start", "14", "--capacity", "1", "--steps", "2"});
    EXPECT_EQ(json.at("batch"), 5);
    EXPECT_EQ(json.at("capacity"), 1);
    EXPECT_EQ(json.at("tokens"), (Json{{14, 9, 0}, {15, 14, 9}, {0, 3, 2}, {1, 8, 11}, {2, 2, 2}}));
    EXPECT_EQ(json.at("routes"), (Json{{2, 1}, {3, 2}, {0, 3}, {1, 0}, {2, 2}}));
    const Json first = {{"step", 1}, {"sequence", 4}, {"expert", 2}};
    const Json second = {{"step", 2}, {"sequence", 4}, {"expert", 2}};
    EXPECT_EQ(json.at("dropped"), Json::array({first, second}));
    EXPECT_EQ(json.at("programs").size(), 20U);
    EXPECT_EQ(json.at("programs")[9].at("name"), "skip");
    EXPECT_EQ(json.at("total")[0], 67193);
    const Json all = json_of({"--batch", "2", "--steps", "1"});
    EXPECT_EQ(all.at("dropped"), Json::array());
    EXPECT_FALSE(all.contains("capacity"));
}

TEST_F(ToolsDecode, programs_of_a_batch_run_again) {
    ASSERT_EQ(
        decode({"--batch", "3", "--start", "3", "--steps", "1", "--programs", path("b")}).status,
        0);
    const ProcessResult again = capra({"run", path("b/003-B0.json")});
    EXPECT_NE(again.output.find("token[0] 7\n"), std::string::npos) << again.output;
    ASSERT_EQ(decode({"--top", "2", "--steps", "1", "--programs", path("t")}).status, 0);
    const ProcessResult second = capra({"run", path("t/002-B1_second.json")});
    EXPECT_NE(second.output.find("token[0] 3\n"), std::string::npos) << second.output;
    EXPECT_NE(second.output.find("cycles 3723 "), std::string::npos) << second.output;
}

/// What the host's track shows, in order.
std::vector<std::string> host_track(const std::string& file) {
    std::vector<std::string> names;
    const Json trace = Json::parse(read_file(file));
    for (const auto& event : trace.at("traceEvents"))
        if (event.at("ph") != "M" && event.value("tid", 0) == 1) names.push_back(event.at("name"));
    return names;
}

TEST_F(ToolsDecode, a_trace_shows_each_decision_before_the_program_it_is_about) {
    ASSERT_EQ(decode({"--top", "2", "--steps", "1", "--trace", path("t")}).status, 0);
    EXPECT_EQ(host_track(path("t")),
              (std::vector<std::string>{"step 1: token 0 -> 3", "A1", "route 0: expert 0",
                                        "B0_first", "second route: expert 1", "B1_second"}));
    ASSERT_EQ(decode({"--batch", "4", "--start", "2", "--capacity", "1", "--steps", "1",
                      "--experts", "2", "--trace", path("b")})
                  .status,
              0);
    EXPECT_EQ(host_track(path("b")),
              (std::vector<std::string>{"step 1: 4 tokens", "A1", "A1", "A1", "A1",
                                        "expert 0: sequences 0", "B0", "expert 1: sequences 1",
                                        "B1", "dropped: sequences 2 3", "skipx2"}));
}

/// Tokens, routes, drops and every program's cycles, whatever engine ran them.
TEST_F(ToolsDecode, engines_agree_on_two_experts_and_on_drops) {
    for (const auto& arguments :
         {std::vector<std::string>{"--top", "2", "--steps", "2", "--model", "random"},
          std::vector<std::string>{"--batch", "4", "--capacity", "1", "--steps", "2", "--model",
                                   "random"}}) {
        std::set<std::string> results;
        for (const char* engine : {"model", "verilator", "icarus"}) {
            auto with_engine = arguments;
            with_engine.insert(with_engine.end(), {"--engine", engine});
            Json json = json_of(with_engine);
            EXPECT_EQ(json.at("engine"), engine);
            json.erase("engine");
            json.erase("about");
            results.insert(json.dump());
        }
        EXPECT_EQ(results.size(), 1U) << arguments[0];
    }
}

TEST_F(ToolsDecode, combinations_that_make_no_sense_are_refused_by_name) {
    expect_bad(decode({"--top", "0"}), "--top");
    expect_bad(decode({"--top", "3"}), "--top");
    expect_bad(decode({"--top", "2", "--decoder", "dense"}), "the dense decoder does not choose 2");
    expect_bad(decode({"--top", "2", "--decoder", "single"}), "single");
    expect_bad(decode({"--top", "2", "--batch", "2"}), "one expert each, not 2");
    expect_bad(decode({"--batch", "0"}), "--batch");
    expect_bad(decode({"--batch", "33"}), "--batch");
    expect_bad(decode({"--batch", "2", "--decoder", "dense"}), "the dense decoder has none");
    expect_bad(decode({"--batch", "2", "--decoder", "single"}), "single");
    expect_bad(decode({"--capacity", "2"}), "--batch");
    expect_bad(decode({"--batch", "2", "--capacity", "0"}), "--capacity");
    expect_bad(decode({"--recalibrate"}), "--router-scale");
    for (const char* factor : {"0", "-1", "nan", "inf", "x"})
        expect_bad(decode({"--router-scale", factor}), factor);
    expect_bad(decode({"--router-scale", "1e-320"}), "no int8 scale");
    expect_bad(decode({"--router-scale", "1e300"}), "no requantise multiplies by");
    expect_bad(decode({"--router-scale", "2", "--decoder", "dense"}), "dense");
    expect_bad(decode({"--router-scale", "2", "--decoder", "single"}), "single");
}

TEST_F(ToolsDecode, the_largest_batch_runs_when_all_its_tokens_choose_one_expert) {
    const Json json = json_of({"--batch", "32", "--steps", "1", "--router-scale", "0.0001"});
    EXPECT_EQ(json.at("programs").size(), 33U);
    EXPECT_EQ(json.at("programs")[32].at("name"), "B0x32");
}

}  // namespace
}  // namespace capra
