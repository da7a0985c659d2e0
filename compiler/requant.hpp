// Multiplier and shift of a requantise, from the real factor they stand for.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace capra::compiler {

/// y = round_half_up(x * mult / 2^shift), mult < 2^31, shift <= 63.
struct Requant {
    std::uint32_t mult = 0;
    std::uint32_t shift = 0;

    friend bool operator==(const Requant&, const Requant&) = default;
};

/// y = round_half_up(x * mults[column] / 2^shift), each multiplier below 2^16, shift <= 63.
struct ColumnRequant {
    std::vector<std::uint32_t> mults;
    std::uint32_t shift = 0;

    friend bool operator==(const ColumnRequant&, const ColumnRequant&) = default;
};

/// The requantise for a real factor: mult in [2^30, 2^31) whenever shift can be in 0..63, and
/// then within 2^-31 of the factor in relative terms. Factors below 2^-33 keep shift 63 and lose
/// bits of mult, down to 0. Empty for a factor that is not positive and finite or is 2^31 or
/// more.
std::optional<Requant> requant_for(double factor);

/// The requantise for one real factor a column. The largest one fixes the shift: its multiplier is
/// in [2^15, 2^16) whenever shift can be in 0..63, and all are then within 2^-16 of the largest
/// factor. Empty if `requant_for` refuses a factor, or if one is 2^16 or more.
std::optional<ColumnRequant> column_requant_for(std::span<const double> factors);

}  // namespace capra::compiler
