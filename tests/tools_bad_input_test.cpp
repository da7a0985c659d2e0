// The command line: results on disk are whole or absent, bad input is one line and status 2.
#include "tests/tools_support.hpp"

#include <gtest/gtest.h>

namespace capra {
namespace {

class ToolsBadInput : public ToolsTest {};

TEST_F(ToolsBadInput, run_refuses_inputs_that_are_not_exactly_those_of_the_program) {
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

TEST_F(ToolsBadInput, missing_files_and_directories_are_refused) {
    for (const char* command : {"run", "verify", "disasm"}) {
        expect_bad(capra({command, path("none.json")}), "none.json");
        expect_bad(capra({command, path("")}), "a place/");
    }
    expect_bad(capra({"compile", path("none.json"), "-o", path("out.json")}), "none.json");
    expect_bad(capra({"asm", path("none.s"), "-o", path("out.json")}), "none.s");
    EXPECT_FALSE(fs::exists(path("out.json")));
}

TEST_F(ToolsBadInput, of_what_is_no_program_yet_the_command_that_makes_one_is_named) {
    const std::string graph = CAPRA_SOURCE "/examples/mlp.json";
    const std::string text = CAPRA_SOURCE "/examples/add.s";
    write_file(path("mistake.s"), "LD d=\n");
    write_file(path("text"), "HALT\n");
    const auto advice = [](const std::string& file, const char* kind, const char* command) {
        return file + ": this is " + kind + ", not a program: make one of it with `capra " +
               command + " " + file + " -o PROG`\n";
    };
    for (const char* command : {"run", "explain", "verify", "disasm"}) {
        expect_bad(capra({command, graph}), advice(graph, "a graph", "compile"));
        for (const std::string& file : {text, path("mistake.s"), path("text")})
            expect_bad(capra({command, file}), advice(file, "assembler text", "asm"));
    }
}

TEST_F(ToolsBadInput, a_program_with_a_mistake_is_not_taken_for_something_else) {
    std::string program = read_file(small_program());
    write_file(path("p.json"), program.replace(program.find("\"version\""), 9, "\"nodes\""));
    expect_bad(capra({"run", path("p.json")}), "p.json: $.nodes: unknown key");
    write_file(path("p.json"), "");
    expect_bad(capra({"run", path("p.json")}), "p.json: $: ");
    write_file(path("p.json"), "gibberish\n");
    expect_bad(capra({"run", path("p.json")}), "p.json: $: ");
}

TEST_F(ToolsBadInput, an_unwritable_output_is_refused_and_nothing_is_left_behind) {
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

TEST_F(ToolsBadInput, compile_says_how_much_external_memory_a_graph_needs) {
    const std::string graph = std::string(CAPRA_SOURCE) + "/examples/mlp.json";
    const auto compile = [&](const std::string& words) {
        return capra({"compile", graph, "--ext-words", words, "-o", path("m.json")});
    };
    const ProcessResult small = compile("10");
    expect_bad(small, "exceed the external memory of 10: --ext-words ");
    std::string words = small.output.substr(small.output.rfind("--ext-words ") + 12);
    words.erase(words.find(' '));
    expect_bad(compile(std::to_string(std::stoul(words) - 1)), "--ext-words " + words);
    EXPECT_EQ(compile(words).status, 0);
    const ProcessResult other = capra({"compile", graph, "--target", "fpga", "-o", path("m.json")});
    expect_bad(other, "fpga");
    EXPECT_EQ(other.output.find("--ext-words"), std::string::npos) << other.output;
}

TEST_F(ToolsBadInput, report_names_the_tool_whose_json_it_does_not_read) {
    const auto expect_named = [&](const std::string& writer) {
        expect_bad(capra({"report", path("w.json"), "-o", path("out.html")}),
                   "w.json: $: this is what " + writer +
                       " wrote: expected the JSON of ch17_run or of capra decode");
        EXPECT_FALSE(fs::exists(path("out.html")));
    };
    const std::vector<std::string> json = {"--json", path("w.json")};
    ASSERT_EQ(tool("stem_edit", json).status, 0);
    expect_named("stem_edit");
    ASSERT_EQ(tool("stem_cache", json).status, 0);
    expect_named("stem_cache");
    ASSERT_EQ(capra({"ledger", "--json", path("w.json")}).status, 0);
    expect_named("capra ledger");
    ASSERT_EQ(tool("stem_run", {"--engine", "model", "--decoder", "dense", "--steps", "1", "--json",
                                path("w.json")})
                  .status,
              0);
    expect_named("stem_run");
}

TEST_F(ToolsBadInput, report_refuses_what_no_decode_wrote) {
    write_file(path("out.html"), "precious");
    const auto expect_refused = [&](const std::string& json, const std::string& naming) {
        write_file(path("d.json"), json);
        expect_bad(capra({"report", path("d.json"), "-o", path("out.html")}), "d.json: " + naming);
    };
    expect_refused("{}", "$: the key \"decoders\" is missing");
    expect_refused("[1", "$");
    expect_refused(R"({"decoders": {"routed": {"target": "fpga"}}})", "$.decoders.routed.target: ");
    expect_refused(R"({"decoders": {}, "decoders": {}})", "$.decoders: this key is given twice");
    EXPECT_EQ(read_file(path("out.html")), "precious");
    expect_bad(capra({"report", path("none.json"), "-o", path("out.html")}), "none.json");
    expect_bad(capra({"report", path("d.json")}), "--output");
    ASSERT_EQ(capra({"decode", "--steps", "1", "--json", path("d.json")}).status, 0);
    expect_bad(capra({"report", path("d.json"), "-o", path("no/such/out.html")}), "no/such");
}

TEST_F(ToolsBadInput, a_failing_command_leaves_the_old_output_as_it_was) {
    write_file(path("out.json"), "precious");
    write_file(path("bad.s"), "FOO\n");
    expect_bad(capra({"asm", path("bad.s"), "-o", path("out.json")}), "bad.s:1:");
    EXPECT_EQ(read_file(path("out.json")), "precious");
}

TEST_F(ToolsBadInput, unknown_options_engines_and_commands_are_refused) {
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

TEST_F(ToolsBadInput, assembler_text_that_no_program_file_can_hold_is_refused) {
    for (const char* text :
         {".program \xff\xfe\n", ".memory 4294967295\n", ".memory 8\n.output y 0 1 1 nan\n",
          ".memory 8\n.data 7 1 2\n", ".memory 8\n.data 0 1 2\n.data 1 1\n"}) {
        write_file(path("p.s"), text);
        expect_bad(capra({"asm", path("p.s"), "-o", path("p.json")}), "a place/p.s:");
        EXPECT_FALSE(fs::exists(path("p.json"))) << text;
    }
}

TEST_F(ToolsBadInput, a_path_that_the_system_refuses_is_bad_input) {
    const std::string deep = path(std::string(300, 'a') + "/x");
    expect_bad(tool("ch17_run", {"--json", deep}), "File name too long");
    expect_bad(tool("ch17_run", {"--json", path(std::string(300, 'a'))}), "File name too long");
    expect_bad(capra({"run", deep}), "File name too long");
    expect_bad(capra({"run", small_program(), "--trace", deep}), "File name too long");
    expect_bad(capra({"decode", "--steps", "1", "--programs", deep}), "File name too long");
}

/// Runs a tool with its standard output on a device that is always full.
ProcessResult on_full_device(const std::string& name, const std::string& arguments) {
    const std::string tool = std::string(CAPRA_BIN) + "/" + name;
    return sim::run_process({"/bin/sh", "-c", "\"$0\" " + arguments + " > /dev/full", tool});
}

TEST_F(ToolsBadInput, text_that_cannot_be_printed_is_no_success) {
    if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
    const std::string program = "'" + small_program() + "'";
    for (const char* command : {"disasm ", "run ", "verify "})
        expect_bad(on_full_device("capra", command + program), "capra: ");
    // More than a buffer holds: the write itself fails, not the flush at the end.
    expect_bad(on_full_device("capra", "decode --steps 200"), "capra: ");
    expect_bad(on_full_device("capra", "--help"), "capra: ");
    expect_bad(on_full_device("ch17_run", "--engine model --steps 1"), "ch17_run: ");
    expect_bad(on_full_device("isagen", "verilog"), "isagen: ");
}

TEST_F(ToolsBadInput, a_seed_of_the_fuzzer_neither_wraps_nor_leads_to_one_that_does) {
    for (const char* seed :
         {"-1", "-9223372036854775809", "9223372036854775809", "18446744073709551616"})
        expect_bad(capra({"fuzz", "--programs", "1", "--engines", "model", "--seed", seed}),
                   "--seed");
    const ProcessResult largest =
        capra({"fuzz", "--programs", "2", "--engines", "model", "--seed", "9223372036854775808"});
    EXPECT_EQ(largest.status, 0);
    EXPECT_NE(largest.output.find("seeds 9223372036854775808..9223372036854775809"),
              std::string::npos)
        << largest.output;
}

TEST_F(ToolsBadInput, help_is_not_an_error) {
    for (const char* name : {"capra", "ch17_run", "isagen"})
        EXPECT_EQ(tool(name, {"--help"}).status, 0) << name;
}

}  // namespace
}  // namespace capra
