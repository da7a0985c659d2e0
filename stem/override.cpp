#include "stem/override.hpp"

#include "isa/error.hpp"

#include <fmt/format.h>

namespace capra::stem {
namespace {

[[noreturn]] void refuse(std::size_t layer, const std::string& why) {
    throw Error(fmt::format("stem: layer {}: {}", layer, why));
}

/// How many rows there are to choose from at each place.
std::vector<std::uint32_t> row_counts(const TableRows& table) {
    if (const auto* rows = std::get_if<TokenRows>(&table)) return {rows->rows.rows};
    if (const auto* rows = std::get_if<BigramRows>(&table)) return {rows->rows.rows};
    if (const auto* rows = std::get_if<TokenAndBigramRows>(&table))
        return {rows->token_rows.rows, rows->bigram_rows.rows};
    const auto& keyed = std::get<ProductKeyRows>(table);
    return std::vector<std::uint32_t>(keyed.top, keyed.rows.rows);
}

void check_indices(std::size_t layer, const char* what, const std::vector<std::uint32_t>& given,
                   const std::vector<std::uint32_t>& counts) {
    if (given.size() != counts.size())
        refuse(layer,
               fmt::format("{} {}s forced in place of {}", given.size(), what, counts.size()));
    for (std::size_t i = 0; i < given.size(); ++i)
        if (given[i] >= counts[i])
            refuse(layer, fmt::format("{} {} is outside 0..{}", what, given[i], counts[i] - 1));
}

void check(const Layer& layer, std::size_t index, const Override& forced) {
    if (!forced.rows.empty()) {
        const TableRows* table = table_of(layer);
        if (table == nullptr) refuse(index, "a row is forced where there is no table");
        check_indices(index, "row", forced.rows, row_counts(*table));
    }
    if (!forced.experts.empty()) {
        const Moe* moe = moe_of(layer);
        if (moe == nullptr) refuse(index, "an expert is forced where there are none");
        const auto count = static_cast<std::uint32_t>(moe->experts.size());
        check_indices(index, "expert", forced.experts, std::vector<std::uint32_t>(moe->top, count));
    }
    if (forced.admitted.has_value() && !std::holds_alternative<RoutedLayer>(layer))
        refuse(index, "an admission is forced where no token is routed");
}

}  // namespace

void check_overrides(const Stack& stack, const Overrides& overrides) {
    for (const auto& [index, forced] : overrides) {
        if (index >= stack.layers.size())
            refuse(index, fmt::format("the stack has {}", stack.layers.size()));
        check(stack.layers[index], index, forced);
    }
}

}  // namespace capra::stem
