#include "model/grouped.hpp"

#include <algorithm>
#include <cassert>

namespace capra::model {
namespace {

/// Which steps chose this expert, by index.
std::vector<std::size_t> members(std::span<const ChipStep> steps, std::uint32_t expert) {
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < steps.size(); ++i)
        if (steps[i].experts == Experts{expert}) result.push_back(i);
    return result;
}

std::uint32_t rows_of(const CompiledProgram& entry) {
    return isa::find_symbol(entry.program, isa::SymbolKind::input, "h").rows;
}

}  // namespace

std::uint64_t GroupedRun::cycles() const {
    std::uint64_t sum = 0;
    for (const auto& run : runs) sum += run.result.counters.total;
    return sum;
}

GroupedRun run_grouped(const std::vector<CompiledProgram>& programs,
                       std::span<const ChipStep> steps, sim::Engine& engine) {
    GroupedRun result;
    result.tokens.resize(steps.size());
    for (std::uint32_t e = 0; e < programs.size(); ++e) {
        const auto group = members(steps, e);
        const std::size_t rows = rows_of(programs[e]);
        for (std::size_t first = 0; first < group.size(); first += rows) {
            Matrix h{static_cast<std::uint32_t>(rows), kWidth, {}};  // (rows, kWidth)
            for (std::size_t r = 0; r < rows; ++r) {
                const auto& row = steps[group[std::min(first + r, group.size() - 1)]].h;
                assert(row.size() == kWidth);
                h.values.insert(h.values.end(), row.begin(), row.end());
            }
            result.runs.push_back(run_program(engine, programs[e].program, {{"h", h}}));
            const auto tokens =
                read_output(programs[e].program, result.runs.back().result.memory, "token");
            for (std::size_t r = 0; r < rows && first + r < group.size(); ++r)
                result.tokens[group[first + r]] = static_cast<std::uint32_t>(tokens.values[r]);
        }
    }
    return result;
}

}  // namespace capra::model
