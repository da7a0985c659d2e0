// Small programs whose results are worked by hand.
#pragma once

#include "sim/model_engine.hpp"
#include "tests/sim_support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace capra::sim {

using isa::Instruction;
using isa::Opcode;
using Values = std::vector<std::int32_t>;

constexpr std::uint32_t kOut = 200;  ///< external address of what a test looks at

/// Loads `in` to scratchpad 0, runs `body`, and returns `count` scratchpad cells from `at`.
inline Values run(const Values& in, const std::vector<Instruction>& body, std::uint32_t at,
                  std::uint32_t count) {
    isa::Program program = program_of(
        {{.op = Opcode::ld, .d = 0, .x = 0, .n = static_cast<std::uint32_t>(in.size())}});
    for (const Instruction& insn : body) program.code.push_back(isa::encode(insn));
    program.code.push_back(isa::encode({.op = Opcode::st, .a = at, .x = kOut, .n = count}));
    program.code.push_back(isa::encode({.op = Opcode::halt}));
    program.memory_words = 600;
    ModelEngine engine(isa::reference_target());
    const Result result = engine.run_one(program, in);
    EXPECT_EQ(result.status.state, State::halted);
    return {result.memory.begin() + kOut, result.memory.begin() + kOut + count};
}

/// Accumulators i = x[i] * 1, by an MM of a column by a row; scratchpad 100 on holds `table`.
inline Values with_accumulators(const Values& x, const Values& table, const Instruction& last,
                                std::uint32_t at, std::uint32_t count) {
    Values in(100);
    std::copy(x.begin(), x.end(), in.begin());
    in[99] = 1;
    in.insert(in.end(), table.begin(), table.end());
    std::vector<Instruction> body;
    for (std::uint32_t i = 0; i < x.size(); ++i)
        body.push_back({.op = Opcode::mm,
                        .d = 40 + i,
                        .a = i,
                        .b = 99,
                        .m = 1,
                        .k = 1,
                        .n = 1,
                        .sa = 1,
                        .sb = 1,
                        .sd = 1});
    body.push_back(last);
    return run(in, body, at, count);
}

}  // namespace capra::sim
