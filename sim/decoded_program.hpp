// A program checked and decoded once for a target, ready to execute without further checks.
#pragma once

#include "isa/program.hpp"
#include "isa/target.hpp"
#include "sim/engine.hpp"

#include <vector>

namespace capra::sim {

/// One legal instruction with its cost on the target.
struct Step {
    isa::Instruction insn;
    std::uint64_t unit_cycles = 0;
    isa::Unit unit = isa::Unit::control;
    std::uint32_t fault_cycles = 0;  ///< see `Target::fault_cycles`
};

/// Every instruction that completes, HALT included, and how the program ends. A program is a
/// straight line and its traps are decided by its text, so both are known before it runs. One thing
/// is not: a step that has an index (`isa::has_index`) is the end if that is out of range.
struct DecodedProgram {
    std::vector<Step> steps;
    Status end;
    std::uint32_t fetch_decode_cycles = 0;
};

/// Checks and decodes up to the first HALT or trap. An Error if the code does not fit the
/// target's program memory, or what it uses of external memory that one.
DecodedProgram decode_program(const isa::Program& program, const isa::Target& target);

/// Cycles the program takes from its start to its end.
std::uint64_t total_cycles(const DecodedProgram& program);

/// Cycles after which a core that has not ended the program never will: twice what it takes, and
/// some for programs that take next to nothing.
std::uint64_t cycle_limit(const DecodedProgram& program);

}  // namespace capra::sim
