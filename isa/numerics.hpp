// The numbers the ISA fixes: the rounding rule's constants, the softmax table and its widths.
#pragma once

#include <array>
#include <cstdint>

namespace capra::isa {

inline constexpr unsigned kSoftmaxScaleBits = 20;    ///< fraction bits of SM's scale field
inline constexpr unsigned kSoftmaxFractionBits = 8;  ///< fraction bits that address the table
inline constexpr unsigned kSoftmaxMaxShift = 16;     ///< larger exponents give 0
inline constexpr unsigned kSoftmaxReciprocalBits = 32;
inline constexpr std::int64_t kSoftmaxOne = 127;  ///< the int8 that stands for probability 1

/// A table of LUT has an entry for every value a byte can have.
inline constexpr std::uint32_t kLutEntries = 256;

/// EXP2[f] = 2^15 * 2^(-f/256), rounded to nearest; EXP2[0] = 32768.
const std::array<std::uint16_t, 256>& exp2_table();

}  // namespace capra::isa
