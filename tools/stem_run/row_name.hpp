// The first column of a table, which holds the name of a decoder or a pattern.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>

namespace capra::tools {

/// The name, `width` columns wide; a longer one has a line of its own, and blanks below it.
inline std::string row_name(const std::string& name, std::size_t width) {
    if (name.size() <= width) return fmt::format("   {:<{}}", name, width);
    return fmt::format("   {}\n   {:<{}}", name, "", width);
}

}  // namespace capra::tools
