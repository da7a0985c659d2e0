#include "isa/program.hpp"

#include "isa/error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace capra::isa {

const Symbol& find_symbol(const Program& program, SymbolKind kind, std::string_view name) {
    const auto found = std::find_if(
        program.symbols.begin(), program.symbols.end(),
        [&](const Symbol& symbol) { return symbol.kind == kind && symbol.name == name; });
    if (found == program.symbols.end())
        throw Error(fmt::format("program {}: no symbol named '{}'", program.name, name));
    return *found;
}

double real_value(const Symbol& symbol, std::int32_t stored) {
    return symbol.scale == 0 ? stored : stored * symbol.scale;
}

std::vector<std::int32_t> initial_memory(const Program& program) {
    std::vector<std::int32_t> memory(program.memory_words, 0);
    for (const DataBlock& block : program.data)
        std::copy(block.values.begin(), block.values.end(), memory.begin() + block.address);
    return memory;
}

}  // namespace capra::isa
