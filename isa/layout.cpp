#include "isa/layout.hpp"

#include "isa/names.hpp"
#include "isa/printable.hpp"
#include "isa/target.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace capra::isa {
namespace {

using Problem = std::optional<LayoutProblem>;

std::string bad_name(std::string_view noun, std::string_view name) {
    return fmt::format("{} \"{}\": {}", noun, printable(name), kNameRule);
}

std::string outside(std::uint64_t end, const Program& program) {
    return fmt::format("ends at word {}, outside the program's memory of {}", end,
                       program.memory_words);
}

Problem header_problem(const Program& program) {
    if (!program.name.empty() && !is_name(program.name))
        return {{Part::name, 0, "", bad_name("name", program.name)}};
    if (!is_name(program.target))
        return {{Part::target, 0, "", bad_name("target", program.target)}};
    if (program.memory_words > kMaxExtWords)
        return {{Part::memory, 0, "",
                 fmt::format("a memory of {} words, more than {}", program.memory_words,
                             kMaxExtWords)}};
    return std::nullopt;
}

std::uint64_t end_of(const DataBlock& block) {
    return std::uint64_t{block.address} + block.values.size();
}

Problem overlap_problem(const std::vector<DataBlock>& data) {
    std::vector<std::size_t> order(data.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return data[a].address < data[b].address;
    });
    for (std::size_t i = 1; i < order.size(); ++i) {
        const DataBlock& block = data[order[i]];
        if (block.address < end_of(data[order[i - 1]]))
            return {{Part::data, order[i], "",
                     fmt::format("two data blocks hold word {}", block.address)}};
    }
    return std::nullopt;
}

Problem data_problem(const Program& program) {
    for (std::size_t i = 0; i < program.data.size(); ++i) {
        const DataBlock& block = program.data[i];
        if (block.values.empty()) return {{Part::data, i, "", "a data block without values"}};
        if (end_of(block) > program.memory_words)
            return {{Part::data, i, "", outside(end_of(block), program)}};
    }
    return overlap_problem(program.data);
}

Problem symbol_problem(const Program& program) {
    for (std::size_t i = 0; i < program.symbols.size(); ++i) {
        const Symbol& symbol = program.symbols[i];
        if (!is_name(symbol.name))
            return {{Part::symbol, i, "name", bad_name("symbol", symbol.name)}};
        if (!std::isfinite(symbol.scale) || symbol.scale < 0)
            return {{Part::symbol, i, "scale",
                     fmt::format("a scale is finite and at least 0, got {}", symbol.scale)}};
        const std::uint64_t end = symbol.address + std::uint64_t{symbol.rows} * symbol.cols;
        if (end > program.memory_words) return {{Part::symbol, i, "", outside(end, program)}};
    }
    return std::nullopt;
}

}  // namespace

std::optional<LayoutProblem> layout_problem(const Program& program) {
    if (auto problem = header_problem(program)) return problem;
    if (auto problem = data_problem(program)) return problem;
    return symbol_problem(program);
}

}  // namespace capra::isa
