#include "isa/html.hpp"

namespace capra {

std::string html_escaped(std::string_view text) {
    std::string html;
    html.reserve(text.size());
    for (const char c : text) switch (c) {
            case '<':
                html += "&lt;";
                break;
            case '>':
                html += "&gt;";
                break;
            case '&':
                html += "&amp;";
                break;
            case '"':
                html += "&quot;";
                break;
            case '\'':
                html += "&#39;";
                break;
            default:
                html += c;
        }
    return html;
}

std::string html_filled(std::string_view page, const HtmlParts& parts) {
    constexpr std::string_view kOpen = "<!--";
    constexpr std::string_view kClose = "-->";
    std::string html;
    for (;;) {
        const std::size_t open = page.find(kOpen);
        html += page.substr(0, open);
        if (open == std::string_view::npos) return html;
        const std::size_t begin = open + kOpen.size();
        const std::size_t close = page.find(kClose, begin);
        if (const auto part = parts.find(page.substr(begin, close - begin)); part != parts.end())
            html += part->second;
        page.remove_prefix(close + kClose.size());
    }
}

}  // namespace capra
