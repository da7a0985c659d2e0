#include "mutation/source_text.hpp"

#include "isa/error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace capra::mutation {

Position SourceFile::position(std::size_t offset) const {
    const std::string_view before = std::string_view(text).substr(0, offset);
    const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
    return {static_cast<std::uint32_t>(1 + std::ranges::count(before, '\n')),
            static_cast<std::uint32_t>(1 + offset - line_start)};
}

void SourceFile::fail(std::size_t offset, const std::string& what) const {
    const Position where = position(offset);
    throw Error(fmt::format("{}:{}:{}: {}", name, where.line, where.column, what));
}

}  // namespace capra::mutation
