// Assembler text and program files: exact round trips, one-line errors that say where.
#include "isa/assembler.hpp"
#include "isa/codec.hpp"
#include "isa/error.hpp"
#include "isa/program_file.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace capra::isa {
namespace {

Program arbitrary_program() {
    Program program{.name = "p", .memory_words = 5000};
    const auto words = *rc::gen::container<std::vector<std::pair<std::uint64_t, std::uint64_t>>>(
        rc::gen::pair(rc::gen::arbitrary<std::uint64_t>(), rc::gen::arbitrary<std::uint64_t>()));
    for (const auto& [lo, hi] : words) program.code.push_back({lo, hi});
    // Words that decode, too: a random one hardly ever does.
    for (const InstructionRow& row : kTable) {
        Instruction insn{.op = row.op};
        for (const FieldRow& field : row.fields)
            insn.*field.member = *rc::gen::inRange<std::uint32_t>(0, 1U << field.width / 2);
        program.code.push_back(encode(insn));
    }
    program.data.push_back({7, *rc::gen::nonEmpty<std::vector<std::int8_t>>()});
    program.symbols.push_back({.kind = SymbolKind::output,
                               .name = "h",
                               .address = 3,
                               .rows = 1,
                               .cols = 16,
                               .scale = *rc::gen::positive<double>()});
    return program;
}

RC_GTEST_PROP(IsaText, assemble_inverts_disassemble, ()) {
    const Program program = arbitrary_program();
    RC_ASSERT(assemble(disassemble(program), "p.s") == program);
}

RC_GTEST_PROP(IsaText, a_program_file_reads_back_exactly, ()) {
    const Program program = arbitrary_program();
    RC_ASSERT(program_from_json(program_to_json(program), "p.json") == program);
}

/// Mostly a name as program files allow it, now and then one that only JSON can hold.
std::string arbitrary_name() {
    std::string alphabet;
    for (char c = '!'; c <= '~'; ++c)
        if (c != '"' && c != '\\' && c != ';') alphabet += c;
    std::string name(*rc::gen::inRange<std::size_t>(1, 65), ' ');
    for (char& c : name) c = alphabet[*rc::gen::inRange<std::size_t>(0, alphabet.size())];
    if (*rc::gen::inRange(0, 20) == 0)
        name[0] = *rc::gen::elementOf(std::string("; \n\t\r\"\\\x01"));
    return name;
}

/// A program file of which names and data blocks may be illegal, the rest is not.
std::string arbitrary_program_json() {
    nlohmann::json document = {{"format", "capra-program"},
                               {"version", 1},
                               {"name", *rc::gen::arbitrary<bool>() ? "" : arbitrary_name()},
                               {"target", arbitrary_name()},
                               {"memory_words", *rc::gen::inRange(1000, 16777217)},
                               {"code", nlohmann::json::array()},
                               {"data", nlohmann::json::array()},
                               {"symbols", nlohmann::json::array()}};
    for (const Word& word : arbitrary_program().code) document["code"].push_back(to_hex(word));
    for (int address = *rc::gen::inRange(0, 100); address < 900;
         address += *rc::gen::inRange(10, 500))
        document["data"].push_back(
            {{"address", address},
             {"values", *rc::gen::container<std::vector<int>>(*rc::gen::inRange<std::size_t>(0, 11),
                                                              rc::gen::inRange(-128, 128))}});
    for (const char* kind : {"output", "input", "weight", "input"})
        document["symbols"].push_back({{"kind", kind},
                                       {"name", arbitrary_name()},
                                       {"address", *rc::gen::inRange(0, 900)},
                                       {"rows", *rc::gen::inRange(0, 10)},
                                       {"cols", *rc::gen::inRange(0, 11)},
                                       {"scale", std::abs(*rc::gen::arbitrary<double>())}});
    return document.dump();
}

RC_GTEST_PROP(IsaText, every_legal_program_file_survives_disassembly, ()) {
    const std::string text = arbitrary_program_json();
    Program program;
    try {
        program = program_from_json(text, "p.json");
    } catch (const Error&) {
        return;
    }
    RC_TAG("legal");
    RC_ASSERT(assemble(disassemble(program), "p.s") == program);
    RC_ASSERT(program_from_json(program_to_json(program), "p.json") == program);
}

TEST(IsaText, an_instruction_reads_as_its_fields_by_name) {
    EXPECT_EQ(disassemble(encode({.op = Opcode::ld, .d = 1, .x = 3, .n = 2})), "LD d=1 n=2 x=3");
    EXPECT_EQ(disassemble(encode({.op = Opcode::halt})), "HALT");
    EXPECT_EQ(disassemble(Word{.lo = 0x2}), ".word 00000000000000000000000000000002");
}

TEST(IsaText, comments_blank_lines_and_left_out_fields_are_fine) {
    const Program program = assemble("; a program\n\n  LD n=4 ; the rest is 0\r\nHALT\n", "p.s");
    ASSERT_EQ(program.code.size(), 2U);
    EXPECT_EQ(program.code[0], encode({.op = Opcode::ld, .n = 4}));
}

std::string error_of(auto call) {
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

TEST(IsaText, assembler_errors_name_file_line_and_token) {
    const auto error = [](const char* text) { return error_of([&] { assemble(text, "p.s"); }); };
    EXPECT_EQ(error("HALT\nFOO d=1\n"), "p.s:2: unknown instruction 'FOO'");
    EXPECT_EQ(error("LD q=1"), "p.s:1: LD has no field 'q'");
    EXPECT_EQ(error("LD n=1 n=2"), "p.s:1: field 'n' is given twice");
    EXPECT_EQ(error("LD n=65536"), "p.s:1: n=65536 does not fit 16 bits");
    EXPECT_EQ(error("LD n=-1"), "p.s:1: n is not a number in range: '-1'");
    EXPECT_EQ(error("LD n=99999999999"), "p.s:1: n is not a number in range: '99999999999'");
    EXPECT_EQ(error("LD n"), "p.s:1: expected field=value, got 'n'");
    EXPECT_EQ(error(".data 0 128"), "p.s:1: data value is not a number in range: '128'");
    EXPECT_EQ(error(".word 12"), "p.s:1: .word takes 32 hex digits, not '12'");
    EXPECT_EQ(error(".frob 1"), "p.s:1: unknown directive '.frob'");
}

constexpr const char* kNameRule =
    "a name is 1 to 64 printable ASCII characters other than space, quote, backslash and "
    "semicolon";

TEST(IsaText, the_assembler_refuses_what_the_program_file_refuses_and_gives_the_line) {
    const auto error = [](const std::string& text) {
        return error_of([&] { assemble(text, "p.s"); });
    };
    EXPECT_EQ(error(".memory 16777216\n"), "no error");
    EXPECT_EQ(error("HALT\n.memory 16777217\n"),
              "p.s:2: a memory of 16777217 words, more than 16777216");
    EXPECT_EQ(error(".memory 4294967295\n"),
              "p.s:1: a memory of 4294967295 words, more than 16777216");
    for (const char* scale : {"nan", "inf", "-inf", "-1"})
        EXPECT_EQ(error(std::string(".memory 8\n.output y 0 1 1 ") + scale),
                  std::string("p.s:2: a scale is finite and at least 0, got ") + scale);
    EXPECT_EQ(error(".data 6 1 2\n.memory 8\n"), "no error");
    EXPECT_EQ(error("\n.data 7 1 2\n.memory 8\n"),
              "p.s:2: ends at word 9, outside the program's memory of 8");
    EXPECT_EQ(error(".data 4294967295 1 2\n.memory 8\n"),
              "p.s:1: ends at word 4294967297, outside the program's memory of 8");
    EXPECT_EQ(error(".data 0 1\n"), "p.s:1: ends at word 1, outside the program's memory of 0");
    EXPECT_EQ(error(".memory 8\n.input x 4 2 2 1\n"), "no error");
    EXPECT_EQ(error(".memory 8\n.input x 5 2 2 1\n"),
              "p.s:2: ends at word 9, outside the program's memory of 8");
    EXPECT_EQ(error(".memory 8\n.input x 4294967295 4294967295 4294967295 1\n"),
              "p.s:2: ends at word 18446744069414584320, outside the program's memory of 8");
    EXPECT_EQ(error(".memory 8\n.data 2 1\n.data 0 1 2\n"), "no error");
    EXPECT_EQ(error(".memory 8\n.data 2 1\n.data 0 1 2 3\n"), "p.s:2: two data blocks hold word 2");
    EXPECT_EQ(error(".data 0\n"), "p.s:1: .data takes an address and at least one value");
    const std::string rule = kNameRule;
    EXPECT_EQ(error(".program a\"b\n"), "p.s:1: name \"a\"b\": " + rule);
    EXPECT_EQ(error("\n.target a\\b\n"), "p.s:2: target \"a\\b\": " + rule);
    EXPECT_EQ(error(".weight " + std::string(64, 'w') + " 0 0 0 0\n"), "no error");
    EXPECT_EQ(error(".weight " + std::string(65, 'w') + " 0 0 0 0\n"),
              "p.s:1: symbol \"" + std::string(64, 'w') + "...\": " + rule);
}

TEST(IsaText, the_assembler_refuses_bytes_that_are_not_printable_ascii) {
    const auto error = [](const std::string& text) {
        return error_of([&] { assemble(text, "p.s"); });
    };
    EXPECT_EQ(error("HALT\t; ~\r\n"), "no error");
    EXPECT_EQ(error("\n.program \xff\n"), "p.s:2: the byte 0xff is not printable ASCII");
    EXPECT_EQ(error("HALT ; \xc3\xa9\n"), "p.s:1: the byte 0xc3 is not printable ASCII");
    EXPECT_EQ(error(std::string("HALT\n\0", 6)), "p.s:2: the byte 0x00 is not printable ASCII");
    EXPECT_EQ(error("HALT\x7f\n"), "p.s:1: the byte 0x7f is not printable ASCII");
}

constexpr const char* kGood =
    R"({"format":"capra-program","version":1,"name":"p","target":"reference","memory_words":8,
        "code":["00000000000000000000000000000001"],
        "data":[{"address":0,"values":[1,2]}],
        "symbols":[{"kind":"output","name":"y","address":4,"rows":1,"cols":2,"scale":0.5}]})";

/// kGood with one piece replaced.
std::string with(const std::string& from, const std::string& to) {
    std::string text = kGood;
    return text.replace(text.find(from), from.size(), to);
}

std::string program_error(const std::string& text) {
    return error_of([&] { program_from_json(text, "p.json"); });
}

TEST(IsaText, a_bad_program_file_names_file_path_and_value) {
    const auto error = [](const std::string& from, const std::string& to) {
        return program_error(with(from, to));
    };
    EXPECT_EQ(program_error(kGood), "no error");
    EXPECT_EQ(error("capra-program", "elf"),
              "p.json: $.format: expected \"capra-program\", got \"elf\"");
    EXPECT_EQ(error("\"version\":1", "\"version\":2"),
              "p.json: $.version: expected version 1, got 2");
    EXPECT_EQ(error("\"version\":1", "\"version\":1,\"version\":1"),
              "p.json: $.version: this key is given twice");
    EXPECT_EQ(
        error("\"name\":\"p\"", "\"name\":\"p\",\"extra\":0"),
        "p.json: $.extra: unknown key, the keys here are format, version, name, target, code, "
        "memory_words, data, symbols, notes");
    EXPECT_EQ(
        error("0001\"", "000g\""),
        "p.json: $.code[0]: expected 32 hex digits, got \"0000000000000000000000000000000g\"");
    EXPECT_EQ(error("_words\":8", "_words\":16777217"),
              "p.json: $.memory_words: expected a whole number in 0..16777216, got 16777217");
    EXPECT_EQ(program_error(std::string(100000, '[')).substr(0, 10), "p.json: $[");
    EXPECT_EQ(program_error("").substr(0, 11), "p.json: $: ");
}

TEST(IsaText, bad_data_of_a_program_file_is_refused) {
    const auto error = [](const std::string& from, const std::string& to) {
        return program_error(with(from, to));
    };
    for (const char* value : {"300", "-129", "true", "1.5"})
        EXPECT_EQ(error("[1,2]", std::string("[1,") + value + "]"),
                  std::string("p.json: $.data[0].values[1]: expected a whole number in -128..127, "
                              "got ") +
                      value);
    EXPECT_EQ(error("\"address\":0,", ""), "p.json: $.data[0]: the key \"address\" is missing");
    EXPECT_EQ(error("\"address\":0,", "\"address\":0,\"size\":2,"),
              "p.json: $.data[0].size: unknown key, the keys here are address, values");
    EXPECT_EQ(error("\"address\":0,", "\"address\":-1,"),
              "p.json: $.data[0].address: expected a whole number in 0..16777216, got -1");
    EXPECT_EQ(error("\"address\":0,", "\"address\":7,"),
              "p.json: $.data[0]: ends at word 9, outside the program's memory of 8");
    EXPECT_EQ(error("[1,2]", "[1,2]},{\"address\":1,\"values\":[3]"),
              "p.json: $.data[1]: two data blocks hold word 1");
    EXPECT_EQ(error("[1,2]", "[1,2]},{\"address\":0,\"values\":[3]"),
              "p.json: $.data[1]: two data blocks hold word 0");
    EXPECT_EQ(error("[1,2]", "[]"), "p.json: $.data[0]: a data block without values");
}

TEST(IsaText, names_that_assembler_text_cannot_hold_are_refused) {
    const std::string rule = kNameRule;
    for (const char* name : {"a;b", "a b", "a\\nb", "a\\tb", "a\\\"b", "a\\\\b", "\\u00e9"}) {
        const auto quoted = [&](const std::string& key) {
            return "\"" + key + "\":\"" + name + "\"";
        };
        const auto begins = [&](const std::string& from, const std::string& to,
                                const std::string& path) {
            const std::string error = program_error(with(from, to));
            EXPECT_EQ(error.substr(0, path.size()), path) << error;
            EXPECT_TRUE(error.ends_with(rule)) << error;
        };
        begins("\"name\":\"p\"", quoted("name"), "p.json: $.name: name \"");
        begins("\"target\":\"reference\"", quoted("target"), "p.json: $.target: target \"");
        begins("\"name\":\"y\"", quoted("name"), "p.json: $.symbols[0].name: symbol \"");
    }
    EXPECT_EQ(program_error(with("\"name\":\"p\"", "\"name\":\"\"")), "no error")
        << "a program need not have a name";
    EXPECT_NE(program_error(with("\"target\":\"reference\"", "\"target\":\"\"")), "no error");
    EXPECT_NE(program_error(with("\"name\":\"y\"", "\"name\":\"\"")), "no error");
}

TEST(IsaText, a_bad_symbol_of_a_program_file_is_named) {
    const auto error = [](const std::string& from, const std::string& to) {
        return program_error(with(from, to));
    };
    const std::string begins = "p.json: $.symbols[0]";
    EXPECT_EQ(error("\"cols\":2", "\"cols\":5"),
              begins + ": symbol \"y\": ends at word 9, outside the program's memory of 8");
    EXPECT_EQ(error("\"cols\":2", "\"cols\":2,\"col\":2"),
              begins +
                  ".col: symbol \"y\": unknown key, the keys here are kind, name, address, rows, "
                  "cols, scale");
    EXPECT_EQ(error("output", "outpt"),
              begins + ".kind: symbol \"y\": expected input, weight or output, got \"outpt\"");
    EXPECT_EQ(error("0.5", "-0.5"),
              begins + ".scale: symbol \"y\": a scale is finite and at least 0, got -0.5");
    EXPECT_EQ(error("0.5", "1e999"),
              begins + ".scale: symbol \"y\": number overflow parsing '1e999', got 1e999");
}

}  // namespace
}  // namespace capra::isa
