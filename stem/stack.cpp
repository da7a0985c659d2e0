#include "stem/stack.hpp"

#include <utility>

namespace capra::stem {

std::string pattern_of(const Stack& stack) {
    constexpr std::string_view kLetters = "*DESR";  // by the alternatives of Layer
    static_assert(kLetters.size() == std::variant_size_v<Layer>);
    std::string pattern;
    for (const Layer& layer : stack.layers) pattern += kLetters[layer.index()];
    return pattern;
}

const TableRows* table_of(const Layer& layer) {
    if (const auto* stem = std::get_if<StemBlock>(&layer)) return &stem->table;
    if (const auto* routed = std::get_if<RoutedLayer>(&layer)) return &routed->table.table;
    return nullptr;
}

TableRows* table_of(Layer& layer) {
    return const_cast<TableRows*>(table_of(std::as_const(layer)));
}

const Moe* moe_of(const Layer& layer) {
    if (const auto* moe = std::get_if<Moe>(&layer)) return moe;
    if (const auto* routed = std::get_if<RoutedLayer>(&layer)) return &routed->moe;
    return nullptr;
}

}  // namespace capra::stem
