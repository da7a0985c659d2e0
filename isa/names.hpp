// How things are called in files and messages, and which names people may give.
#pragma once

#include "isa/program.hpp"
#include "isa/table.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace capra::isa {

inline constexpr unsigned kUnitCount = 4;
inline constexpr unsigned kSpaceCount = 4;
inline constexpr unsigned kSymbolKindCount = 3;

/// "control", "dma", "matrix", "vector".
std::string_view unit_name(Unit unit);
/// "none", "spad", "acc", "ext", as the replay bench prints them.
std::string_view space_name(Space space);
/// "input", "weight", "output".
std::string_view symbol_kind_name(SymbolKind kind);
/// The inverse; nothing for another word.
std::optional<SymbolKind> symbol_kind_by_name(std::string_view name);

/// The longest name of a program, target, symbol, graph or node.
inline constexpr std::size_t kMaxNameLength = 64;
/// True if program files, assembler text and error messages can all hold the name as it is.
bool is_name(std::string_view name);
/// What `is_name` asks for, as the end of an error message.
inline constexpr std::string_view kNameRule =
    "a name is 1 to 64 printable ASCII characters other than space, quote, backslash and "
    "semicolon";

/// What the column table of a matmul is called: "q.mult" for "q".
std::string column_table_name(std::string_view matmul);
/// What the table of an activation is called: "h.lut" for "h".
std::string activation_table_name(std::string_view activation);

}  // namespace capra::isa
