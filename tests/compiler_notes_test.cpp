// Notes of compiled programs: they say of every node and instruction what the graph says.
#include "compiler/lower.hpp"
#include "isa/error.hpp"
#include "isa/names.hpp"
#include "tests/compiler_notes_support.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace capra::compiler {
namespace {

using namespace compiler_testing;
using isa::BufferNote;
using isa::Holds;
using isa::Notes;

TEST(CompilerNotes, nodes_are_the_graphs_with_the_scales_of_its_quantisation) {
    for (const Graph& graph : compiled_graphs())
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
                                         .position = node.position,
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
                            node.op == "matmul"      ? isa::column_table_name(node.name)
                            : is_activation(node.op) ? isa::activation_table_name(node.name)
                                                     : node.name);
}

/// The operations whose nodes compute with this instruction; of LD and ST, whose values they move.
std::set<std::string> operations_with(isa::Opcode op) {
    switch (op) {
        case isa::Opcode::ld:
            return {"input", "weight", "matmul", "silu", "sigmoid", "gelu"};
        case isa::Opcode::st:
            return {"output"};
        case isa::Opcode::mm:
        case isa::Opcode::rqc:
            return {"matmul"};
        case isa::Opcode::rq:
            return {"matmul", "add", "concat_rows"};
        case isa::Opcode::vadd:
            return {"add"};
        case isa::Opcode::sm:
            return {"softmax"};
        case isa::Opcode::amax:
        case isa::Opcode::amaxc:
            return {"argmax"};
        case isa::Opcode::vmul:
            return {"mul"};
        case isa::Opcode::lut:
            return {"silu", "sigmoid", "gelu"};
        case isa::Opcode::topk:
        case isa::Opcode::topkc:
            return {"topk"};
        case isa::Opcode::ldx:
        case isa::Opcode::ldxw:
            return {"lookup"};
        case isa::Opcode::halt:
            break;
    }
    return {};
}

TEST(CompilerNotes, instructions_belong_to_the_node_they_compute_and_loads_to_what_they_load) {
    for (const isa::Program& program : compiled_programs()) {
        ASSERT_EQ(program.notes->instructions.size(), program.code.size());
        EXPECT_EQ(program.notes->instructions.back(), isa::kNoNode) << "HALT";
        for (std::size_t pc = 0; pc + 1 < program.code.size(); ++pc) {
            const isa::Instruction insn = decoded(program, pc);
            EXPECT_TRUE(operations_with(insn.op).contains(node_of(program, pc).op))
                << program.name << " pc " << pc << ": " << node_of(program, pc).op;
            if (insn.op != isa::Opcode::ld) continue;
            EXPECT_EQ(insn.x, loaded_symbol(program, pc).address);
        }
    }
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
