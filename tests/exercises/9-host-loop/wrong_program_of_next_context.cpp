#include "exercises/9-host-loop/exercise.hpp"

#include <algorithm>
#include <cmath>

namespace capra::exercise {
namespace {

using Cells = std::vector<std::int32_t>;

void put(Cells& memory, const isa::Program& program, const char* name, const Cells& values) {
    const isa::Symbol& symbol = isa::find_symbol(program, isa::SymbolKind::input, name);
    std::copy(values.begin(), values.end(), memory.begin() + symbol.address);
}

void append(Cells& cache, const Cells& memory, const isa::Program& program, const char* name) {
    const isa::Symbol& symbol = isa::find_symbol(program, isa::SymbolKind::output, name);
    const auto row = memory.begin() + symbol.address;
    cache.insert(cache.end(), row, row + symbol.cols);
}

Cells quantised(const std::vector<double>& values, double scale) {
    Cells result;
    for (const double value : values)
        result.push_back(
            static_cast<std::int32_t>(std::clamp(std::floor(value / scale + 0.5), -128.0, 127.0)));
    return result;
}

}  // namespace

std::vector<std::uint32_t> answer(const Chip& chip, std::uint32_t start, std::uint32_t steps) {
    std::vector<std::uint32_t> tokens = {start};
    Cells keys;
    Cells values;
    for (std::uint32_t step = 0; step < steps; ++step) {
        const isa::Program& program = chip.programs[std::min(step + 1, steps - 1)];
        Cells memory = isa::initial_memory(program);
        const double scale = isa::find_symbol(program, isa::SymbolKind::input, "x").scale;
        put(memory, program, "x", quantised(chip.embedding(tokens.back()), scale));
        if (step > 0) {
            put(memory, program, "k_cache", keys);
            put(memory, program, "v_cache", values);
        }
        memory = chip.run(program, memory);
        append(keys, memory, program, "k");
        append(values, memory, program, "v");
        const isa::Symbol& token = isa::find_symbol(program, isa::SymbolKind::output, "token");
        tokens.push_back(static_cast<std::uint32_t>(memory[token.address]));
    }
    return tokens;
}

}  // namespace capra::exercise
