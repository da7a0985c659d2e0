// Notes of compiled programs: they say of every node and instruction what the graph says.
#include "compiler/lower.hpp"
#include "isa/error.hpp"
#include "isa/names.hpp"
#include "tests/compiler_notes_support.hpp"

#include <gtest/gtest.h>

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

TEST(CompilerNotes, instructions_belong_to_the_node_they_compute_and_loads_to_what_they_load) {
    for (const isa::Program& program : compiled_programs()) {
        ASSERT_EQ(program.notes->instructions.size(), program.code.size());
        EXPECT_EQ(program.notes->instructions.back(), isa::kNoNode) << "HALT";
        for (std::size_t pc = 0; pc + 1 < program.code.size(); ++pc) {
            const std::string op = node_of(program, pc).op;
            switch (decoded(program, pc).op) {
                case isa::Opcode::ld:
                    EXPECT_TRUE(op == "input" || op == "weight" || op == "matmul" ||
                                is_activation(op))
                        << op;
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
                case isa::Opcode::vmul:
                    EXPECT_EQ(op, "mul");
                    break;
                case isa::Opcode::lut:
                    EXPECT_TRUE(is_activation(op)) << op;
                    break;
                case isa::Opcode::topk:
                case isa::Opcode::topkc:
                    EXPECT_EQ(op, "topk");
                    break;
                case isa::Opcode::ldx:
                case isa::Opcode::ldxw:
                    EXPECT_EQ(op, "lookup");
                    break;
                case isa::Opcode::halt:
                    ADD_FAILURE() << "HALT belongs to no node";
                    break;
            }
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
