#include "isa/names.hpp"

#include <algorithm>

namespace capra::isa {
namespace {

constexpr std::string_view kUnitNames[kUnitCount] = {"control", "dma", "matrix", "vector"};
constexpr std::string_view kSpaceNames[kSpaceCount] = {"none", "spad", "acc", "ext"};
constexpr std::string_view kSymbolKindNames[kSymbolKindCount] = {"input", "weight", "output"};

bool is_name_char(char c) {
    return c > ' ' && c <= '~' && c != '"' && c != '\\' && c != ';';
}

}  // namespace

std::string_view unit_name(Unit unit) {
    return kUnitNames[static_cast<unsigned>(unit)];
}

std::string_view space_name(Space space) {
    return kSpaceNames[static_cast<unsigned>(space)];
}

std::string_view symbol_kind_name(SymbolKind kind) {
    return kSymbolKindNames[static_cast<unsigned>(kind)];
}

std::optional<SymbolKind> symbol_kind_by_name(std::string_view name) {
    for (unsigned kind = 0; kind < kSymbolKindCount; ++kind)
        if (name == kSymbolKindNames[kind]) return static_cast<SymbolKind>(kind);
    return std::nullopt;
}

bool is_name(std::string_view name) {
    return !name.empty() && name.size() <= kMaxNameLength &&
           std::all_of(name.begin(), name.end(), is_name_char);
}

std::string column_table_name(std::string_view matmul) {
    return std::string(matmul) + ".mult";
}

std::string activation_table_name(std::string_view activation) {
    return std::string(activation) + ".lut";
}

}  // namespace capra::isa
