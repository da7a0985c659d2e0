// Programs whose notes are looked at, and how.
#pragma once

#include "compiler/compile.hpp"
#include "isa/codec.hpp"
#include "tests/compiler_support.hpp"
#include "tests/compiler_table_graphs.hpp"

#include <string>
#include <vector>

namespace capra::compiler_testing {

inline constexpr compiler::WeightScales kBoth[] = {compiler::WeightScales::per_tensor,
                                                   compiler::WeightScales::per_column};

inline isa::Program compiled(const compiler::Graph& graph,
                             compiler::WeightScales scales = compiler::WeightScales::per_tensor) {
    return compiler::compile(graph, some_ranges(graph), isa::reference_target(1U << 16), scales);
}

inline std::vector<compiler::Graph> compiled_graphs() {
    return {attention_router(1), attention_router(8), expert(1), expert(6), dense(3),
            stem_block(300),     two_experts()};
}

inline isa::Instruction decoded(const isa::Program& program, std::size_t pc) {
    return *isa::decode(program.code[pc]);
}

inline const isa::NodeNote& node_of(const isa::Program& program, std::size_t pc) {
    return program.notes->nodes[program.notes->instructions[pc]];
}

/// Programs of the chapter and others, with one scale a weight and one a column.
inline std::vector<isa::Program> compiled_programs() {
    std::vector<isa::Program> programs;
    for (const compiler::Graph& graph : compiled_graphs())
        for (const compiler::WeightScales scales : kBoth)
            programs.push_back(compiled(graph, scales));
    return programs;
}

/// The buffers of values with this name, in program order.
inline std::vector<isa::BufferNote> buffers_of(const isa::Notes& notes, const std::string& name) {
    std::vector<isa::BufferNote> found;
    for (const isa::BufferNote& buffer : notes.buffers)
        if (buffer.holds == isa::Holds::value && notes.nodes[buffer.value].name == name)
            found.push_back(buffer);
    return found;
}

inline bool is_activation(const std::string& op) {
    return op == "silu" || op == "sigmoid" || op == "gelu";
}

}  // namespace capra::compiler_testing
