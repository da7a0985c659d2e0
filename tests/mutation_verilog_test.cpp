// Verilog mutants: tokens lose nothing, and changes are what they say.
#include "isa/error.hpp"
#include "isa/files.hpp"
#include "mutation/verilog_parse.hpp"
#include "mutation/verilog_schema.hpp"
#include "tests/mutation_verilog_support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace capra::mutation {
namespace {

/// A module with 8-bit inputs a and b, a one-bit input s, and these items.
VerilogFile module_of(const std::string& items) {
    return file_of(
        "module t (input wire clk_i, input wire rst_i, input wire s,\n"
        "  input wire [7:0] a, input wire [7:0] b, output wire [7:0] y);\n" +
        items + "endmodule\n");
}

/// "original -> replacement" of every mutant of an operator.
std::vector<std::string> changes(const VerilogFile& file, const std::string& op) {
    std::vector<std::string> found;
    for (const Mutant& mutant : find_mutants(file))
        if (mutant.op == op) found.push_back(mutant.original + " -> " + mutant.replacement);
    return found;
}

std::string error_of(const std::string& text) {
    try {
        file_of(text);
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

using Changes = std::vector<std::string>;

TEST(MutationVerilogTokens, tokens_reproduce_every_file_byte_for_byte) {
    ASSERT_FALSE(rtl_paths().empty());
    for (const std::string& path : rtl_paths()) {
        const SourceFile source{path, read_file(path)};
        std::string joined;
        std::size_t next = 0;
        for (const Token& token : tokenize(source)) {
            EXPECT_EQ(token.span.begin, next) << path;
            next = token.span.end;
            joined += source.at(token.span);
        }
        EXPECT_EQ(joined, source.text) << path;
    }
}

TEST(MutationVerilogTokens, positions_count_lines_and_columns_from_one) {
    const SourceFile source{"f.v", "ab\n\ncd"};
    EXPECT_EQ(source.position(0).line, 1u);
    EXPECT_EQ(source.position(1).column, 2u);
    EXPECT_EQ(source.position(3).line, 2u);
    EXPECT_EQ(source.position(5).line, 3u);
    EXPECT_EQ(source.position(5).column, 2u);
}

TEST(MutationVerilogMutants, every_span_holds_its_original_and_something_else_replaces_it) {
    std::size_t count = 0;
    for (const std::string& path : rtl_paths()) {
        const VerilogFile file = load_verilog(path);
        for (const Mutant& mutant : find_mutants(file)) {
            EXPECT_EQ(file.source.at({mutant.begin, mutant.end}), mutant.original) << mutant.id;
            EXPECT_NE(apply_mutant(file.source.text, mutant), file.source.text) << mutant.id;
            EXPECT_EQ(file.source.position(mutant.begin).line, mutant.line);
            ++count;
        }
    }
    EXPECT_GE(count, 600u);
}

TEST(MutationVerilogMutants, ids_and_changes_are_unique_and_stable) {
    std::set<std::string> ids;
    std::set<std::string> texts;
    std::size_t count = 0;
    for (const std::string& path : rtl_paths()) {
        const auto mutants = find_mutants(load_verilog(path));
        EXPECT_EQ(mutants, find_mutants(load_verilog(path)));
        for (const Mutant& mutant : mutants) {
            ids.insert(mutant.id);
            texts.insert(mutant.file + std::to_string(mutant.begin) + "-" +
                         std::to_string(mutant.end) + mutant.replacement);
            ++count;
        }
    }
    EXPECT_EQ(ids.size(), count);
    EXPECT_EQ(texts.size(), count);
}

TEST(MutationVerilogMutants, an_id_names_file_line_column_operator_and_turn) {
    const auto mutants = find_mutants(module_of("assign y = a < b;\n"));
    ASSERT_FALSE(mutants.empty());
    EXPECT_EQ(mutants[0].id, "rtl/t.v:3:14:relational:0");
    EXPECT_EQ(mutants[1].id, "rtl/t.v:3:14:relational:1");
}

TEST(MutationVerilogMutants, a_patch_is_refused_when_its_place_has_changed) {
    VerilogFile file = module_of("assign y = a < b;\n");
    const Mutant mutant = find_mutants(file).front();
    file.source.text.insert(0, " ");
    EXPECT_THROW(apply_mutant(file.source.text, mutant), Error);
}

TEST(MutationVerilogOperators, relational_moves_the_border_or_turns_around) {
    EXPECT_EQ(changes(module_of("assign y = a < b;\n"), "relational"),
              (Changes{"< -> <=", "< -> >="}));
    EXPECT_EQ(changes(module_of("assign y = a == b;\n"), "relational"), (Changes{"== -> !="}));
}

TEST(MutationVerilogOperators, arithmetic_bitwise_and_swap_exchange_what_they_name) {
    const VerilogFile file = module_of("assign y = (a - b) & (a >> 1);\n");
    EXPECT_EQ(changes(file, "arithmetic"), (Changes{"- -> +", ">> -> <<"}));
    EXPECT_EQ(changes(file, "bitwise"), (Changes{"& -> |", "& -> ^"}));
    EXPECT_EQ(changes(file, "operand_swap"), (Changes{"a - b -> b - a", "a >> 1 -> 1 >> a"}));
}

TEST(MutationVerilogOperators, logical_exchanges_and_drops_terms_and_negations) {
    EXPECT_EQ(
        changes(module_of("wire w = s && !rst_i;\n"), "logical"),
        (Changes{"&& -> ||", "s && !rst_i -> s", "s && !rst_i -> !rst_i", "!rst_i -> rst_i"}));
}

TEST(MutationVerilogOperators, logical_leaves_out_one_term_of_a_chain_at_a_time) {
    EXPECT_EQ(changes(module_of("wire w = s || rst_i || clk_i;\n"), "logical"),
              (Changes{"|| -> &&", "s || rst_i || clk_i -> s || rst_i", "|| -> &&",
                       "s || rst_i -> s", "s || rst_i -> rst_i"}));
}

TEST(MutationVerilogOperators, constant_wraps_within_its_width) {
    EXPECT_EQ(changes(module_of("assign y = a ^ 8'd0;\n"), "constant"),
              (Changes{"8'd0 -> 8'd1", "8'd0 -> 8'd255"}));
    EXPECT_EQ(changes(module_of("assign y = a ^ 8'hff;\n"), "constant"),
              (Changes{"8'hff -> 8'h0", "8'hff -> 8'hfe"}));
    EXPECT_EQ(changes(module_of("wire w = s ^ 1'b1;\n"), "constant"), (Changes{"1'b1 -> 1'b0"}));
}

TEST(MutationVerilogOperators, a_constant_in_reset_is_a_reset_value) {
    const VerilogFile file =
        module_of("reg q; always @(posedge clk_i) if (rst_i) q <= 1'b0; else q <= 1'b1;\n");
    EXPECT_EQ(changes(file, "reset_value"), (Changes{"1'b0 -> 1'b1"}));
    EXPECT_EQ(changes(file, "constant"), (Changes{"1'b1 -> 1'b0"}));
    EXPECT_EQ(changes(file, "condition_negation"), (Changes{"rst_i -> !(rst_i)"}));
    EXPECT_EQ(changes(file, "statement_deletion"), (Changes{"q <= 1'b0; -> ;", "q <= 1'b1; -> ;"}));
}

TEST(MutationVerilogOperators, a_state_is_redirected_to_its_neighbours) {
    const VerilogFile file = module_of(
        "localparam [1:0] ST_A = 2'd0; localparam [1:0] ST_B = 2'd1;\n"
        "localparam [1:0] ST_C = 2'd2; localparam [7:0] ST_WIDE = 8'd3;\n"
        "reg [1:0] q; always @* q = ST_A; wire is_c = q == ST_C;\n");
    EXPECT_EQ(changes(file, "state_redirect"), (Changes{"ST_A -> ST_B", "ST_A -> ST_C"}));
    EXPECT_EQ(changes(file, "constant"), (Changes{"ST_C -> ST_A"}));
}

TEST(MutationVerilogOperators, signedness_is_dropped_from_casts_literals_and_extensions) {
    const VerilogFile file =
        module_of("wire w = $signed(a) < 8'sd3; wire [15:0] x = {{8{a[7]}}, a};\n");
    EXPECT_EQ(changes(file, "signedness_drop"),
              (Changes{"$signed(a) -> (a)", "8'sd3 -> 8'd3", "a[7] -> 1'b0"}));
}

TEST(MutationVerilogOperators, off_by_one_moves_bounds_copies_and_selects) {
    EXPECT_EQ(changes(module_of("wire w = a < b;\n"), "off_by_one"),
              (Changes{"b -> (b + 1'b1)", "b -> (b - 1'b1)"}));
    EXPECT_EQ(changes(module_of("reg [7:0] q; always @(posedge clk_i) q <= a;\n"), "off_by_one"),
              (Changes{"a -> a + 1'b1"}));
    EXPECT_EQ(changes(module_of("wire [1:0] w = ~a[2:1];\n"), "off_by_one"),
              (Changes{"2:1 -> 3:2", "2:1 -> 1:0"}));
}

TEST(MutationVerilogOperators, a_stuck_bit_leaves_signed_values_alone) {
    EXPECT_EQ(changes(module_of("assign y = a + b;\n"), "stuck_bit"),
              (Changes{"a + b -> (a + b) | 1'b1"}));
    EXPECT_EQ(changes(module_of("assign y = $signed(a) + 8'd1;\n"), "stuck_bit"), Changes{});
    EXPECT_EQ(changes(module_of("wire w = a < b;\n"), "stuck_bit"),
              (Changes{"a < b -> 1'b0", "a < b -> 1'b1"}));
}

TEST(MutationVerilogOperators, assertions_comments_and_parameters_are_left_alone) {
    EXPECT_TRUE(find_mutants(module_of("`ASSERT(x, a < b)\n// a < b\n"
                                       "localparam [7:0] K = 8'd1 + 8'd2;\n"))
                    .empty());
}

TEST(MutationVerilogParser, what_is_not_understood_is_an_error_with_its_place) {
    EXPECT_EQ(error_of("module t (input wire a);\n  initial a = 1;\nendmodule\n"),
              "rtl/t.v:2:3: expected a module item, found 'initial'");
    EXPECT_EQ(error_of("module t (input wire a);\n  wire w = a +;\nendmodule\n"),
              "rtl/t.v:2:15: expected an expression, found ';'");
    EXPECT_EQ(error_of("module t (input wire a);\n"),
              "rtl/t.v:2:1: expected a module item, found the end of the file");
    EXPECT_EQ(error_of("module t (input wire a); \\x\n"),
              "rtl/t.v:1:26: character 0x5c has no meaning");
    EXPECT_EQ(error_of("/* x"), "rtl/t.v:1:1: it is never closed");
    EXPECT_EQ(error_of("module t (input wire a); always @(a) begin end endmodule"),
              "rtl/t.v:1:35: expected 'posedge', found 'a'");
    EXPECT_EQ(error_of("module t (input wire a); always @* forever x = 1; endmodule"),
              "rtl/t.v:1:44: expected '=', found 'x'");
}

}  // namespace
}  // namespace capra::mutation
