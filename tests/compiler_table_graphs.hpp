// Graphs with tables and gates that several tests compile, and what their programs look like.
#pragma once

#include "compiler/calibrate.hpp"
#include "compiler/graph.hpp"
#include "isa/codec.hpp"
#include "isa/instruction.hpp"
#include "isa/program.hpp"
#include "tests/compiler_support.hpp"

#include <cstdint>
#include <initializer_list>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace capra::compiler_testing {

inline compiler::Ranges ranges_of(std::initializer_list<std::pair<const char*, double>> list) {
    compiler::Ranges ranges;
    for (const auto& [key, range] : list) ranges.widen(key, range);
    return ranges;
}

inline std::vector<isa::Instruction> instructions(const isa::Program& program) {
    std::vector<isa::Instruction> result;
    for (const auto& word : program.code) result.push_back(*isa::decode(word));
    return result;
}

inline std::vector<isa::Opcode> opcodes(const std::vector<isa::Instruction>& code) {
    std::vector<isa::Opcode> ops;
    for (const auto& insn : code) ops.push_back(insn.op);
    return ops;
}

/// y = (silu(x Wg) .* table[token]) Wd, with a table of `tokens` rows.
inline compiler::Graph stem_block(std::uint32_t tokens) {
    std::mt19937 random(5);
    compiler::GraphBuilder b("stem");
    const auto weight = [&](const char* name, std::uint32_t rows, std::uint32_t cols) {
        return b.weight(name, random_matrix(random, rows, cols));
    };
    const auto x = b.input("x", 1, 8);
    const auto gate = b.silu("gate", b.matmul("pre", x, weight("wg", 8, 12)));
    const auto row = b.lookup("row", weight("table", tokens, 12), b.index("token"));
    b.output("y", b.matmul("down", b.mul("gated", gate, row), weight("wd", 12, 8)));
    return b.build();
}

/// The two best of four experts, whose weights the chip itself looks up, weighed by the softmax of
/// their scores: one program for what takes the host two.
inline compiler::Graph two_experts() {
    std::mt19937 random(6);
    compiler::GraphBuilder b("experts");
    const auto weight = [&](const char* name, std::uint32_t rows, std::uint32_t cols) {
        return b.weight(name, random_matrix(random, rows, cols));
    };
    auto y = b.input("x", 1, 8);
    const auto x = y;
    const auto best = b.topk("best", b.matmul("scores", x, weight("router", 8, 4)), 2);
    const auto gates = b.softmax("gates", b.topk_values("values", best));
    const auto up = weight("up", 4, 8 * 6);
    const auto down = weight("down", 4, 6 * 8);
    for (const std::uint32_t place : {0U, 1U}) {
        const std::string n = std::to_string(place);
        const auto w1 = b.lookup("w1" + n, up, best, 8, 6, place);
        const auto w2 = b.lookup("w2" + n, down, best, 6, 8, place);
        const auto out = b.matmul("o" + n, b.gelu("h" + n, b.matmul("u" + n, x, w1)), w2);
        const auto gate = b.element("g" + n, gates, place);
        y = b.add("y" + n, y, b.mul("weighed" + n, out, gate));
    }
    b.output("y", y);
    b.output("route", best);
    return b.build();
}

}  // namespace capra::compiler_testing
