// Notes of compiled programs: they say of every scratchpad cell what it holds when.
#include "compiler/lower.hpp"
#include "isa/check.hpp"
#include "tests/compiler_notes_support.hpp"
#include "tests/compiler_random_graph.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace capra::compiler {
namespace {

using namespace compiler_testing;
using isa::BufferNote;
using isa::Holds;
using isa::Notes;

/// What the cells of an access are, given whose they are: the column table of the matmul that
/// computed the accumulators last, an activation's table, a topk's winners, or a value.
Holds held(const isa::Program& program, std::uint32_t pc, const isa::Access& access,
           const isa::NodeNote& value) {
    const isa::Instruction insn = decoded(program, pc);
    const std::string& op = node_of(program, pc).op;
    const bool reads = access.use == isa::Use::read;
    if (insn.op == isa::Opcode::ld && op == "matmul") return Holds::column_table;
    if (insn.op == isa::Opcode::ld && is_activation(op)) return Holds::activation_table;
    if (insn.op == isa::Opcode::lut && reads && access.base == insn.b)
        return Holds::activation_table;
    const bool by_columns = insn.op == isa::Opcode::rqc || insn.op == isa::Opcode::amaxc ||
                            insn.op == isa::Opcode::topkc;
    if (by_columns && reads) return Holds::column_table;
    return value.op == "topk" ? Holds::winners : Holds::value;
}

/// The node of the last matrix multiply up to this instruction; none if there is none.
isa::NoteIndex last_product(const isa::Program& program, std::uint32_t pc) {
    while (decoded(program, pc).op != isa::Opcode::mm)
        if (pc-- == 0) return isa::kNoNode;
    return program.notes->instructions[pc];
}

/// Empty if every scratchpad access of the program is inside one buffer that is alive then, and
/// each buffer is written by its first instruction and touched by its last; and if each holds what
/// it is said to hold.
std::string problem_of_buffers(const isa::Program& program) {
    const std::vector<BufferNote>& buffers = program.notes->buffers;
    std::vector<bool> begun(buffers.size(), false);
    std::vector<bool> ended(buffers.size(), false);
    for (std::uint32_t pc = 0; pc < program.code.size(); ++pc) {
        for (const isa::Access& access : isa::accesses(decoded(program, pc))) {
            if (access.space != isa::Space::spad) continue;
            int around = 0;
            for (std::size_t i = 0; i < buffers.size(); ++i) {
                const BufferNote& b = buffers[i];
                if (pc < b.first || pc > b.last || access.base < b.address ||
                    access.end() > std::uint64_t{b.address} + b.bytes)
                    continue;
                ++around;
                if (b.holds != held(program, pc, access, program.notes->nodes[b.value]))
                    return fmt::format("something else in instruction {}", pc);
                if (b.holds == Holds::column_table && b.value != last_product(program, pc))
                    return fmt::format("the table of another matmul in instruction {}", pc);
                if (pc == b.first && access.use == isa::Use::write) begun[i] = true;
                if (pc == b.last) ended[i] = true;
            }
            if (around != 1) return fmt::format("{} buffers in instruction {}", around, pc);
        }
    }
    if (std::ranges::find(begun, false) != begun.end()) return "a buffer is not written first";
    if (std::ranges::find(ended, false) != ended.end()) return "a buffer is not used last";
    return "";
}

TEST(CompilerNotes, every_scratchpad_access_is_inside_one_living_buffer) {
    for (const isa::Program& program : compiled_programs())
        EXPECT_EQ(problem_of_buffers(program), "") << program.name;
}

RC_GTEST_PROP(CompilerNotes, buffers_of_random_graphs_are_true_too, ()) {
    const auto seed = *rc::gen::arbitrary<std::uint32_t>();
    const Graph graph = GraphFromChoices(*choices(), seed).build();
    std::mt19937 random(seed);
    const auto quantised = try_quantise(graph, {random_inputs(random, graph)}, *weight_scales());
    RC_PRE(quantised.has_value());
    isa::Target target = isa::reference_target(1U << 20);
    target.spad_bytes = 65536;
    target.acc_words = 65536;
    target.prog_words = 65535;
    RC_ASSERT(problem_of_buffers(lower(*quantised, target)) == "");
}

TEST(CompilerNotes, a_buffer_is_as_large_as_the_value_or_the_table_it_holds) {
    for (const isa::Program& program : compiled_programs())
        for (const BufferNote& b : program.notes->buffers) {
            const isa::NodeNote& value = program.notes->nodes[b.value];
            const bool pairs = b.holds == Holds::column_table || b.holds == Holds::winners;
            EXPECT_EQ(b.bytes, b.holds == Holds::activation_table
                                   ? 256
                                   : (pairs ? 2 : value.rows) * value.cols);
        }
}

TEST(CompilerNotes, every_matmul_by_a_weight_with_column_scales_has_one_table_of_its_own) {
    for (const isa::Program& program : compiled_programs()) {
        const Notes& notes = *program.notes;
        for (isa::NoteIndex id = 0; id < notes.nodes.size(); ++id) {
            const isa::NodeNote& node = notes.nodes[id];
            const bool by_columns =
                node.op == "matmul" && !notes.nodes[node.inputs[1]].column_scales.empty();
            EXPECT_EQ(std::ranges::count_if(notes.buffers,
                                            [&](const BufferNote& b) {
                                                return b.holds == Holds::column_table &&
                                                       b.value == id;
                                            }),
                      by_columns ? 1 : 0)
                << program.name << " " << node.name;
        }
    }
}

TEST(CompilerNotes, a_fused_relu_leaves_the_table_to_its_matmul) {
    const Notes notes = *compiled(expert(1), WeightScales::per_column).notes;
    std::vector<std::string> tables;
    for (const BufferNote& b : notes.buffers)
        if (b.holds == Holds::column_table) tables.push_back(notes.nodes[b.value].name);
    EXPECT_EQ(tables, (std::vector<std::string>{"up", "down", "scores_out"}));
    EXPECT_EQ(buffers_of(notes, "hidden").size(), 1U);
}

TEST(CompilerNotes, a_rescaled_operand_is_a_copy_at_the_scale_of_the_sum) {
    const Notes notes = *compiled(expert(1)).notes;
    const auto h = buffers_of(notes, "h");
    ASSERT_EQ(h.size(), 2U);
    EXPECT_EQ(h[0].scale_of, h[0].value);
    EXPECT_EQ(notes.nodes[h[1].scale_of].name, "y");
    EXPECT_EQ(h[1].first, h[0].last) << "copied by the last that reads h";
}

TEST(CompilerNotes, a_fused_relu_names_the_buffer_and_its_matmul_has_none) {
    const Notes notes = *compiled(expert(1)).notes;
    EXPECT_TRUE(buffers_of(notes, "up").empty());
    const auto hidden = buffers_of(notes, "hidden");
    ASSERT_EQ(hidden.size(), 1U);
    EXPECT_EQ(hidden[0].scale_of, hidden[0].value);
}

}  // namespace
}  // namespace capra::compiler
