// A program explained: what each instruction computes in the terms of the graph it came from, where
// its numbers come from, and what it costs. Nothing is run: a straight line can be read.
#pragma once

#include "isa/program.hpp"
#include "isa/target.hpp"
#include "sim/engine.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace capra::sim {

struct ExplainedInstruction {
    std::uint32_t pc = 0;
    isa::NoteIndex node = isa::kNoNode;  ///< which node of the notes it belongs to
    std::string what;                    ///< "q = round(acc * 0.0149)"
    std::string why;                     ///< where a number in it comes from; often empty
    std::uint64_t cycles = 0;            ///< fetch and decode included
    std::uint64_t total = 0;             ///< of the program up to here
};

struct Explanation {
    std::vector<ExplainedInstruction> instructions;  ///< those that complete
    Status end;                                      ///< how the program will end
    Counters counters;                               ///< what it will cost, a trap included
};

/// The program on a target, if every index names a row of its table; an Error if it does not fit. A
/// program without notes is explained by its symbols and its addresses.
Explanation explain(const isa::Program& program, const isa::Target& target);

/// How a node is computed from its operands: "0.25 * q * k_all^T", "softmax(scores)",
/// "gate .* up" element by element, "table[best[1]]", "weight".
std::string node_formula(const isa::Notes& notes, isa::NoteIndex id);

}  // namespace capra::sim
