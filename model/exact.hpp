// Exact fractions in 64 bits, for amounts that must come out to the digit: a routed layer that
// admits 13/32 of its tokens costs 13/32 of its experts, and no rounding may creep in.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace capra::model {

/// A fraction in lowest terms, its denominator positive. Arithmetic whose result needs more than 64
/// bits is an Error, never a wrong number.
class Exact {
  public:
    Exact(std::int64_t whole = 0) : numerator_(whole) {}
    /// `denominator` must be positive.
    Exact(std::int64_t numerator, std::int64_t denominator);

    [[nodiscard]] std::int64_t numerator() const { return numerator_; }
    [[nodiscard]] std::int64_t denominator() const { return denominator_; }
    [[nodiscard]] bool whole() const { return denominator_ == 1; }
    /// The nearest integer, halves away from zero.
    [[nodiscard]] std::int64_t nearest() const;

    friend bool operator==(const Exact& a, const Exact& b) = default;
    friend Exact operator+(const Exact& a, const Exact& b);
    friend Exact operator-(const Exact& a, const Exact& b);
    friend Exact operator*(const Exact& a, const Exact& b);
    /// `b` must be positive.
    friend Exact operator/(const Exact& a, const Exact& b);
    Exact& operator+=(const Exact& other) { return *this = *this + other; }

  private:
    std::int64_t numerator_ = 0;
    std::int64_t denominator_ = 1;
};

/// "7" or "13/32".
std::string to_string(const Exact& value);

/// Reads "13/32", "1" or "0.25", all of them exact: digits, at most 9 of them on either side of the
/// `/` or the point, and no sign. An Error names the text.
Exact parse_exact(std::string_view text);

}  // namespace capra::model
