// Exercise 9: runs the first step, without its input, and repeats its token.
#include "exercises/9-host-loop/exercise.hpp"

namespace capra::exercise {

std::vector<std::uint32_t> answer(const Chip& chip, std::uint32_t start, std::uint32_t steps) {
    const isa::Program& program = chip.programs[0];
    std::vector<std::int32_t> memory = isa::initial_memory(program);
    memory = chip.run(program, memory);

    const isa::Symbol& token = isa::find_symbol(program, isa::SymbolKind::output, "token");
    std::vector<std::uint32_t> tokens = {start};
    for (std::uint32_t i = 0; i < steps; ++i)
        tokens.push_back(static_cast<std::uint32_t>(memory[token.address]));
    return tokens;
}

}  // namespace capra::exercise
