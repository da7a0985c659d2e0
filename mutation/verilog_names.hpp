// What the names of a module tell about an expression: widths, signedness, families of constants.
#pragma once

#include "mutation/verilog_syntax.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace capra::mutation {

/// The names visible in one scope. The module, the file and the header's constants must live
/// longer.
struct Names {
    const SourceFile& source;
    const Module& module;
    const std::vector<Signal>& header;  ///< constants that the module includes
    std::size_t scope = 0;

    [[nodiscard]] std::string_view text(const Expr& expr) const { return source.at(expr.span); }
    [[nodiscard]] const Signal* find(std::string_view name) const;
};

/// Self-determined width in bits, where plain numbers tell it.
std::optional<unsigned> width_of(const Names& names, const Expr& expr);

/// False only if no operand is signed, so that adding an unsigned one changes nothing.
bool may_be_signed(const Names& names, const Expr& expr);

/// The other constants of a constant's family, in order from the next one on, wrapping around. A
/// family is what shares a prefix and a shape: the states of a machine, opcodes, trap codes.
std::vector<std::string> family_of(const Names& names, std::string_view constant);

}  // namespace capra::mutation
