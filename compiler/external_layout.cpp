#include "compiler/external_layout.hpp"

#include "compiler/node_error.hpp"
#include "isa/names.hpp"
#include "isa/numerics.hpp"

#include <fmt/format.h>

#include <utility>

namespace capra::compiler {

namespace {

isa::Symbol symbol_of(const Node& node, isa::SymbolKind kind, double scale) {
    return {.kind = kind, .name = node.name, .rows = node.rows, .cols = node.cols, .scale = scale};
}

/// Multipliers as RQC and AMAXC read them.
std::vector<std::int8_t> column_table(const ColumnRequant& requant) {
    std::vector<std::int8_t> bytes;
    for (std::uint32_t mult : requant.mults)
        for (std::uint32_t byte : {mult & 0xff, mult >> 8})
            bytes.push_back(static_cast<std::int8_t>(byte));
    return bytes;
}

}  // namespace

std::optional<std::uint32_t> ExternalLayout::place(const Node& node,
                                                   const QuantisedNode& quantised) {
    using isa::SymbolKind;
    switch (node.op) {
        case Op::input:
        case Op::index:
            return place(node, symbol_of(node, SymbolKind::input, quantised.scale), {});
        case Op::weight:
            return place(node, symbol_of(node, SymbolKind::weight, quantised.scale),
                         quantised.weights.values);
        case Op::output:
            return place(node, symbol_of(node, SymbolKind::output, quantised.scale), {});
        default:
            break;
    }
    if (quantised.column_requant)
        return place(node,
                     {.kind = SymbolKind::weight,
                      .name = isa::column_table_name(node.name),
                      .rows = node.cols,
                      .cols = 2},
                     column_table(*quantised.column_requant));
    if (!quantised.table.empty())
        return place(node,
                     {.kind = SymbolKind::weight,
                      .name = isa::activation_table_name(node.name),
                      .rows = isa::kLutEntries,
                      .cols = 1,
                      .scale = quantised.scale},
                     quantised.table);
    return std::nullopt;
}

std::uint32_t ExternalLayout::place(const Node& node, isa::Symbol symbol,
                                    std::vector<std::int8_t> values) {
    check_name(node, symbol);
    symbol.address = program_.memory_words;
    const std::uint32_t words = symbol.rows * symbol.cols;
    if (words > target_.ext_words - symbol.address)
        fail(node, fmt::format("{} words at address {} exceed the external memory of {}", words,
                               symbol.address, target_.ext_words));
    program_.memory_words += words;
    if (!values.empty()) program_.data.push_back({symbol.address, std::move(values)});
    program_.symbols.push_back(std::move(symbol));
    return program_.symbols.back().address;
}

void ExternalLayout::check_name(const Node& node, const isa::Symbol& symbol) const {
    if (!isa::is_name(symbol.name))
        fail(node, fmt::format("its table needs a name of at most {} characters, not {}",
                               isa::kMaxNameLength, symbol.name));
    for (const isa::Symbol& other : program_.symbols)
        if (other.kind == symbol.kind && other.name == symbol.name)
            fail(node, fmt::format("two weights or tables would be called {}", symbol.name));
}

}  // namespace capra::compiler
