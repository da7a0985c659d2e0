// Tables, gates and choices explained in the words of the graph.
#include "isa/assembler.hpp"
#include "isa/error.hpp"
#include "sim/explain.hpp"
#include "sim/operand_names.hpp"

#include <gtest/gtest.h>

namespace capra::sim {
namespace {

using isa::Holds;
using isa::NodeNote;

/// h = silu(x); row = table[best[1]] of the three best of x; y = h .* row; z = y times best's
/// second value.
isa::Program gated() {
    isa::Program program = isa::assemble(
        ".memory 600\n.weight h.lut 4 256 1 0.125\n.weight table 300 5 4 0.25\n"
        "LD d=0 n=4 x=0\nLD d=256 n=256 x=4\nLUT d=8 a=0 b=256 n=4\nTOPK d=28 a=0 n=4 k=3\n"
        "LDX d=16 a=29 n=4 rows=5 x=300\nVMUL d=20 a=8 b=16 n=4 mult=1 shift=3\n"
        "VMUL d=24 a=20 b=32 n=4 mult=3 shift=2 bcast=1\nHALT\n",
        "t.s");
    program.notes = isa::Notes{
        .nodes =
            {NodeNote{.name = "x", .op = "input", .rows = 1, .cols = 4, .scale = 0.5},
             NodeNote{
                 .name = "h", .op = "silu", .inputs = {0}, .rows = 1, .cols = 4, .scale = 0.125},
             NodeNote{.name = "table", .op = "weight", .rows = 5, .cols = 4, .scale = 0.25},
             NodeNote{.name = "best", .op = "topk", .inputs = {0}, .rows = 1, .cols = 3},
             NodeNote{.name = "row",
                      .op = "lookup",
                      .inputs = {2, 3},
                      .rows = 1,
                      .cols = 4,
                      .scale = 0.25,
                      .position = 1},
             NodeNote{
                 .name = "y", .op = "mul", .inputs = {1, 4}, .rows = 1, .cols = 4, .scale = 0.25},
             NodeNote{.name = "z",
                      .op = "mul",
                      .inputs = {5, 3},
                      .rows = 1,
                      .cols = 4,
                      .scale = 1}},
        .instructions = {0, 1, 1, 3, 4, 5, 6, isa::kNoNode},
        .buffers = {{.value = 0, .scale_of = 0, .address = 0, .bytes = 4, .first = 0, .last = 3},
                    {.value = 1,
                     .scale_of = 1,
                     .holds = Holds::activation_table,
                     .address = 256,
                     .bytes = 256,
                     .first = 1,
                     .last = 2},
                    {.value = 1, .scale_of = 1, .address = 8, .bytes = 4, .first = 2, .last = 5},
                    {.value = 3,
                     .scale_of = 3,
                     .holds = Holds::winners,
                     .address = 28,
                     .bytes = 6,
                     .first = 3,
                     .last = 6},
                    {.value = 4, .scale_of = 4, .address = 16, .bytes = 4, .first = 4, .last = 5},
                    {.value = 5, .scale_of = 5, .address = 20, .bytes = 4, .first = 5, .last = 6},
                    {.value = 6, .scale_of = 6, .address = 24, .bytes = 4, .first = 6, .last = 6}}};
    return program;
}

std::vector<std::string> told(const isa::Program& program,
                              std::string ExplainedInstruction::*part) {
    std::vector<std::string> found;
    for (const auto& insn : explain(program, isa::reference_target()).instructions)
        found.push_back(insn.*part);
    return found;
}

TEST(SimExplainTables, tables_and_winners_are_called_after_their_nodes) {
    EXPECT_EQ(told(gated(), &ExplainedInstruction::what),
              (std::vector<std::string>{"x = ext[0:4]", "h.lut = ext h.lut", "h = h.lut[x]",
                                        "best = top 3 of x", "row = ext table[best[0, 1]]",
                                        "y = round(h * row * 0.125)",
                                        "z = round(y * best[1, 1] * 0.75)", "stop"}));
}

TEST(SimExplainTables, numbers_are_told_by_the_scales_they_come_from) {
    isa::Program program = gated();
    EXPECT_EQ(told(program, &ExplainedInstruction::why),
              (std::vector<std::string>{"", "", "x 0.5 to h 0.125", "indices, then values",
                                        "a row of 4; an index of 5 or more traps",
                                        "0.125 = 1 / 2^3 = h 0.125 * row 0.25 / y 0.25",
                                        // A winner is at the scale of what it was chosen from.
                                        "0.75 = 3 / 2^2 = y 0.25 * x 0.5 / z 1", ""}));
}

/// Why instruction `pc` has its numbers when buffer `i` is not known.
std::string why_without(std::size_t pc, std::size_t i) {
    isa::Program program = gated();
    program.notes->buffers.erase(program.notes->buffers.begin() + static_cast<std::ptrdiff_t>(i));
    return told(program, &ExplainedInstruction::why)[pc];
}

TEST(SimExplainTables, a_scale_that_notes_do_not_tell_is_left_out) {
    EXPECT_EQ(why_without(2, 0), "");
    EXPECT_EQ(why_without(2, 2), "");
    for (const std::size_t buffer : {2U, 4U, 5U})
        EXPECT_EQ(why_without(5, buffer), "0.125 = 1 / 2^3") << buffer;
    isa::Program program = gated();
    program.notes->nodes[3].inputs.clear();  // as a damaged file might
    EXPECT_EQ(told(program, &ExplainedInstruction::why)[6],
              "0.75 = 3 / 2^2 = y 0.25 * best 0 / z 1");
    program.notes.reset();
    EXPECT_EQ(told(program, &ExplainedInstruction::why)[2], "");
    EXPECT_EQ(told(program, &ExplainedInstruction::why)[5], "0.125 = 1 / 2^3");
}

TEST(SimExplainTables, buffers_have_the_shape_of_what_they_hold) {
    const isa::Notes notes = *gated().notes;
    const auto shape = [&](std::size_t i) {
        const Shape s = buffer_shape(notes, notes.buffers[i]);
        return std::pair{s.rows, s.cols};
    };
    EXPECT_EQ(shape(0), (std::pair{1U, 4U}));
    EXPECT_EQ(shape(1), (std::pair{256U, 1U}));
    EXPECT_EQ(shape(3), (std::pair{2U, 3U}));
    EXPECT_EQ(buffer_name(notes, notes.buffers[1]), "h.lut");
    EXPECT_EQ(buffer_name(notes, notes.buffers[3]), "best");
}

TEST(SimExplainTables, formulas_say_which_row_which_winner_and_which_column) {
    isa::Notes notes = *gated().notes;
    EXPECT_EQ(node_formula(notes, 1), "silu(x)");
    EXPECT_EQ(node_formula(notes, 3), "top 3 of x");
    EXPECT_EQ(node_formula(notes, 4), "table[best[1]]");
    EXPECT_EQ(node_formula(notes, 5), "h .* row");
    for (const char* op : {"argmax", "index"}) {
        notes.nodes[3].op = op;
        EXPECT_EQ(node_formula(notes, 4), "table[best]");
    }
    notes.nodes[4].op = "element";
    EXPECT_EQ(node_formula(notes, 4), "table[1]");
    notes.nodes[4].op = "topk_values";
    EXPECT_EQ(node_formula(notes, 4), "topk_values(table, best)");
    for (const char* op : {"element", "topk", "lookup", "mul"}) {
        notes.nodes[4] = {.name = "row", .op = op, .rows = 1, .cols = 4};
        EXPECT_EQ(node_formula(notes, 4), op[0] == 'm' ? "" : op) << "a damaged file";
    }
    notes.nodes[4] = {.name = "row", .op = "lookup", .inputs = {2}, .rows = 1, .cols = 4};
    EXPECT_EQ(node_formula(notes, 4), "lookup(table)");
}

}  // namespace
}  // namespace capra::sim
