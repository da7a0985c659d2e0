// Explained programs: operands by name where notes and symbols tell, and cycles that are the
// machine's.
#include "sim/explain.hpp"

#include "isa/assembler.hpp"
#include "isa/error.hpp"
#include "sim/engine.hpp"
#include "sim/operand_names.hpp"

#include <gtest/gtest.h>

namespace capra::sim {
namespace {

isa::Program assembled(const std::string& text) {
    return isa::assemble(".memory 64\n" + text, "t.s");
}

/// What every instruction computes.
std::vector<std::string> whats(const isa::Program& program) {
    std::vector<std::string> found;
    for (const auto& insn : explain(program, isa::reference_target()).instructions)
        found.push_back(insn.what);
    return found;
}

std::string what_of(const std::string& text) {
    return whats(assembled(text)).at(0);
}

TEST(SimExplain, without_notes_operands_are_cells) {
    EXPECT_EQ(what_of("LD d=8 n=4 x=16"), "spad[8:12] = ext[16:20]");
    EXPECT_EQ(what_of("ST a=8 n=1 x=16"), "ext[16:17] = spad[8:9]");
    EXPECT_EQ(what_of("VADD d=0 a=4 b=8 n=4"), "spad[0:4] = spad[4:8] + spad[8:12]");
    EXPECT_EQ(what_of("SM d=0 a=4 n=3 scale=5"), "spad[0:3] = softmax(spad[4:7])");
    EXPECT_EQ(what_of("AMAX d=9 a=4 n=3"), "spad[9:10] = argmax(spad[4:7])");
    EXPECT_EQ(what_of("RQ d=0 a=4 n=3 mult=3 shift=2"), "spad[0:3] = round(spad[4:7] * 0.75)");
    EXPECT_EQ(what_of("RQ d=0 a=4 n=3 mult=3 shift=1 acc=1 relu=1"),
              "spad[0:3] = relu(round(acc[4:7] * 1.5))");
    EXPECT_EQ(what_of("RQC d=0 a=4 b=16 n=6 cols=3 shift=9"),
              "spad[0:6] = round(acc[4:10] * spad[16:22] / 2^9)");
    EXPECT_EQ(what_of("RQC d=0 a=4 b=16 n=6 cols=3 shift=9 relu=1"),
              "spad[0:6] = relu(round(acc[4:10] * spad[16:22] / 2^9))");
    EXPECT_EQ(what_of("AMAXC d=9 a=4 b=16 n=3"), "spad[9:10] = argmax(acc[4:7] * spad[16:22])");
    EXPECT_EQ(what_of("VMUL d=0 a=4 b=8 n=4 mult=3 shift=2"),
              "spad[0:4] = round(spad[4:8] * spad[8:12] * 0.75)");
    EXPECT_EQ(what_of("VMUL d=0 a=4 b=8 n=4 mult=3 shift=2 bcast=1"),
              "spad[0:4] = round(spad[4:8] * spad[8:9] * 0.75)");
    EXPECT_EQ(what_of("TOPK d=9 a=16 n=5 k=2"), "spad[9:13] = top 2 of spad[16:21]");
    EXPECT_EQ(what_of("TOPKC d=9 a=4 b=16 n=3 k=2 shift=9"),
              "spad[9:13] = top 2 of acc[4:7] * spad[16:22]");
    EXPECT_EQ(what_of("HALT"), "stop");
}

TEST(SimExplain, tables_are_indexed_by_what_names_the_entry_or_the_row) {
    EXPECT_EQ(what_of("LUT d=0 a=4 b=16 n=3"), "spad[0:3] = spad[16:272][spad[4:7]]");
    EXPECT_EQ(what_of("LDX d=0 a=9 n=4 rows=3 x=16"), "spad[0:4] = ext[16:28][spad[9:10]]");
    EXPECT_EQ(what_of("LDX d=0 a=9 n=4 rows=3 x=16 wide=1"), "spad[0:4] = ext[16:28][spad[9:11]]");
    const std::string symbols = ".input at 2 1 1 1\n.weight table 16 3 4 1\n";
    EXPECT_EQ(what_of(symbols + "LDXW d=0 w=2 n=4 rows=3 x=16"), "spad[0:4] = ext table[ext at]");
}

TEST(SimExplain, rows_that_are_apart_are_shown_by_the_first_two_and_the_last) {
    EXPECT_EQ(what_of("MM d=0 a=0 b=32 k=3 m=2 n=4 sa=8 sb=16 sd=4"),
              "acc[0:8] = spad[0:3, 8:11] * spad[32:36, 48:52 .. 64:68]");
    EXPECT_EQ(what_of("MM d=0 a=0 b=32 k=3 m=2 n=3 sa=3 sb=5 sd=6 bt=1"),
              "acc[0:3, 6:9] = spad[0:6] * spad[32:35, 37:40 .. 42:45]^T");
    EXPECT_EQ(what_of("MM d=1 a=0 b=32 k=3 m=1 n=1 sa=9 sb=9 sd=9 bt=1"),
              "acc[1:2] = spad[0:3] * spad[32:35]^T");
}

TEST(SimExplain, external_words_are_named_by_the_symbol_that_holds_them_all) {
    const std::string symbols = ".input x 8 2 4 1\n.output y 16 1 4 1\n";
    EXPECT_EQ(what_of(symbols + "LD d=0 n=8 x=8"), "spad[0:8] = ext x");
    EXPECT_EQ(what_of(symbols + "LD d=0 n=4 x=12"), "spad[0:4] = ext x[1]");
    EXPECT_EQ(what_of(symbols + "LD d=0 n=2 x=13"), "spad[0:2] = ext x[1, 1:3]");
    EXPECT_EQ(what_of(symbols + "LD d=0 n=3 x=10"), "spad[0:3] = ext[10:13]") << "across rows";
    EXPECT_EQ(what_of(symbols + "LD d=0 n=9 x=8"), "spad[0:9] = ext[8:17]") << "across tensors";
    EXPECT_EQ(what_of(symbols + "LD d=0 n=2 x=7"), "spad[0:2] = ext[7:9]") << "begins before";
    EXPECT_EQ(what_of(symbols + "ST a=0 n=4 x=16"), "ext y = spad[0:4]");
    EXPECT_EQ(what_of(symbols + "ST a=0 n=1 x=17"), "ext y[:, 1] = spad[0:1]");
    EXPECT_EQ(what_of(".input x 9 2 4 1\nLD d=0 n=2 x=14"), "spad[0:2] = ext x[1, 1:3]");
    const std::string downwards = ".input x 8 2 4 1\n.input y 4 1 4 1\n";
    EXPECT_EQ(what_of(downwards + "LD d=0 n=4 x=4"), "spad[0:4] = ext y");
    EXPECT_EQ(what_of(downwards + "LD d=0 n=1 x=7"), "spad[0:1] = ext y[:, 3]");
    EXPECT_EQ(what_of(".input e 8 0 4 1\n.input x 8 2 4 1\nLD d=0 n=8 x=8"), "spad[0:8] = ext x")
        << "an empty symbol holds nothing";
}

/// q (2 x 3) at 0, w (3 x 4) at 8, y (2 x 4) at 24, all at once; the product, then y + y.
isa::Program noted() {
    isa::Program program = assembled(
        "LD d=0 n=6 x=0\nLD d=8 n=12 x=8\n"
        "MM d=0 a=0 b=8 k=3 m=2 n=2 sa=3 sb=4 sd=4\nMM d=2 a=0 b=10 k=3 m=2 n=2 sa=3 sb=4 sd=4\n"
        "RQ d=24 a=0 n=8 mult=3 shift=4 acc=1\nRQ d=32 a=24 n=8 mult=1 shift=1\n"
        "VADD d=40 a=32 b=24 n=8\nSM d=48 a=44 n=4 scale=7\nHALT\n");
    using isa::NodeNote;
    program.notes = isa::Notes{
        .nodes =
            {NodeNote{.name = "q", .op = "input", .rows = 2, .cols = 3, .scale = 0.5},
             NodeNote{.name = "w", .op = "weight", .rows = 3, .cols = 4, .scale = 0.25},
             NodeNote{.name = "y",
                      .op = "matmul",
                      .inputs = {0, 1},
                      .rows = 2,
                      .cols = 4,
                      .scale = 0.125,
                      .factor = 0.1875},
             NodeNote{
                 .name = "z", .op = "add", .inputs = {2, 2}, .rows = 2, .cols = 4, .scale = 0.0625},
             NodeNote{.name = "s",
                      .op = "softmax",
                      .inputs = {3},
                      .rows = 1,
                      .cols = 4,
                      .scale = 0.03125}},
        .instructions = {0, 1, 2, 2, 2, 3, 3, 4, isa::kNoNode},
        .buffers = {{.value = 0, .scale_of = 0, .address = 0, .bytes = 6, .first = 0, .last = 3},
                    {.value = 1, .scale_of = 1, .address = 8, .bytes = 12, .first = 1, .last = 3},
                    {.value = 2, .scale_of = 2, .address = 24, .bytes = 8, .first = 4, .last = 6},
                    {.value = 2, .scale_of = 3, .address = 32, .bytes = 8, .first = 5, .last = 6},
                    {.value = 3, .scale_of = 3, .address = 40, .bytes = 8, .first = 6, .last = 7},
                    {.value = 4, .scale_of = 4, .address = 48, .bytes = 4, .first = 7, .last = 7}}};
    return program;
}

TEST(SimExplain, with_notes_operands_are_tensors_and_their_slices) {
    EXPECT_EQ(whats(noted()),
              (std::vector<std::string>{
                  "q = ext[0:6]", "w = ext[8:20]", "acc[:, 0:2] = q * w[:, 0:2]",
                  "acc[:, 2:4] = q * w[:, 2:4]", "y = round(acc * 0.1875)", "y@z = round(y * 0.5)",
                  "z = y@z + y", "s = softmax(z[1])", "stop"}));
}

TEST(SimExplain, a_slice_has_a_row_a_column_or_both) {
    isa::Program program = noted();
    const auto name = [&](std::uint32_t base, std::uint32_t rows, std::uint32_t cols,
                          std::uint32_t stride) {
        return operand_name(program, 2,
                            {isa::Use::read, isa::Space::spad, base, rows, cols, stride});
    };
    EXPECT_EQ(name(8, 3, 4, 4), "w");
    EXPECT_EQ(name(8, 2, 4, 4), "w[0:2]");
    EXPECT_EQ(name(12, 2, 4, 4), "w[1:3]");
    EXPECT_EQ(name(16, 1, 4, 0), "w[2]");
    EXPECT_EQ(name(8, 1, 8, 0), "w[0:2]") << "two rows in one go";
    EXPECT_EQ(name(13, 2, 2, 4), "w[1:3, 1:3]");
    EXPECT_EQ(name(13, 2, 3, 4), "w[1:3, 1:4]");
    EXPECT_EQ(name(14, 1, 2, 0), "w[1, 2:4]");
    EXPECT_EQ(name(19, 1, 1, 0), "w[2, 3]");
    EXPECT_EQ(name(9, 3, 1, 4), "w[:, 1]");
    EXPECT_EQ(name(8, 3, 3, 4), "w[:, 0:3]");
    EXPECT_EQ(name(9, 1, 4, 0), "spad[9:13]") << "across two rows";
    EXPECT_EQ(name(9, 2, 4, 4), "spad[9:17]") << "and more of them";
    EXPECT_EQ(name(8, 2, 2, 8), "spad[8:10, 16:18]") << "rows that are not the tensor's";
    EXPECT_EQ(name(7, 1, 4, 0), "spad[7:11]") << "begins before the buffer";
    EXPECT_EQ(name(16, 1, 5, 0), "spad[16:21]") << "ends behind it";
    program.notes->buffers[1].bytes = 16;
    EXPECT_EQ(name(20, 1, 4, 0), "spad[20:24]") << "in the buffer, not in the tensor";
}

TEST(SimExplain, a_buffer_is_known_from_its_first_instruction_to_its_last) {
    const isa::Program program = noted();
    const isa::Access q{isa::Use::read, isa::Space::spad, 0, 1, 6, 0};
    const isa::Access z{isa::Use::read, isa::Space::spad, 40, 1, 8, 0};
    EXPECT_EQ(operand_name(program, 3, q), "q");
    EXPECT_EQ(operand_name(program, 4, q), "spad[0:6]");
    EXPECT_EQ(operand_name(program, 5, z), "spad[40:48]");
    EXPECT_EQ(operand_name(program, 6, z), "z");
}

TEST(SimExplain, a_buffer_holds_an_access_from_its_first_cell_on) {
    isa::Notes notes = *noted().notes;
    std::swap(notes.buffers[0], notes.buffers[1]);
    notes.buffers[1].bytes = 8;
    const auto around = [&](std::uint32_t base, std::uint32_t cells) {
        return buffer_of(notes, 2, {isa::Use::read, isa::Space::spad, base, 1, cells, 0});
    };
    EXPECT_EQ(around(7, 1), &notes.buffers[1]);
    EXPECT_EQ(around(8, 1), notes.buffers.data());
    EXPECT_EQ(around(19, 1), notes.buffers.data());
    EXPECT_EQ(around(19, 2), nullptr);
    EXPECT_EQ(around(7, 2), nullptr);
}

TEST(SimExplain, accumulators_are_the_matrix_of_the_instructions_node) {
    isa::Program program = noted();
    program.notes->instructions[2] = isa::kNoNode;
    EXPECT_EQ(whats(program)[2], "acc[0:2, 4:6] = q * w[:, 0:2]");
}

TEST(SimExplain, accumulators_are_no_matrix_before_there_is_one) {
    isa::Program program = noted();
    program.code = assembled("RQ d=24 a=0 n=8 mult=3 shift=4 acc=1\nHALT\n").code;
    program.notes->instructions = {2, isa::kNoNode};
    EXPECT_EQ(whats(program)[0], "spad[24:32] = round(acc[0:8] * 0.1875)");
}

std::vector<std::string> whys(const isa::Program& program) {
    std::vector<std::string> found;
    for (const auto& insn : explain(program, isa::reference_target()).instructions)
        if (!insn.why.empty()) found.push_back(insn.why);
    return found;
}

TEST(SimExplain, factors_are_the_ratio_of_the_scales_that_notes_tell) {
    EXPECT_EQ(whys(noted()), (std::vector<std::string>{
                                 "0.1875 = 3 / 2^4 = 0.1875 * q 0.5 * w 0.25 / y 0.125",
                                 "0.5 = 1 / 2^1 = y 0.125 / z 0.0625",
                                 "one step is 7 / 2^20 = 6.676e-06 in log2 = z 0.0625 / ln 2"}));
    isa::Program plain = noted();
    plain.notes->nodes[2].factor = 1;
    EXPECT_EQ(whys(plain)[0], "0.1875 = 3 / 2^4 = q 0.5 * w 0.25 / y 0.125");
}

TEST(SimExplain, a_factor_stands_alone_where_notes_do_not_tell) {
    isa::Program program = noted();
    program.notes.reset();
    EXPECT_EQ(whys(program),
              (std::vector<std::string>{"0.1875 = 3 / 2^4", "0.5 = 1 / 2^1",
                                        "one step is 7 / 2^20 = 6.676e-06 in log2"}));
    program = noted();
    program.notes->buffers.clear();
    EXPECT_EQ(whys(program)[0], "0.1875 = 3 / 2^4");
    EXPECT_EQ(whys(program)[2], "one step is 7 / 2^20 = 6.676e-06 in log2");
    program = noted();
    program.notes->instructions[4] = isa::kNoNode;
    EXPECT_EQ(whys(program)[0], "0.1875 = 3 / 2^4");
    program = noted();
    program.notes->instructions[4] = 4;
    EXPECT_EQ(whys(program)[0], "0.1875 = 3 / 2^4") << "sums of a node with one operand";
    program = noted();
    program.notes->buffers.erase(program.notes->buffers.begin() + 2);
    EXPECT_EQ(whys(program)[1], "0.5 = 1 / 2^1") << "from somewhere";
}

TEST(SimExplain, what_a_name_does_not_tell_stands_beside_it) {
    EXPECT_EQ(whys(assembled("LDX d=0 a=9 n=4 rows=3 x=16\nLDXW d=0 w=2 n=5 rows=2 x=16\n"
                             "VMUL d=0 a=4 b=8 n=4 mult=3 shift=2\nTOPK d=9 a=16 n=5 k=2\n"
                             "TOPKC d=9 a=4 b=16 n=3 k=2 shift=9\n"
                             "LUT d=0 a=4 b=16 n=3\nVADD d=0 a=4 b=8 n=4\nHALT\n")),
              (std::vector<std::string>{"a row of 4; an index of 3 or more traps",
                                        "a row of 5; an index of 2 or more traps", "0.75 = 3 / 2^2",
                                        "indices, then values", "indices, then values / 2^9"}));
}

TEST(SimExplain, cycles_and_totals_are_the_machines) {
    const isa::Program program = noted();
    const Explanation explanation = explain(program, isa::reference_target());
    const Result result = make_engine("model", isa::reference_target())
                              ->run_one(program, std::vector<std::int32_t>(64, 1));
    ASSERT_EQ(explanation.instructions.size(), result.trace.size());
    std::uint64_t before = 0;
    for (std::size_t i = 0; i < result.trace.size(); ++i) {
        EXPECT_EQ(explanation.instructions[i].pc, i);
        EXPECT_EQ(explanation.instructions[i].node, program.notes->instructions[i]);
        EXPECT_EQ(explanation.instructions[i].total, result.trace[i].cycle);
        EXPECT_EQ(explanation.instructions[i].cycles, result.trace[i].cycle - before);
        before = result.trace[i].cycle;
    }
    EXPECT_EQ(explanation.counters, result.counters);
    EXPECT_EQ(explanation.end, result.status);
}

TEST(SimExplain, a_trap_ends_the_explanation_and_is_paid_for) {
    const isa::Program program = assembled("LD d=0 n=4 x=0\nLD d=8190 n=4 x=0\nHALT\n");
    const Explanation explanation = explain(program, isa::reference_target());
    ASSERT_EQ(explanation.instructions.size(), 1U);
    EXPECT_EQ(explanation.instructions[0].node, isa::kNoNode);
    EXPECT_EQ(explanation.end.trap, isa::Trap::spad_range);
    EXPECT_EQ(explanation.counters.total, explanation.instructions[0].total + 2);
    EXPECT_THROW(explain(program, isa::reference_target(32)), Error) << "64 words of memory";
}

TEST(SimExplain, formulas_are_infix_for_products_and_sums) {
    isa::Notes notes = *noted().notes;
    EXPECT_EQ(node_formula(notes, 0), "input");
    EXPECT_EQ(node_formula(notes, 2), "0.1875 * q * w");
    EXPECT_EQ(node_formula(notes, 3), "y + y");
    EXPECT_EQ(node_formula(notes, 4), "softmax(z)");
    notes.nodes[2].factor = 1;
    notes.nodes[2].transpose_b = true;
    EXPECT_EQ(node_formula(notes, 2), "q * w^T");
    notes.nodes[3].op = "concat_rows";
    EXPECT_EQ(node_formula(notes, 3), "concat_rows(y, y)");
}

}  // namespace
}  // namespace capra::sim
