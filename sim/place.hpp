// Naming a place in a program in messages.
#pragma once

#include "isa/program.hpp"

#include <cstdint>
#include <string>

namespace capra::sim {

/// The instruction at `pc`, disassembled; "end of code" behind the last one.
std::string instruction_at(const isa::Program& program, std::uint32_t pc);

}  // namespace capra::sim
