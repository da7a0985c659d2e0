#include "mutation/verilog_number.hpp"

#include <fmt/format.h>

#include <charconv>

namespace capra::mutation {
namespace {

std::optional<std::uint64_t> read_digits(std::string_view text, int base) {
    std::string digits;
    for (const char c : text)
        if (c != '_') digits.push_back(c);
    std::uint64_t value = 0;
    const char* end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, value, base);
    if (error != std::errc{} || stop != end) return std::nullopt;
    return value;
}

int radix(char base) {
    switch (base) {
        case 'b':
            return 2;
        case 'o':
            return 8;
        case 'h':
            return 16;
        default:
            return 10;
    }
}

std::uint64_t limit(const Number& number) {
    const unsigned width = number.width.value_or(32);
    return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}

}  // namespace

std::optional<Number> read_number(std::string_view text) {
    Number number;
    const std::size_t tick = text.find('\'');
    if (tick == std::string_view::npos) {
        const auto value = read_digits(text, 10);
        if (!value) return std::nullopt;
        return Number{.value = *value, .width = std::nullopt, .is_signed = true};
    }
    if (tick > 0) {
        const auto width = read_digits(text.substr(0, tick), 10);
        if (!width) return std::nullopt;
        number.width = static_cast<unsigned>(*width);
    }
    std::size_t at = tick + 1;
    number.is_signed = text[at] == 's' || text[at] == 'S';
    if (number.is_signed) ++at;
    number.base = static_cast<char>(text[at] | 0x20);  // to lower case
    const auto value = read_digits(text.substr(at + 1), radix(number.base));
    if (!value) return std::nullopt;
    number.value = *value;
    return number;
}

std::string write_number(const Number& number) {
    std::string digits;
    switch (number.base) {
        case 'b':
            digits = fmt::format("{:b}", number.value);
            break;
        case 'o':
            digits = fmt::format("{:o}", number.value);
            break;
        case 'h':
            digits = fmt::format("{:x}", number.value);
            break;
        default:
            digits = fmt::format("{}", number.value);
            break;
    }
    if (!number.width && number.is_signed && number.base == 'd') return digits;
    const std::string width = number.width ? std::to_string(*number.width) : "";
    return fmt::format("{}'{}{}{}", width, number.is_signed ? "s" : "", number.base, digits);
}

std::vector<std::string> neighbours(const Number& number) {
    Number above = number;
    above.value = number.value == limit(number) ? 0 : number.value + 1;
    std::vector<std::string> found = {write_number(above)};
    if (number.width == 1u) return found;
    Number below = number;
    if (number.value != 0) {
        --below.value;
    } else if (number.is_signed) {
        below.value = 1;
        found.push_back("-" + write_number(below));
        return found;
    } else if (number.width.value_or(32) <= 64) {
        below.value = limit(number);
    } else {
        return found;
    }
    found.push_back(write_number(below));
    return found;
}

}  // namespace capra::mutation
