// Notes of compiled programs: they say of every instruction and every cell what the graph says.
#include "compiler/compile.hpp"
#include "compiler/lower.hpp"
#include "isa/check.hpp"
#include "isa/codec.hpp"
#include "isa/error.hpp"
#include "isa/names.hpp"
#include "tests/compiler_random_graph.hpp"
#include "tests/compiler_support.hpp"

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

constexpr WeightScales kBoth[] = {WeightScales::per_tensor, WeightScales::per_column};

isa::Program compiled(const Graph& graph, WeightScales scales = WeightScales::per_tensor) {
    return compile(graph, some_ranges(graph), isa::reference_target(1U << 16), scales);
}

std::vector<Graph> chapter_graphs() {
    return {attention_router(1), attention_router(8), expert(1), expert(6), dense(3)};
}

isa::Instruction decoded(const isa::Program& program, std::size_t pc) {
    return *isa::decode(program.code[pc]);
}

const isa::NodeNote& node_of(const isa::Program& program, std::size_t pc) {
    return program.notes->nodes[program.notes->instructions[pc]];
}

/// The chapter's programs, with one scale a weight and one a column.
std::vector<isa::Program> chapter_programs() {
    std::vector<isa::Program> programs;
    for (const Graph& graph : chapter_graphs())
        for (const WeightScales scales : kBoth) programs.push_back(compiled(graph, scales));
    return programs;
}

/// The buffers of values with this name, in program order.
std::vector<BufferNote> buffers_of(const Notes& notes, const std::string& name) {
    std::vector<BufferNote> found;
    for (const BufferNote& buffer : notes.buffers)
        if (buffer.holds == Holds::value && notes.nodes[buffer.value].name == name)
            found.push_back(buffer);
    return found;
}

TEST(CompilerNotes, nodes_are_the_graphs_with_the_scales_of_its_quantisation) {
    for (const Graph& graph : chapter_graphs())
        for (const WeightScales scales : kBoth) {
            const QuantisedGraph quantised = quantise(graph, some_ranges(graph), scales);
            const Notes notes = *lower(quantised, isa::reference_target(1U << 16)).notes;
            ASSERT_EQ(notes.nodes.size(), graph.nodes.size());
            for (NodeId id = 0; id < graph.nodes.size(); ++id) {
                const Node& node = graph.nodes[id];
                const QuantisedNode& q = quantised.nodes[id];
                EXPECT_EQ(notes.nodes[id],
                          (isa::NodeNote{.name = node.name,
                                         .op = std::string(op_name(node.op)),
                                         .inputs = node.inputs,
                                         .rows = node.rows,
                                         .cols = node.cols,
                                         .scale = q.scale,
                                         .column_scales = q.column_scales,
                                         .factor = node.scale,
                                         .transpose_b = node.transpose_b,
                                         .in_place = node.op == Op::relu && q.fused_relu}));
            }
        }
}

TEST(CompilerNotes, a_relu_is_in_place_only_where_the_requantise_before_it_does_it) {
    const Notes fused = *compiled(expert(1)).notes;
    for (const isa::NodeNote& node : fused.nodes) EXPECT_EQ(node.in_place, node.op == "relu");
    GraphBuilder b("apart");
    const NodeId x = b.input("x", 1, 4);
    b.output("y", b.relu("r", x));
    const Notes apart = *compiled(b.build()).notes;
    for (const isa::NodeNote& node : apart.nodes) EXPECT_FALSE(node.in_place);
}

/// What a load of this node's reads; of a matmul, that is its column table.
const isa::Symbol& loaded_symbol(const isa::Program& program, std::size_t pc) {
    const isa::NodeNote& node = node_of(program, pc);
    return isa::find_symbol(program,
                            node.op == "input" ? isa::SymbolKind::input : isa::SymbolKind::weight,
                            node.op == "matmul" ? isa::column_table_name(node.name) : node.name);
}

TEST(CompilerNotes, instructions_belong_to_the_node_they_compute_and_loads_to_what_they_load) {
    for (const isa::Program& program : chapter_programs()) {
        ASSERT_EQ(program.notes->instructions.size(), program.code.size());
        EXPECT_EQ(program.notes->instructions.back(), isa::kNoNode) << "HALT";
        for (std::size_t pc = 0; pc + 1 < program.code.size(); ++pc) {
            const std::string op = node_of(program, pc).op;
            switch (decoded(program, pc).op) {
                case isa::Opcode::ld:
                    EXPECT_TRUE(op == "input" || op == "weight" || op == "matmul") << op;
                    EXPECT_EQ(decoded(program, pc).x, loaded_symbol(program, pc).address);
                    break;
                case isa::Opcode::st:
                    EXPECT_EQ(op, "output");
                    break;
                case isa::Opcode::mm:
                    EXPECT_EQ(op, "matmul");
                    break;
                case isa::Opcode::rq:
                    EXPECT_TRUE(op == "matmul" || op == "add" || op == "concat_rows") << op;
                    break;
                case isa::Opcode::rqc:
                    EXPECT_EQ(op, "matmul");
                    break;
                case isa::Opcode::vadd:
                    EXPECT_EQ(op, "add");
                    break;
                case isa::Opcode::sm:
                    EXPECT_EQ(op, "softmax");
                    break;
                case isa::Opcode::amax:
                case isa::Opcode::amaxc:
                    EXPECT_EQ(op, "argmax");
                    break;
                default:
                    ADD_FAILURE() << "no node is compiled to "
                                  << isa::row_of(decoded(program, pc).op).mnemonic;
            }
        }
    }
}

bool is_activation(const std::string& op) {
    return op == "silu" || op == "sigmoid" || op == "gelu";
}

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
    for (const isa::Program& program : chapter_programs())
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
    for (const isa::Program& program : chapter_programs())
        for (const BufferNote& b : program.notes->buffers) {
            const isa::NodeNote& value = program.notes->nodes[b.value];
            EXPECT_EQ(b.bytes, (b.holds == Holds::column_table ? 2 : value.rows) * value.cols);
        }
}

TEST(CompilerNotes, every_matmul_by_a_weight_with_column_scales_has_one_table_of_its_own) {
    for (const isa::Program& program : chapter_programs()) {
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

/// What compiling says of y = x w when matmul and weight have these names.
std::string named(const std::string& matmul, const std::string& weight, WeightScales scales) {
    GraphBuilder b("g");
    const NodeId x = b.input("x", 1, 2);
    b.output("out", b.matmul(matmul, x, b.weight(weight, {2, 2, {1, 2, 3, 4}})));
    const Graph graph = b.build();
    try {
        compile(graph, some_ranges(graph), isa::reference_target(), scales);
    } catch (const Error& error) {
        return error.what();
    }
    return "nothing was refused";
}

TEST(CompilerNotes, a_table_without_a_name_of_its_own_is_refused) {
    const std::string longest(59, 'y');
    EXPECT_EQ(named(longest, "w", WeightScales::per_column), "nothing was refused");
    EXPECT_EQ(named(longest + "y", "w", WeightScales::per_column),
              "graph \"g\": node \"" + longest +
                  "y\": its table needs a name of at most 64 characters, not " + longest +
                  "y.mult");
    EXPECT_EQ(named(longest + "yyyyy", "w", WeightScales::per_tensor), "nothing was refused");
    EXPECT_EQ(named("y", "y.mult", WeightScales::per_column),
              "graph \"g\": node \"y\": two weights or tables would be called y.mult");
    EXPECT_EQ(named("y", "y.mult", WeightScales::per_tensor), "nothing was refused");
    EXPECT_EQ(named("y", "w", WeightScales::per_column), "nothing was refused");
}

TEST(CompilerNotes, a_cache_is_loaded_into_the_buffer_of_its_concatenation) {
    const isa::Program program = compiled(attention_router(8));
    EXPECT_TRUE(buffers_of(*program.notes, "k_cache").empty());
    const auto k = buffers_of(*program.notes, "k_all");
    ASSERT_EQ(k.size(), 1U);
    EXPECT_EQ(k[0].bytes, 8U * 16U);
    EXPECT_EQ(node_of(program, k[0].first).name, "k_cache");
}

}  // namespace
}  // namespace capra::compiler
