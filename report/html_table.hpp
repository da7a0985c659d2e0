// Tables as HTML.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace capra::report {

/// A table in a region of its own, which scrolls where the page is too narrow for it. `name` is
/// what a screen reader calls it; `rows` come from `html_row`; `kind` is a list of classes. All
/// are HTML already.
std::string html_table(std::string_view name, const std::vector<std::string>& columns,
                       std::string_view rows, std::string_view kind = "");

/// The first cell is the row's heading.
std::string html_row(const std::vector<std::string>& cells);

}  // namespace capra::report
