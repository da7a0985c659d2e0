#include "model/exact.hpp"

#include "isa/error.hpp"
#include "isa/printable.hpp"

#include <fmt/format.h>

#include <cassert>
#include <limits>
#include <numeric>
#include <optional>

namespace capra::model {
namespace {

/// The range is symmetric: the negative number below -kLargest has no opposite.
constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();

[[noreturn]] void too_large() {
    throw Error("a total needs more than 64 bits: make the sizes smaller");
}

std::int64_t times(std::int64_t a, std::int64_t b) {
    std::int64_t product;
    if (__builtin_mul_overflow(a, b, &product) || product < -kLargest) too_large();
    return product;
}

std::int64_t plus(std::int64_t a, std::int64_t b) {
    std::int64_t sum;
    if (__builtin_add_overflow(a, b, &sum) || sum < -kLargest) too_large();
    return sum;
}

constexpr std::size_t kMaxDigits = 9;

/// The value of 1 to 9 digits; nothing for any other text.
std::optional<std::int64_t> digits(std::string_view text) {
    if (text.empty() || text.size() > kMaxDigits) return std::nullopt;
    std::int64_t value = 0;
    for (const char c : text) {
        if (c < '0' || c > '9') return std::nullopt;
        value = 10 * value + (c - '0');
    }
    return value;
}

}  // namespace

Exact::Exact(std::int64_t numerator, std::int64_t denominator) {
    assert(denominator > 0);
    const std::int64_t common = std::gcd(numerator, denominator);
    numerator_ = numerator / common;
    denominator_ = denominator / common;
}

std::int64_t Exact::nearest() const {
    const std::int64_t towards_zero = numerator_ / denominator_;
    const std::int64_t rest = numerator_ % denominator_;
    const std::int64_t half_up = denominator_ - denominator_ / 2;
    if (rest >= half_up) return towards_zero + 1;
    if (-rest >= half_up) return towards_zero - 1;
    return towards_zero;
}

Exact operator+(const Exact& a, const Exact& b) {
    // Over the least common denominator, so that like fractions never grow.
    const std::int64_t b_factor = a.denominator_ / std::gcd(a.denominator_, b.denominator_);
    const std::int64_t denominator = times(b_factor, b.denominator_);
    const std::int64_t a_factor = denominator / a.denominator_;
    return {plus(times(a.numerator_, a_factor), times(b.numerator_, b_factor)), denominator};
}

Exact operator-(const Exact& a, const Exact& b) {
    return a + b * -1;
}

Exact operator*(const Exact& a, const Exact& b) {
    // Reduced crosswise first: the product is then in lowest terms and as small as it can be.
    const std::int64_t left = std::gcd(a.numerator_, b.denominator_);
    const std::int64_t right = std::gcd(b.numerator_, a.denominator_);
    return {times(a.numerator_ / left, b.numerator_ / right),
            times(a.denominator_ / right, b.denominator_ / left)};
}

Exact operator/(const Exact& a, const Exact& b) {
    return a * Exact(b.denominator_, b.numerator_);
}

std::string to_string(const Exact& value) {
    if (value.whole()) return std::to_string(value.numerator());
    return fmt::format("{}/{}", value.numerator(), value.denominator());
}

Exact parse_exact(std::string_view text) {
    const auto refuse = [&] {
        throw Error(
            fmt::format("'{}': expected a fraction like 13/32, 1 or 0.25", printable(text)));
    };
    const std::size_t mark = text.find_first_of("/.");
    const std::optional<std::int64_t> head = digits(text.substr(0, mark));
    if (!head) refuse();
    if (mark == std::string_view::npos) return *head;
    const std::string_view tail_text = text.substr(mark + 1);
    const std::optional<std::int64_t> tail = digits(tail_text);
    if (!tail) refuse();
    if (text[mark] == '/') {
        if (*tail == 0) refuse();
        return {*head, *tail};
    }
    std::int64_t unit = 1;
    for (std::size_t i = 0; i < tail_text.size(); ++i) unit *= 10;
    return *head + Exact(*tail, unit);
}

}  // namespace capra::model
