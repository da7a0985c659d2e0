// The command line: what each command prints and writes.
#include "tests/tools_support.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace capra {
namespace {

class ToolsCli : public ToolsTest {};

TEST_F(ToolsCli, run_prints_outputs_counters_and_how_it_ended) {
    const ProcessResult result = capra({"run", small_program()});
    EXPECT_EQ(result.status, 0);
    EXPECT_EQ(result.output,
              "y[0] 1 -2 3\n"
              "cycles 33 = matrix 0 + dma 17 + vector 8 + control 8\n"
              "halted at instruction 3\n");
}

TEST_F(ToolsCli, asm_inverts_disasm_to_the_byte) {
    const std::string program = small_program();
    ASSERT_EQ(capra({"disasm", program, "-o", path("again.s")}).status, 0);
    ASSERT_EQ(capra({"asm", path("again.s"), "-o", path("again.json")}).status, 0);
    EXPECT_EQ(read_file(path("again.json")), read_file(program));
}

TEST_F(ToolsCli, run_with_retired_writes_a_line_per_retired_instruction) {
    ASSERT_EQ(capra({"run", small_program(), "--retired", path("t.txt")}).status, 0);
    EXPECT_EQ(read_file(path("t.txt")),
              "cycle pc unit instruction\n"
              "14 0 dma LD d=0 n=3 x=0\n"
              "24 1 vector VADD d=0 a=0 b=0 n=3\n"
              "31 2 dma ST a=0 n=3 x=4\n"
              "33 3 control HALT\n");
}

TEST_F(ToolsCli, verify_states_the_exact_cost_and_fails_an_unsafe_program) {
    const ProcessResult good = capra({"verify", small_program()});
    EXPECT_EQ(good.status, 0);
    EXPECT_EQ(good.output,
              "4 instructions: LD 1, ST 1, VADD 1, HALT 1\n"
              "cycles 33 = matrix 0 + dma 17 + vector 8 + control 8\nsafe\n");
    write_file(path("bad.s"), ".memory 8\nAMAX d=0 a=5 n=2\nHALT\n");
    ASSERT_EQ(capra({"asm", path("bad.s"), "-o", path("bad.json")}).status, 0);
    const ProcessResult bad = capra({"verify", path("bad.json")});
    EXPECT_EQ(bad.status, 1);
    for (const char* part :
         {"bad.json: instruction 0 (AMAX d=0 a=5 n=2): reads ", " cell 5, which nothing wrote\n"})
        EXPECT_NE(bad.output.find(part), std::string::npos) << bad.output;
}

TEST_F(ToolsCli, verify_names_the_instructions_that_the_data_may_stop) {
    write_file(path("i.s"),
               ".memory 8\nLD d=0 n=1 x=0\nLDX d=1 a=0 n=1 rows=8 x=0\n"
               "LDXW d=2 w=1 n=1 rows=8 x=0\nHALT\n");
    ASSERT_EQ(capra({"asm", path("i.s"), "-o", path("i.json")}).status, 0);
    const ProcessResult result = capra({"verify", path("i.json")});
    EXPECT_EQ(result.status, 0);
    EXPECT_EQ(result.output,
              "4 instructions: LD 1, LDX 1, LDXW 1, HALT 1\n"
              "cycles 52 = matrix 0 + dma 44 + vector 0 + control 8\nsafe\n"
              "ends earlier if an index names no row, at instruction 1 or 2\n");
}

/// The line of the output that begins with this.
std::string line_of(const ProcessResult& result, const std::string& begins) {
    const std::size_t at = ("\n" + result.output).find("\n" + begins);
    if (at == std::string::npos) return "no line " + begins;
    return result.output.substr(at, result.output.find('\n', at) - at);
}

TEST_F(ToolsCli, verify_and_run_judge_a_program_on_the_same_target) {
    write_file(path("far.s"), ".memory 64\nLD d=0 n=4 x=100\nHALT\n");
    ASSERT_EQ(capra({"asm", path("far.s"), "-o", path("far.json")}).status, 0);
    const ProcessResult run = capra({"run", path("far.json")});
    const ProcessResult verified = capra({"verify", path("far.json")});
    EXPECT_EQ(run.status, 0) << run.output;
    EXPECT_EQ(line_of(run, "halted"), "halted at instruction 1");
    EXPECT_EQ(verified.status, 1) << "it leaves its own memory, wherever that ends";
    EXPECT_EQ(verified.output.find("traps"), std::string::npos) << verified.output;
    EXPECT_EQ(line_of(verified, "cycles"), line_of(run, "cycles"));
    EXPECT_EQ(line_of(run, "cycles"), "cycles 17 = matrix 0 + dma 13 + vector 0 + control 4");
    // The other way round: more memory than a target has unless it is asked for.
    write_file(path("big.s"), ".memory 9001\nLD d=0 n=1 x=9000\nHALT\n");
    ASSERT_EQ(capra({"asm", path("big.s"), "-o", path("big.json")}).status, 0);
    EXPECT_EQ(capra({"run", path("big.json")}).status, 0);
    EXPECT_EQ(capra({"verify", path("big.json")}).status, 0);
}

TEST_F(ToolsCli, a_trap_is_a_failed_run_with_its_reason) {
    write_file(path("t.s"), ".memory 8\nLD n=0\nHALT\n");
    ASSERT_EQ(capra({"asm", path("t.s"), "-o", path("t.json")}).status, 0);
    const ProcessResult result = capra({"run", path("t.json")});
    EXPECT_EQ(result.status, 1);
    EXPECT_NE(result.output.find("TRAPPED at instruction 0: field_range"), std::string::npos);
}

TEST_F(ToolsCli, a_trapped_run_shows_no_output_that_it_has_not_stored_and_the_index_it_met) {
    const auto trapped = [&](const std::string& load) {
        write_file(path("t.s"),
                   ".memory 16\n.data 0 44 1 7\n.output y 8 2 2 1\nLD d=0 n=3 x=0\n"
                   "ST a=0 n=2 x=8\nST a=2 n=1 x=10\n" +
                       load + "\nST a=0 n=1 x=11\nHALT\n");
        EXPECT_EQ(capra({"asm", path("t.s"), "-o", path("t.json")}).status, 0);
        const ProcessResult result = capra({"run", path("t.json")});
        EXPECT_EQ(result.status, 1);
        EXPECT_EQ(result.output.substr(0, 27), "y[0] 44 1\ny[1] not written\n") << result.output;
        const std::size_t line = result.output.find("\n  ");
        return line == std::string::npos ? result.output : result.output.substr(line + 3);
    };
    EXPECT_EQ(trapped("LDXW d=4 w=2 n=1 rows=7 x=0"),
              "LDXW d=4 w=2 n=1 rows=7 x=0: index 7 of a table of 7 rows\n");
    EXPECT_EQ(trapped("LDX wide=0 d=4 a=0 n=1 rows=2 x=0"),
              "LDX wide=0 d=4 a=0 n=1 rows=2 x=0: index 44 of a table of 2 rows\n");
    EXPECT_EQ(trapped("LDX wide=1 d=4 a=0 n=1 rows=3 x=0"),
              "LDX wide=1 d=4 a=0 n=1 rows=3 x=0: index 300 of a table of 3 rows\n");
    EXPECT_NE(trapped("LD n=0").find("field_range"), std::string::npos) << "no table, no index";
}

TEST_F(ToolsCli, the_example_graph_compiles_verifies_and_runs) {
    const std::string graph = std::string(CAPRA_SOURCE) + "/examples/mlp.json";
    ASSERT_EQ(capra({"compile", graph, "-o", path("mlp.json")}).status, 0);
    EXPECT_EQ(capra({"verify", path("mlp.json")}).status, 0);
    write_file(path("x.json"), R"({"x": [[1, 0.5, -0.25, 0.75]]})");
    const ProcessResult result =
        capra({"run", path("mlp.json"), "--inputs", path("x.json"), "--engine", "verilator"});
    EXPECT_EQ(result.status, 0) << result.output;
    EXPECT_NE(result.output.find("class[0] 2\n"), std::string::npos) << result.output;
}

TEST_F(ToolsCli, the_stem_example_looks_up_the_row_of_the_token_it_is_given) {
    const std::string examples = std::string(CAPRA_SOURCE) + "/examples/stem-block";
    ASSERT_EQ(capra({"compile", examples + ".json", "-o", path("stem.prog")}).status, 0);
    const auto run = [&](const std::string& inputs) {
        return capra({"run", path("stem.prog"), "--inputs", inputs, "--engine", "verilator"});
    };
    const ProcessResult given = run(examples + "-input.json");
    EXPECT_EQ(given.status, 0) << given.output;
    EXPECT_NE(given.output.find("y[0] -0.2625 -0.035 1.207 0.9099\n"), std::string::npos)
        << given.output;
    const auto with_token = [&](const std::string& token) {
        write_file(path("x.json"), R"({"x": [[1, 0.5, -0.25, 0.75]], "token": [[)" + token + "]]}");
        return run(path("x.json"));
    };
    EXPECT_EQ(with_token("3").output, given.output);
    EXPECT_NE(with_token("4").output, given.output);
    const ProcessResult beyond = with_token("5");
    EXPECT_EQ(beyond.status, 1);
    EXPECT_NE(beyond.output.find("TRAPPED at instruction 7: index_range"), std::string::npos);
    expect_bad(with_token("-1"), "$.token[0][0]");
    expect_bad(with_token("1.5"), "$.token[0][0]");
    const std::string text = capra({"explain", path("stem.prog")}).output;
    for (const char* part : {"\nrow = table[token] ", "\ngated = gate .* row ",
                             "  row = ext table[ext token] ", "  gate = gate.lut[pre] "})
        EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
}

TEST_F(ToolsCli, compile_and_decode_take_one_scale_a_column) {
    const std::string graph = std::string(CAPRA_SOURCE) + "/examples/mlp.json";
    const auto mix = [&](std::vector<std::string> quant) {
        std::vector<std::string> arguments = {"compile", graph, "-o", path("mlp.json")};
        arguments.insert(arguments.end(), quant.begin(), quant.end());
        EXPECT_EQ(capra(arguments).status, 0);
        const std::string report = capra({"verify", path("mlp.json")}).output;
        EXPECT_NE(report.find("\nsafe\n"), std::string::npos) << report;
        return report.substr(0, report.find('\n'));
    };
    const std::string plain = "11 instructions: LD 3, ST 2, MM 2, RQ 2, AMAX 1, HALT 1";
    EXPECT_EQ(mix({}), plain);
    EXPECT_EQ(mix({"--quant", "per-tensor"}), plain);
    EXPECT_EQ(mix({"--quant", "per-channel"}),
              "13 instructions: LD 5, ST 2, MM 2, RQC 2, AMAXC 1, HALT 1");
    const auto decode = [&](const std::string& quant, const char* engine) {
        const ProcessResult result =
            capra({"decode", "--steps", "3", "--quant", quant, "--engine", engine});
        EXPECT_EQ(result.status, 0) << result.output;
        return result.output.substr(result.output.find("tokens"));
    };
    const std::string columns = decode("per-channel", "model");
    EXPECT_EQ(columns, decode("per-channel", "verilator"));
    EXPECT_NE(columns, decode("per-tensor", "model")) << "another cost";
    for (const char* command : {"compile", "decode"})
        expect_bad(capra({command, "--quant", "int4"}), "--quant");
}

TEST_F(ToolsCli, decode_writes_its_result_and_programs_that_run_again) {
    const ProcessResult result =
        capra({"decode", "--steps", "2", "--json", path("d.json"), "--programs", path("progs")});
    ASSERT_EQ(result.status, 0) << result.output;
    const auto json = nlohmann::json::parse(read_file(path("d.json")));
    EXPECT_EQ(json.at("tokens"), (nlohmann::json{0, 3, 2}));
    EXPECT_EQ(json.at("routes"), (nlohmann::json{0, 3}));
    EXPECT_EQ(json.at("programs").size(), 4U);
    EXPECT_EQ(json.at("programs")[0].at("counters")[0], 3550);
    const ProcessResult again = capra({"run", path("progs/001-B0.json")});
    EXPECT_EQ(again.status, 0);
    EXPECT_NE(again.output.find("token[0] 3\n"), std::string::npos) << again.output;
    EXPECT_NE(again.output.find("cycles 3696 "), std::string::npos) << again.output;
}

TEST_F(ToolsCli, decode_takes_any_number_of_experts_that_divides_the_vocabulary) {
    for (const char* experts : {"2", "4", "8", "16"})
        for (const char* decoder : {"routed", "dense"}) {
            const ProcessResult result =
                capra({"decode", "--experts", experts, "--decoder", decoder, "--steps", "6"});
            EXPECT_EQ(result.status, 0) << result.output;
            EXPECT_NE(result.output.find("tokens  0 3 2 13 4 7 6\n"), std::string::npos)
                << experts << " " << decoder << "\n"
                << result.output;
        }
    expect_bad(capra({"decode", "--experts", "3"}), "--experts");
}

/// Whatever engine ran it: the timeline is that of the chip.
TEST_F(ToolsCli, decode_with_trace_writes_steps_programs_and_decisions) {
    for (const auto* engine : {"model", "verilator"})
        ASSERT_EQ(
            capra({"decode", "--steps", "3", "--engine", engine, "--trace", path(engine)}).status,
            0);
    EXPECT_EQ(read_file(path("model")), read_file(path("verilator")));
    const auto trace = nlohmann::json::parse(read_file(path("model")));
    std::vector<std::string> host;
    for (const auto& event : trace.at("traceEvents"))
        if (event.at("ph") != "M" && event.value("tid", 0) == 1) host.push_back(event.at("name"));
    ASSERT_EQ(host.size(), 12U);
    EXPECT_EQ(host[0].substr(0, 17), "step 1: token 0 -");
    EXPECT_EQ(host[1], "A1");
    EXPECT_EQ(host[2].substr(0, 6), "route ");
    EXPECT_EQ(host[3].substr(0, 1), "B");
    EXPECT_EQ(host[5], "A2");
}

TEST_F(ToolsCli, report_makes_a_page_of_any_decode) {
    for (const char* decoder : {"routed", "dense", "single"}) {
        ASSERT_EQ(capra({"decode", "--decoder", decoder, "--steps", "2", "--json", path("d.json")})
                      .status,
                  0);
        const ProcessResult result = capra({"report", path("d.json"), "-o", path("d.html")});
        EXPECT_EQ(result.status, 0) << result.output;
        EXPECT_EQ(result.output, "");
        const std::string html = read_file(path("d.html"));
        EXPECT_EQ(html.substr(0, 15), "<!DOCTYPE html>");
        EXPECT_NE(html.find("<p class=\"quiet\">d.json: "), std::string::npos);
        EXPECT_NE(
            html.find(std::string(decoder) + " decoder, model engine, 2 steps from token 0</p>"),
            std::string::npos);
    }
}

TEST_F(ToolsCli, run_with_trace_writes_a_timeline) {
    ASSERT_EQ(capra({"run", small_program(), "--trace", path("t.json")}).status, 0);
    const auto trace = nlohmann::json::parse(read_file(path("t.json")));
    std::vector<std::string> names;
    for (const auto& event : trace.at("traceEvents"))
        if (event.at("ph") == "X" && event.at("tid") != 1) names.push_back(event.at("name"));
    EXPECT_EQ(names, (std::vector<std::string>{"LD", "LD", "VADD", "VADD", "ST", "ST", "HALT"}));
}

TEST_F(ToolsCli, run_with_check_writes_what_retired_too) {
    ASSERT_EQ(capra({"run", small_program(), "--retired", path("plain.txt")}).status, 0);
    const ProcessResult result =
        capra({"run", small_program(), "--check", "--retired", path("checked.txt")});
    EXPECT_EQ(result.status, 0) << result.output;
    EXPECT_EQ(result.output.substr(0, 5), "PASS ");
    ASSERT_TRUE(fs::exists(path("checked.txt")));
    EXPECT_EQ(read_file(path("checked.txt")), read_file(path("plain.txt")));
}

TEST_F(ToolsCli, decode_writes_how_many_experts_the_model_has) {
    const auto experts = [&](std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), {"decode", "--steps", "1", "--json", path("d.json")});
        EXPECT_EQ(capra(arguments).status, 0);
        return nlohmann::json::parse(read_file(path("d.json"))).at("experts");
    };
    EXPECT_EQ(experts({"--decoder", "single"}), 1);
    EXPECT_EQ(experts({}), 4);
    EXPECT_EQ(experts({"--experts", "8"}), 8);
}

TEST_F(ToolsCli, as_many_steps_as_the_scratchpad_holds_are_decoded_and_no_more_are_offered) {
    for (const char* decoder : {"single", "routed", "dense"}) {
        EXPECT_EQ(capra({"decode", "--decoder", decoder, "--steps", "254"}).status, 0) << decoder;
        expect_bad(capra({"decode", "--decoder", decoder, "--steps", "255"}), "1 to 254");
    }
    expect_bad(tool("ch17_run", {"--steps", "255"}), "1 to 254");
    expect_bad(tool("ch17_run", {"--steps", "0"}), "1 to 254");
}

}  // namespace
}  // namespace capra
