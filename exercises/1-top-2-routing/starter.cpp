// Exercise 1: runs the first program of expert 0 and predicts token 0.
#include "exercises/1-top-2-routing/exercise.hpp"

#include <algorithm>

namespace capra::exercise {

Step answer(const Chip& chip, const Attended& attended) {
    const isa::Program& program = chip.first(0);
    std::vector<std::int32_t> memory = isa::initial_memory(program);
    const isa::Symbol& h = isa::find_symbol(program, isa::SymbolKind::input, "h");
    std::copy(attended.h.begin(), attended.h.end(), memory.begin() + h.address);
    const Ran ran = chip.run(program, memory);
    return {.token = 0, .cycles = attended.cycles + ran.cycles};
}

}  // namespace capra::exercise
