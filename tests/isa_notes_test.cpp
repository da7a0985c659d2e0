// Notes in program files: exact round trips, and one-line errors that say where.
#include "isa/codec.hpp"
#include "isa/error.hpp"
#include "isa/program_file.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <nlohmann/json.hpp>

namespace capra::isa {
namespace {

Program two_instructions() {
    Program program{.name = "p", .memory_words = 8};
    program.code = {encode({.op = Opcode::ld, .n = 4}), encode({.op = Opcode::halt})};
    return program;
}

/// Every key of every part, none at its default.
Program noted() {
    Program program = two_instructions();
    program.notes = Notes{
        .nodes = {{.name = "x", .op = "input", .inputs = {}, .rows = 1, .cols = 2, .scale = 0.5},
                  {.name = "y",
                   .op = "matmul",
                   .inputs = {0, 0},
                   .rows = 3,
                   .cols = 4,
                   .scale = 0.125,
                   .factor = 0.25,
                   .transpose_b = true,
                   .position = 3,
                   .in_place = true}},
        .instructions = {1, kNoNode},
        .buffers = {{.value = 0, .scale_of = 1, .address = 2, .bytes = 3, .first = 0, .last = 1}}};
    return program;
}

TEST(IsaNotes, a_program_file_keeps_notes_and_writes_none_for_a_program_without) {
    const Program program = noted();
    EXPECT_EQ(program_from_json(program_to_json(program), "p.json"), program);
    const std::string without = program_to_json(two_instructions());
    EXPECT_EQ(without.find("notes"), std::string::npos);
    EXPECT_FALSE(program_from_json(without, "p.json").notes);
    EXPECT_NE(program, two_instructions()) << "notes are part of a program";
}

RC_GTEST_PROP(IsaNotes, any_notes_read_back_exactly, ()) {
    Program program = two_instructions();
    Notes notes;
    const auto count = *rc::gen::inRange<std::uint32_t>(1, 6);
    for (std::uint32_t i = 0; i < count; ++i) {
        NodeNote node{.name = "n" + std::to_string(i), .op = "add"};
        if (i > 0)
            node.inputs = *rc::gen::container<std::vector<NoteIndex>>(rc::gen::inRange(0U, i));
        node.rows = *rc::gen::inRange(1U, 1U << 24);
        node.cols = *rc::gen::inRange(1U, 1U << 24);
        node.scale = *rc::gen::nonNegative<double>();
        if (*rc::gen::arbitrary<bool>()) {
            node.cols = *rc::gen::inRange(1U, 6U);
            node.scale = 0;
            node.column_scales =
                *rc::gen::container<std::vector<double>>(node.cols, rc::gen::nonNegative<double>());
        }
        node.factor = *rc::gen::arbitrary<double>();
        node.transpose_b = *rc::gen::arbitrary<bool>();
        node.position = *rc::gen::inRange(0U, 1U << 24);
        node.in_place = !node.inputs.empty() && *rc::gen::arbitrary<bool>();
        notes.nodes.push_back(node);
    }
    notes.instructions = {*rc::gen::inRange(0U, count), kNoNode};
    // One above the other, so that they share no cell.
    for (std::uint32_t i = 0; i < count; ++i) {
        const bool columns = notes.nodes[i].cols <= 50 && *rc::gen::arbitrary<bool>();
        notes.buffers.push_back(
            {.value = i,
             .scale_of = *rc::gen::inRange(0U, count),
             .holds =
                 columns ? *rc::gen::element(Holds::column_table, Holds::winners) : Holds::value,
             .address = 100 * i,
             .bytes = columns ? 2 * notes.nodes[i].cols : *rc::gen::inRange(1U, 101U),
             .first = 0,
             .last = *rc::gen::inRange(0U, 2U)});
    }
    program.notes = notes;
    RC_ASSERT(program_from_json(program_to_json(program), "p.json") == program);
}

std::string error_of(const std::string& text) {
    try {
        program_from_json(text, "p.json");
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

/// What is wrong with the file of `noted` once `from` in it is `to`; without the file's name.
std::string error(const std::string& from, const std::string& to) {
    std::string text = nlohmann::json::parse(program_to_json(noted())).dump();
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from << " in " << text;
    const std::string found = error_of(text.replace(at, from.size(), to));
    return found.starts_with("p.json: $.notes") ? found.substr(15) : found;
}

TEST(IsaNotes, nodes_have_names_shapes_and_scales) {
    const std::string rule =
        "a name is 1 to 64 printable ASCII characters other than space, quote, backslash and "
        "semicolon";
    EXPECT_EQ(error(R"("name":"x")", R"("name":"a b")"), ".nodes[0].name: \"a b\": " + rule);
    EXPECT_EQ(error(R"("op":"input")", R"("op":"")"), ".nodes[0].op: \"\": " + rule);
    EXPECT_EQ(error(R"("name":"y")", R"("name":"x")"),
              ".nodes[1].name: two nodes are called \"x\"");
    EXPECT_EQ(error(R"("cols":2)", R"("cols":0)"),
              ".nodes[0].cols: expected a whole number in 1..16777216, got 0");
    EXPECT_EQ(error(R"("rows":1)", R"("rows":16777217)"),
              ".nodes[0].rows: expected a whole number in 1..16777216, got 16777217");
    EXPECT_EQ(error(R"("rows":1)", R"("rows":16777216)"), "no error");
    EXPECT_EQ(error(R"("rows":1)", R"("rows":0)"),
              ".nodes[0].rows: expected a whole number in 1..16777216, got 0");
    EXPECT_EQ(error(R"("scale":0.5)", R"("scale":-0.5)"),
              ".nodes[0].scale: expected a scale of at least 0, got -0.5");
    EXPECT_EQ(error(R"("scale":0.5)", R"("scale":0)"), "no error");
    EXPECT_EQ(error(R"("factor":1.0)", R"("factor":"1")"),
              ".nodes[0].factor: expected a number, got \"1\"");
    EXPECT_EQ(error(R"("transpose_b":false)", R"("transpose_b":0)"),
              ".nodes[0].transpose_b: expected true or false, got 0");
    EXPECT_EQ(error(R"("position":0)", R"("position":-1)"),
              ".nodes[0].position: expected a whole number in 0..16777215, got -1");
    EXPECT_EQ(error(R"("in_place":false)", R"("in_place":0)"),
              ".nodes[0].in_place: expected true or false, got 0");
}

TEST(IsaNotes, column_scales_are_one_a_column_in_the_place_of_one_for_all) {
    const auto with = [](const std::string& scales, const std::string& scale) {
        const auto node = [](const std::string& column_scales, const std::string& one) {
            return R"("column_scales":)" + column_scales +
                   R"(,"factor":1.0,"in_place":false,"inputs":[],"name":"x","op":"input",)" +
                   R"("position":0,"rows":1,"scale":)" + one + ",";
        };
        return error(node("[]", "0.5"), node(scales, scale));
    };
    EXPECT_EQ(with("[0.5,0]", "0"), "no error");
    EXPECT_EQ(with("[0.5,0.25]", "0.5"),
              ".nodes[0].column_scales: there is one scale for all columns already");
    EXPECT_EQ(with("[0.5]", "0"),
              ".nodes[0].column_scales: expected a scale for each of the 2 columns, got an array "
              "of 1");
    EXPECT_EQ(with("[0.5,1,2]", "0"),
              ".nodes[0].column_scales: expected a scale for each of the 2 columns, got an array "
              "of 3");
    EXPECT_EQ(with("[0.5,-0.5]", "0"),
              ".nodes[0].column_scales[1]: expected a scale of at least 0, got -0.5");
    EXPECT_EQ(with("0.5", "0"), ".nodes[0].column_scales: expected an array, got 0.5");
}

TEST(IsaNotes, tables_and_winners_have_the_bytes_that_their_node_tells) {
    const auto table = [](int bytes, const std::string& holds) {
        return error(
            R"("bytes":3,"first":0,"holds":"value")",
            R"("bytes":)" + std::to_string(bytes) + R"(,"first":0,"holds":")" + holds + R"(")");
    };
    for (const std::string holds : {"column_table", "winners"}) {
        EXPECT_EQ(table(4, holds), "no error");
        const std::string wrong =
            ".buffers[0].bytes: the " + holds + " of \"x\" has 4 bytes, two a column";
        EXPECT_EQ(table(3, holds), wrong);
        EXPECT_EQ(table(5, holds), wrong);
    }
    EXPECT_EQ(table(256, "activation_table"), "no error");
    for (const int bytes : {4, 255, 257})
        EXPECT_EQ(table(bytes, "activation_table"),
                  ".buffers[0].bytes: the activation_table of \"x\" has 256 bytes");
    EXPECT_EQ(error(R"("holds":"value")", R"("holds":"values")"),
              ".buffers[0].holds: expected one of value, column_table, activation_table, winners, "
              "got \"values\"");
    EXPECT_EQ(error(R"("holds":"value")", R"("holds":false)"),
              ".buffers[0].holds: expected a string, got false");
}

TEST(IsaNotes, operands_are_earlier_nodes) {
    EXPECT_EQ(error("[0,0]", "[0,1]"),
              ".nodes[1].inputs[1]: expected a whole number in 0..0, got 1");
    EXPECT_EQ(error("[0,0]", "[0,-1]"),
              ".nodes[1].inputs[1]: expected a whole number in 0..0, got -1");
    EXPECT_EQ(error(R"("inputs":[],)", R"("inputs":[0],)"),
              ".nodes[0].inputs[0]: there is no earlier node");
}

TEST(IsaNotes, a_result_is_in_the_place_of_an_operand_that_there_is) {
    EXPECT_EQ(error(R"("in_place":false)", R"("in_place":true)"),
              ".nodes[0].in_place: there is no operand that could hold the result");
    EXPECT_EQ(error("[0,0]", "[0]"), "no error");
}

TEST(IsaNotes, every_instruction_has_its_entry) {
    EXPECT_EQ(error("[1,-1]", "[1]"),
              ".instructions: expected a node for each of the 2 instructions, got an array of 1");
    EXPECT_EQ(error("[1,-1]", "[1,1,1]"),
              ".instructions: expected a node for each of the 2 instructions, got an array of 3");
    EXPECT_EQ(error("[1,-1]", "[1,2]"),
              ".instructions[1]: expected a whole number in -1..1, got 2");
    EXPECT_EQ(error("[1,-1]", "[1,-2]"),
              ".instructions[1]: expected a whole number in -1..1, got -2");
    EXPECT_EQ(error("[1,-1]", "[0,1]"), "no error");
}

TEST(IsaNotes, buffers_lie_in_reach_of_addresses_and_inside_the_program) {
    EXPECT_EQ(error(R"("address":2,"bytes":3)", R"("address":65535,"bytes":1)"), "no error");
    EXPECT_EQ(error(R"("address":2,"bytes":3)", R"("address":0,"bytes":65536)"), "no error");
    EXPECT_EQ(error(R"("address":2,"bytes":3)", R"("address":65535,"bytes":2)"),
              ".buffers[0].bytes: expected a whole number in 1..1, got 2");
    EXPECT_EQ(error(R"("address":2)", R"("address":65536)"),
              ".buffers[0].address: expected a whole number in 0..65535, got 65536");
    EXPECT_EQ(error(R"("address":2)", R"("address":-1)"),
              ".buffers[0].address: expected a whole number in 0..65535, got -1");
    EXPECT_EQ(error(R"("bytes":3)", R"("bytes":0)"),
              ".buffers[0].bytes: expected a whole number in 1..65534, got 0");
    EXPECT_EQ(
        error(R"("first":0,"holds":"value","last":1)", R"("first":0,"holds":"value","last":2)"),
        ".buffers[0].last: expected a whole number in 0..1, got 2");
    EXPECT_EQ(
        error(R"("first":0,"holds":"value","last":1)", R"("first":1,"holds":"value","last":0)"),
        ".buffers[0].first: expected a whole number in 0..0, got 1");
    EXPECT_EQ(
        error(R"("first":0,"holds":"value","last":1)", R"("first":-1,"holds":"value","last":0)"),
        ".buffers[0].first: expected a whole number in 0..0, got -1");
    EXPECT_EQ(error(R"("last":1)", R"("last":-1)"),
              ".buffers[0].last: expected a whole number in 0..1, got -1");
    EXPECT_EQ(error(R"("scale_of":1)", R"("scale_of":2)"),
              ".buffers[0].scale_of: expected a whole number in 0..1, got 2");
    EXPECT_EQ(error(R"("value":0)", R"("value":2)"),
              ".buffers[0].value: expected a whole number in 0..1, got 2");
}

TEST(IsaNotes, two_buffers_that_live_at_once_share_no_cell) {
    // The buffer of the file: cells 2 to 4, in both instructions.
    const auto beside = [](int address, int bytes, int first, int last) {
        return error(R"("value":0}])", R"("value":0},{"address":)" + std::to_string(address) +
                                           R"(,"bytes":)" + std::to_string(bytes) + R"(,"first":)" +
                                           std::to_string(first) + R"(,"holds":"value","last":)" +
                                           std::to_string(last) + R"(,"scale_of":0,"value":0}])");
    };
    const std::string shared = ".buffers[1]: shares a cell with buffer 0 while both are alive";
    EXPECT_EQ(beside(0, 2, 0, 1), "no error");
    EXPECT_EQ(beside(0, 3, 0, 0), shared);
    EXPECT_EQ(beside(5, 1, 0, 1), "no error");
    EXPECT_EQ(beside(4, 1, 1, 1), shared);
    const auto after = [](int first, int last, int other_first, int other_last) {
        return error(R"("first":0,"holds":"value","last":1,"scale_of":1,"value":0})",
                     R"("first":)" + std::to_string(first) + R"(,"holds":"value","last":)" +
                         std::to_string(last) +
                         R"(,"scale_of":1,"value":0},{"address":2,"bytes":3,"first":)" +
                         std::to_string(other_first) + R"(,"holds":"value","last":)" +
                         std::to_string(other_last) + R"(,"scale_of":0,"value":0})");
    };
    EXPECT_EQ(after(0, 0, 1, 1), "no error");
    EXPECT_EQ(after(1, 1, 0, 0), "no error");
    EXPECT_EQ(after(0, 1, 1, 1), shared);
    EXPECT_EQ(after(0, 0, 0, 1), shared);
}

TEST(IsaNotes, keys_are_all_there_and_no_others) {
    EXPECT_EQ(error(R"("nodes":[)", R"("more":0,"nodes":[)"),
              ".more: unknown key, the keys here are nodes, instructions, buffers");
    EXPECT_EQ(error(R"("op":"input")", R"("op":"input","more":0)"),
              ".nodes[0].more: unknown key, the keys here are name, op, inputs, rows, cols, scale, "
              "column_scales, factor, transpose_b, position, in_place");
    EXPECT_EQ(error(R"("bytes":3)", R"("bytes":3,"more":0)"),
              ".buffers[0].more: unknown key, the keys here are value, scale_of, holds, "
              "address, bytes, first, last");
    EXPECT_EQ(error(R"("op":"input",)", ""), ".nodes[0]: the key \"op\" is missing");
    EXPECT_EQ(error(R"("instructions":[1,-1],)", ""), ": the key \"instructions\" is missing");
}

}  // namespace
}  // namespace capra::isa
