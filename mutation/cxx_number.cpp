#include "mutation/cxx_number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <limits>

namespace capra::mutation::cxx {
namespace {

bool is_floating(std::string_view text) {
    const bool is_hex = text.starts_with("0x") || text.starts_with("0X");
    return text.find('.') != std::string_view::npos ||
           text.find_first_of(is_hex ? "pP" : "eE") != std::string_view::npos;
}

bool is_zero(std::string_view floating) {
    return floating.find_first_of("123456789") == std::string_view::npos;
}

std::string write(std::uint64_t value, int base, std::string_view suffix) {
    if (base == 16) return fmt::format("{:#x}{}", value, suffix);
    if (base == 8 && value != 0) return fmt::format("0{:o}{}", value, suffix);
    if (base == 2) return fmt::format("{:#b}{}", value, suffix);
    return fmt::format("{}{}", value, suffix);
}

}  // namespace

Neighbours neighbours(std::string_view literal) {
    std::string text(literal);
    std::erase(text, '\'');
    if (is_floating(text)) return {"", is_zero(text) ? "1.0" : fmt::format("(2 * {})", literal)};
    int base = 10;
    std::size_t digits = 0;
    if (text.starts_with("0x") || text.starts_with("0X")) base = 16;
    if (text.starts_with("0b") || text.starts_with("0B")) base = 2;
    if (base != 10)
        digits = 2;
    else if (text.size() > 1 && text[0] == '0' && std::isdigit(static_cast<unsigned char>(text[1])))
        base = 8;
    std::uint64_t value = 0;
    const char* const stop = text.data() + text.size();
    const auto read = std::from_chars(text.data() + digits, stop, value, base);
    if (read.ec != std::errc{} || value == std::numeric_limits<std::uint64_t>::max()) return {};
    const std::string_view suffix(read.ptr, static_cast<std::size_t>(stop - read.ptr));
    return {value == 0 ? "" : write(value - 1, base, suffix), write(value + 1, base, suffix)};
}

}  // namespace capra::mutation::cxx
