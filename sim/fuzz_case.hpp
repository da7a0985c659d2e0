// Random programs for comparing engines: every opcode, ragged shapes, extreme data, overlapping
// buffers, and now and then an instruction that must trap.
#pragma once

#include "isa/program.hpp"
#include "isa/target.hpp"

#include <cstdint>

namespace capra::sim {

/// One random program. It never reads a scratchpad or accumulator cell that nothing wrote, so
/// what it does is defined on every engine; most programs end in HALT, some in a trap. Its data
/// blocks are its memory image (isa::initial_memory). The same seed gives the same program.
isa::Program random_program(std::uint64_t seed, const isa::Target& target);

/// True if the program may be compared on engines: it verifies, but for a trap at its end.
bool is_defined(const isa::Program& program, const isa::Target& target);

}  // namespace capra::sim
