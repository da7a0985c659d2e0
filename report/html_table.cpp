#include "report/html_table.hpp"

#include <fmt/format.h>

namespace capra::report {

std::string html_table(std::string_view name, const std::vector<std::string>& columns,
                       std::string_view rows, std::string_view kind) {
    std::string heads;
    for (const std::string& column : columns)
        heads += fmt::format("<th scope=\"col\">{}</th>", column);
    return fmt::format(
        "<div class=\"scroll {}\" role=\"region\" tabindex=\"0\" aria-label=\"{}\">\n<table>"
        "<thead><tr>{}</tr></thead>\n<tbody>\n{}</tbody></table></div>\n",
        kind, name, heads, rows);
}

std::string html_row(const std::vector<std::string>& cells) {
    std::string html = "<tr>";
    for (std::size_t i = 0; i < cells.size(); ++i)
        html += i == 0 ? "<th scope=\"row\">" + cells[i] + "</th>" : "<td>" + cells[i] + "</td>";
    return html + "</tr>\n";
}

}  // namespace capra::report
