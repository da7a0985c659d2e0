// One random instruction: operands near each other, lengths mostly short, now and then at a limit.
#pragma once

#include "isa/instruction.hpp"
#include "isa/target.hpp"
#include "sim/fuzz_draw.hpp"

namespace capra::sim {

/// Where a random program plays.
struct Places {
    Arena spad;
    Arena acc;
    Arena ext;
    TwoLevels levels;
    Arena tile{.base = 0, .size = 1};  ///< accumulators that the last MM wrote without a gap

    static Places choose(Random& random, const isa::Target& target);
};

/// An instruction that may be illegal, and may read cells that nothing wrote: whoever asks for it
/// checks, and asks again.
isa::Instruction draw_instruction(Random& random, const Places& places, const isa::Target& target);

}  // namespace capra::sim
