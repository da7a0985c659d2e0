// The command line: results on disk are whole or absent, bad input is one line and status 2.
#include "isa/files.hpp"
#include "sim/process.hpp"
#include "tests/temporary_directory.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>

namespace capra {
namespace {

namespace fs = std::filesystem;
using sim::ProcessResult;

class ToolsCli : public testing::Test {
  protected:
    static ProcessResult tool(const std::string& name, std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), std::string(CAPRA_BIN) + "/" + name);
        return sim::run_process(arguments);
    }
    static ProcessResult capra(std::vector<std::string> arguments) {
        return tool("capra", std::move(arguments));
    }

    /// A path in this test's own directory, whose name has a space.
    std::string path(const std::string& name) {
        fs::create_directories(directory_.path() + "/a place");
        return directory_.path() + "/a place/" + name;
    }

    std::string small_program() {
        write_file(path("p.s"),
                   ".memory 8\n.data 0 1 -2 3\n.output y 4 1 3 0.5\n"
                   "LD d=0 n=3 x=0\nVADD d=0 a=0 b=0 n=3\nST a=0 n=3 x=4\nHALT\n");
        EXPECT_EQ(capra({"asm", path("p.s"), "-o", path("p.json")}).status, 0);
        return path("p.json");
    }

    /// Status 2, one line, naming what is wrong.
    static void expect_bad(const ProcessResult& result, const std::string& naming) {
        EXPECT_EQ(result.status, 2) << result.output;
        EXPECT_EQ(std::count(result.output.begin(), result.output.end(), '\n'), 1) << result.output;
        EXPECT_NE(result.output.find(naming), std::string::npos) << result.output;
    }

  private:
    TemporaryDirectory directory_;
};

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

TEST_F(ToolsCli, run_with_trace_writes_a_line_per_retired_instruction) {
    ASSERT_EQ(capra({"run", small_program(), "--trace", path("t.txt")}).status, 0);
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
              "4 instructions: HALT 1, LD 1, ST 1, VADD 1\n"
              "cycles 33 = matrix 0 + dma 17 + vector 8 + control 8\nsafe\n");
    write_file(path("bad.s"), ".memory 8\nAMAX d=0 a=5 n=2\nHALT\n");
    ASSERT_EQ(capra({"asm", path("bad.s"), "-o", path("bad.json")}).status, 0);
    const ProcessResult bad = capra({"verify", path("bad.json")});
    EXPECT_EQ(bad.status, 1);
    EXPECT_NE(bad.output.find("bad.json: instruction 0 (AMAX d=0 a=5 n=2): reads scratchpad cell "
                              "5, which nothing wrote\n"),
              std::string::npos)
        << bad.output;
}

TEST_F(ToolsCli, a_trap_is_a_failed_run_with_its_reason) {
    write_file(path("t.s"), ".memory 8\nLD n=0\nHALT\n");
    ASSERT_EQ(capra({"asm", path("t.s"), "-o", path("t.json")}).status, 0);
    const ProcessResult result = capra({"run", path("t.json")});
    EXPECT_EQ(result.status, 1);
    EXPECT_NE(result.output.find("TRAPPED at instruction 0: field_range"), std::string::npos);
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

TEST_F(ToolsCli, run_refuses_inputs_that_are_not_exactly_those_of_the_program) {
    const std::string graph = std::string(CAPRA_SOURCE) + "/examples/mlp.json";
    ASSERT_EQ(capra({"compile", graph, "-o", path("mlp.json")}).status, 0);
    const auto expect_refused = [&](const std::string& inputs, const std::string& naming) {
        write_file(path("x.json"), inputs);
        expect_bad(capra({"run", path("mlp.json"), "--inputs", path("x.json")}),
                   "x.json: " + naming);
    };
    expect_refused(R"({"x": [[1, 1, 1, 1]], "x": [[0, 0, 0, 0]]})", "$.x: this key is given twice");
    expect_refused(R"({"x": [[1, 1, 1, 1]], "y z": [[1]]})", "$[\"y z\"]: no input has this name");
    expect_refused(R"({"y": [[1]]})", "$: input \"x\": the key \"x\" is missing");
    expect_refused(R"({"x": [[1, 1], [1, 1]]})",
                   "$.x: input \"x\": expected 1 x 4 values, got 2 x 2");
    expect_refused(R"({"x": [[1, 1, 1, 1], [1]]})", "$.x[1]: input \"x\": expected a row of 4");
    expect_refused(R"({"x": [[1, true, 1, 1]]})",
                   "$.x[0][1]: input \"x\": expected a number, got true");
    expect_refused(R"({"x": [[1, 1e999, 1, 1]]})", "$.x[0][1]: number overflow");
    expect_refused(R"({"x": []})",
                   "$.x: input \"x\": expected an array of rows, got an array of 0");
    expect_refused("[[1, 1, 1, 1]]", "$: expected an object, got an array of 1");
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

TEST_F(ToolsCli, missing_files_and_directories_are_refused) {
    for (const char* command : {"run", "verify", "disasm"}) {
        expect_bad(capra({command, path("none.json")}), "none.json");
        expect_bad(capra({command, path("")}), "a place/");
    }
    expect_bad(capra({"compile", path("none.json"), "-o", path("out.json")}), "none.json");
    expect_bad(capra({"asm", path("none.s"), "-o", path("out.json")}), "none.s");
    EXPECT_FALSE(fs::exists(path("out.json")));
}

TEST_F(ToolsCli, an_unwritable_output_is_refused_and_nothing_is_left_behind) {
    const std::string program = small_program();
    const std::string gone = path("no/such/directory/out");
    expect_bad(capra({"disasm", program, "-o", gone}), "no/such/directory/out");
    expect_bad(capra({"asm", path("p.s"), "-o", gone}), "no/such/directory/out");
    expect_bad(capra({"decode", "--steps", "1", "--json", gone}), "no/such/directory/out");
    expect_bad(capra({"run", program, "--trace", path("")}), "a place/");
    expect_bad(tool("ch17_run", {"--json", gone}), "no/such/directory");
    for (const auto& entry : fs::directory_iterator(path("")))
        EXPECT_EQ(entry.path().string().find(".tmp"), std::string::npos) << entry.path();
}

TEST_F(ToolsCli, a_failing_command_leaves_the_old_output_as_it_was) {
    write_file(path("out.json"), "precious");
    write_file(path("bad.s"), "FOO\n");
    expect_bad(capra({"asm", path("bad.s"), "-o", path("out.json")}), "bad.s:1:");
    EXPECT_EQ(read_file(path("out.json")), "precious");
}

TEST_F(ToolsCli, unknown_options_engines_and_commands_are_refused) {
    for (const char* name : {"capra", "ch17_run", "isagen"})
        EXPECT_EQ(tool(name, {"--frobnicate"}).status, 2) << name;
    EXPECT_EQ(capra({}).status, 2);
    EXPECT_EQ(capra({"frobnicate"}).status, 2);
    expect_bad(capra({"run", small_program(), "--engine", "fpga"}), "fpga");
    expect_bad(tool("ch17_run", {"--engine", "fpga"}), "fpga");
    expect_bad(capra({"fuzz", "--engines", "model,fpga"}), "fpga");
    expect_bad(capra({"decode", "--start", "16"}), "--start");
    expect_bad(capra({"decode", "--steps", "0"}), "--steps");
    expect_bad(capra({"decode", "--decoder", "single", "--model", "structured"}), "structured");
}

TEST_F(ToolsCli, help_is_not_an_error) {
    for (const char* name : {"capra", "ch17_run", "isagen"})
        EXPECT_EQ(tool(name, {"--help"}).status, 0) << name;
}

}  // namespace
}  // namespace capra
