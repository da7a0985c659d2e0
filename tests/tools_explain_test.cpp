// capra explain: what it prints, and that its cycles are the machine's for the chapter's programs.
#include "tests/tools_support.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace capra {
namespace {

using Json = nlohmann::json;

class ToolsExplain : public ToolsTest {
  protected:
    std::string example_program() {
        EXPECT_EQ(
            capra({"compile", CAPRA_SOURCE "/examples/mlp.json", "-o", path("mlp.json")}).status,
            0);
        return path("mlp.json");
    }

    Json explained(const std::string& program) {
        EXPECT_EQ(capra({"explain", program, "--json", path("e.json")}).status, 0);
        return Json::parse(read_file(path("e.json")));
    }
};

TEST_F(ToolsExplain, a_compiled_program_is_told_in_the_words_of_its_graph) {
    const ProcessResult result = capra({"explain", example_program()});
    EXPECT_EQ(result.status, 0);
    EXPECT_EQ(
        result.output,
        "program mlp, 11 instructions\n"
        "\n"
        "   pc  instruction                                                                 cycles "
        "   total\n"
        "\n"
        "x = input                                                                  1 x 4   scale "
        "0.007874\n"
        "    0  LD    x = ext x                                                                 15 "
        "      15\n"
        "\n"
        "w1 = weight                                                                4 x 3   scale "
        "0.007874\n"
        "    1  LD    w1 = ext w1                                                               23 "
        "      38\n"
        "\n"
        "active = relu(hidden), hidden = x * w1                                     1 x 3   scale "
        "0.01476\n"
        "    2  MM    acc = x * w1                                                              34 "
        "      72\n"
        "    3  RQ    active = relu(round(acc * 0.004199))                                       7 "
        "      79\n"
        "       0.004199 = 1154342916 / 2^38 = x 0.007874 * w1 0.007874 / active 0.01476\n"
        "\n"
        "w2 = weight                                                                3 x 3   scale "
        "0.007874\n"
        "    4  LD    w2 = ext w2                                                               20 "
        "      99\n"
        "\n"
        "scores = active * w2                                                       1 x 3   scale "
        "0.01476\n"
        "    5  MM    acc = active * w2                                                         29 "
        "     128\n"
        "    6  RQ    scores = round(acc * 0.007874)                                             7 "
        "     135\n"
        "       0.007874 = 1082196484 / 2^37 = active 0.01476 * w2 0.007874 / scores "
        "0.01476\n"
        "\n"
        "best = argmax(scores)                                                      1 x 1   index\n"
        "    7  AMAX  best = argmax(scores)                                                      8 "
        "     143\n"
        "\n"
        "scores_out = output(scores)                                                1 x 3   scale "
        "0.01476\n"
        "    8  ST    ext scores_out = scores                                                    7 "
        "     150\n"
        "\n"
        "class = output(best)                                                       1 x 1   index\n"
        "    9  ST    ext class = best                                                           5 "
        "     155\n"
        "\n"
        "   10  HALT  stop                                                                       2 "
        "     157\n"
        "\n"
        "cycles 157 = matrix 59 + dma 60 + vector 16 + control 22\n"
        "\n"
        "Scratchpad, 16 of 8192 bytes used, over the instructions:\n"
        "\n"
        "bytes       0       1       3       4       6       7       9\n"
        "0..2        ........bb w1 bb........dd w2 ddeeee scores eeee........\n"
        "3..3        ........bbbbbbbb........dddddddd........fffff best fffff\n"
        "4..8        ........bbbbbbbb........dddddddd........................\n"
        "9..11       ........bbbbbbbbcccc active cccc........................\n"
        "12..15      aaaaaa x aaaaaaa........................................\n"
        "\n"
        "   buffer                            shape   bytes         addresses        instructions\n"
        "a  x                                 1 x 4       4            12..15                0..2\n"
        "b  w1                                4 x 3      12             0..11                1..2\n"
        "c  active                            1 x 3       3             9..11                3..5\n"
        "d  w2                                3 x 3       9              0..8                4..5\n"
        "e  scores                            1 x 3       3              0..2                6..8\n"
        "f  best                              1 x 1       1              3..3                "
        "7..9\n");
}

TEST_F(ToolsExplain, an_assembled_program_is_told_by_its_symbols_and_addresses) {
    const ProcessResult result = capra({"explain", small_program()});
    EXPECT_EQ(result.status, 0);
    EXPECT_EQ(
        result.output,
        "program without a name, 4 instructions\n\n"
        "   pc  instruction                                                                 "
        "cycles    total\n"
        "    0  LD    spad[0:3] = ext[0:3]                                                  "
        "    14       14\n"
        "    1  VADD  spad[0:3] = spad[0:3] + spad[0:3]                                     "
        "    10       24\n"
        "    2  ST    ext y = spad[0:3]                                                     "
        "     7       31\n"
        "    3  HALT  stop                                                                  "
        "     2       33\n"
        "\ncycles 33 = matrix 0 + dma 17 + vector 8 + control 8\n"
        "\nThis program has no notes, as its compiler would write them: operands are shown by "
        "address.\n");
    EXPECT_EQ(explained(small_program()).at("notes"), nullptr);
}

TEST_F(ToolsExplain, one_scale_a_column_is_told_by_tables_and_ranges) {
    ASSERT_EQ(capra({"compile", CAPRA_SOURCE "/examples/mlp.json", "--quant", "per-channel", "-o",
                     path("mlp.json")})
                  .status,
              0);
    const std::string text = capra({"explain", path("mlp.json")}).output;
    for (const char* part :
         {"\nw1 = weight                                                                4 x 3   "
          "scale a column\n",
          "  LD    w1 = ext w1 ", "\n       scales 0.007874 a column\n",
          "  LD    hidden.mult = ext hidden.mult ",
          "  RQC   active = relu(round(acc * hidden.mult / 2^23)) ",
          "\n       0.0042 = x 0.007874 * w1's column scale / active 0.01476\n",
          "  AMAXC best = argmax(acc * scores.mult) ", " 1 x 1   index\n",
          "\nc  hidden.mult                       3 x 2       6 "})
        EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
}

TEST_F(ToolsExplain, the_total_is_what_the_machine_counts_for_the_chapters_programs) {
    ASSERT_EQ(capra({"decode", "--steps", "8", "--programs", path("routed")}).status, 0);
    ASSERT_EQ(
        capra({"decode", "--decoder", "dense", "--steps", "2", "--programs", path("dense")}).status,
        0);
    ASSERT_EQ(
        capra({"decode", "--steps", "8", "--quant", "per-channel", "--programs", path("columns")})
            .status,
        0);
    const std::pair<const char*, std::uint64_t> expected[] = {
        {"routed/000-A1", 3550}, {"routed/014-A8", 4165},  {"routed/001-B0", 3696},
        {"routed/003-B3", 3696}, {"routed/005-B2", 3696},  {"routed/007-B1", 3696},
        {"dense/000-D1", 15618}, {"columns/014-A8", 4428}, {"columns/015-B1", 3937}};
    for (const auto& [name, total] : expected) {
        const std::string program = path(std::string(name) + ".json");
        const Json explanation = explained(program);
        const Json& c = explanation.at("counters");
        EXPECT_EQ(c.at("total"), total) << name;
        EXPECT_EQ(explanation.at("instructions").back().at("total"), total) << name;
        std::uint64_t sum = 0;
        for (const Json& insn : explanation.at("instructions"))
            sum += insn.at("cycles").get<std::uint64_t>();
        EXPECT_EQ(sum, total) << name;
        const std::string line = "cycles " + c.at("total").dump() + " = matrix " +
                                 c.at("matrix").dump() + " + dma " + c.at("dma").dump() +
                                 " + vector " + c.at("vector").dump() + " + control " +
                                 c.at("control").dump() + "\n";
        EXPECT_NE(capra({"run", program}).output.find(line), std::string::npos) << line;
        EXPECT_NE(capra({"explain", program}).output.find(line), std::string::npos) << line;
    }
}

TEST_F(ToolsExplain, the_chapters_programs_fit_100_columns_of_ascii) {
    for (const char* quant : {"per-tensor", "per-channel"}) {
        ASSERT_EQ(capra({"decode", "--steps", "1", "--decoder", "dense", "--quant", quant,
                         "--programs", path(quant)})
                      .status,
                  0);
        const std::string text =
            capra({"explain", path(quant + std::string("/000-D1.json"))}).output;
        std::size_t column = 0;
        for (const char c : text) {
            column = c == '\n' ? 0 : column + 1;
            ASSERT_LE(column, 100U) << quant;
            ASSERT_TRUE(c == '\n' || (c >= ' ' && c <= '~')) << int{c};
        }
    }
}

TEST_F(ToolsExplain, data_name_nodes_and_keep_the_notes) {
    const Json explanation = explained(example_program());
    EXPECT_EQ(explanation.at("program"), "mlp");
    EXPECT_EQ(explanation.at("target"), "reference");
    const Json& insn = explanation.at("instructions").at(2);
    EXPECT_EQ(insn.at("pc"), 2);
    EXPECT_EQ(insn.at("text"), "MM bt=0 d=0 a=12 b=0 k=4 m=1 n=3 sa=4 sb=3 sd=3");
    EXPECT_EQ(insn.at("node"), "hidden");
    EXPECT_EQ(insn.at("unit"), "matrix");
    EXPECT_EQ(insn.at("what"), "acc = x * w1");
    EXPECT_EQ(insn.at("why"), "");
    EXPECT_EQ(explanation.at("instructions").back().at("node"), nullptr);
    EXPECT_EQ(explanation.at("end"), (Json{{"state", "halted"}, {"pc", 10}, {"trap", "none"}}));
    Json notes = Json::parse(read_file(path("mlp.json"))).at("notes");
    EXPECT_EQ(explanation.at("notes").at("nodes").at(2).at("formula"), "x * w1");
    Json without = explanation.at("notes");
    for (Json& node : without.at("nodes")) node.erase("formula");
    EXPECT_EQ(without, notes);
}

TEST_F(ToolsExplain, a_trap_and_what_is_never_reached_are_told) {
    write_file(path("t.s"), ".memory 8\nLD d=8190 n=8 x=0\nHALT\n");
    ASSERT_EQ(capra({"asm", path("t.s"), "-o", path("t.json")}).status, 0);
    const ProcessResult result = capra({"explain", path("t.json")});
    EXPECT_EQ(result.status, 0);
    EXPECT_NE(result.output.find("\n    0  LD d=8190 n=8 x=0\n       traps with spad_range: "),
              std::string::npos)
        << result.output;
    EXPECT_NE(result.output.find("\n    1  and what follows is never reached\n"), std::string::npos)
        << result.output;
    EXPECT_NE(result.output.find("\ncycles 2 = matrix 0 + dma 0 + vector 0 + control 2\n"),
              std::string::npos);
    EXPECT_EQ(explained(path("t.json")).at("end"),
              (Json{{"state", "trapped"}, {"pc", 0}, {"trap", "spad_range"}}));
}

TEST_F(ToolsExplain, a_program_without_an_end_traps_where_no_instruction_is) {
    write_file(path("t.s"), ".memory 8\nLD d=0 n=8 x=0\n");
    ASSERT_EQ(capra({"asm", path("t.s"), "-o", path("t.json")}).status, 0);
    const std::string text = capra({"explain", path("t.json")}).output;
    EXPECT_NE(text.find("\n    1  traps with pc_range: "), std::string::npos) << text;
}

TEST_F(ToolsExplain, a_node_that_is_left_and_taken_up_again_says_so) {
    // The left operand of the sum is rescaled before the right one is loaded.
    write_file(path("g.json"), R"({"name": "sum", "nodes": [
        {"name": "a", "op": "input", "rows": 1, "cols": 2},
        {"name": "b", "op": "input", "rows": 1, "cols": 2},
        {"name": "s", "op": "add", "inputs": ["a", "b"]},
        {"name": "y", "op": "output", "inputs": ["s"]}],
        "calibration": [{"a": [[1, 2]], "b": [[3, 4]]}]})");
    ASSERT_EQ(capra({"compile", path("g.json"), "-o", path("p.json")}).status, 0);
    const std::string text = capra({"explain", path("p.json")}).output;
    EXPECT_NE(text.find("\ns = a + b   "), std::string::npos) << text;
    EXPECT_NE(text.find("\ns = a + b (continued)   "), std::string::npos) << text;
}

TEST_F(ToolsExplain, bad_notes_and_outputs_without_a_place_are_one_line) {
    Json program = Json::parse(read_file(example_program()));
    program["notes"]["instructions"][0] = 99;
    write_file(path("bad.json"), program.dump());
    expect_bad(capra({"explain", path("bad.json")}),
               "$.notes.instructions[0]: expected a whole number in -1..8, got 99");
    expect_bad(capra({"explain", example_program(), "--json", path("no/where.json")}), "no/where");
    expect_bad(capra({"explain", path("none.json")}), "none.json");
}

}  // namespace
}  // namespace capra
