#include "exercises/10-dispatch-batch/exercise.hpp"

#include <algorithm>

namespace capra::exercise {
namespace {

using Group = std::vector<std::size_t>;  // indices into the batch

Group members(const std::vector<Routed>& batch, std::uint32_t expert) {
    Group group;
    for (std::size_t i = 0; i < batch.size(); ++i)
        if (batch[i].expert == expert) group.push_back(i);
    return group;
}

/// Three tokens fit best into four rows, of which one is left over.
std::uint32_t rows_for(std::size_t left) {
    return left >= 3 ? 4 : static_cast<std::uint32_t>(left);
}

}  // namespace

std::vector<std::uint32_t> answer(const Experts& experts, const std::vector<Routed>& batch) {
    std::vector<std::uint32_t> tokens(batch.size());
    for (std::uint32_t e = 0; e < experts.count; ++e) {
        const Group group = members(batch, e);
        for (std::size_t first = 0; first < group.size();) {
            const std::uint32_t rows = rows_for(group.size() - first);
            const std::size_t used = std::min<std::size_t>(rows, group.size() - first);
            const isa::Program& program = experts.program(e, rows);
            std::vector<std::int32_t> memory = isa::initial_memory(program);
            const auto& h = isa::find_symbol(program, isa::SymbolKind::input, "h");
            // Rows that are left over repeat the last token.
            for (std::size_t r = 0; r < rows; ++r) {
                const auto& row = batch[group[first + std::min(r, used - 1)]].h;
                std::copy(row.begin(), row.end(), memory.begin() + h.address + r * h.cols);
            }
            memory = experts.run(program, memory);
            const auto& token = isa::find_symbol(program, isa::SymbolKind::output, "token");
            for (std::size_t r = 0; r < used; ++r)
                tokens[group[first + r]] = static_cast<std::uint32_t>(memory[token.address + r]);
            first += used;
        }
    }
    return tokens;
}

}  // namespace capra::exercise
