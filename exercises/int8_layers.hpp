// The chip's arithmetic on vectors, for graders that know what an answer must compute: plain
// loops after docs/isa.md that share nothing with the C++ machine.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace capra::exercise {

using Int8s = std::vector<std::int32_t>;  ///< each in -128..127
using Sums = std::vector<std::int32_t>;   ///< accumulators

/// What RQ and VMUL multiply with, and by how many bits they shift right, at least 1.
struct Ratio {
    std::int64_t mult = 1;
    int shift = 1;
};

inline std::int32_t to_int8(std::int64_t value) {
    return static_cast<std::int32_t>(std::clamp<std::int64_t>(value, -128, 127));
}

inline std::int32_t rescaled(std::int64_t value, Ratio ratio) {
    return to_int8((value * ratio.mult + (std::int64_t{1} << (ratio.shift - 1))) >> ratio.shift);
}

inline Int8s rescaled(const Sums& sums, Ratio ratio) {
    Int8s result;
    for (const std::int32_t sum : sums) result.push_back(rescaled(sum, ratio));
    return result;
}

/// x W, with W (x.size(), cols) row by row.
inline Sums product(const Int8s& x, const Int8s& w, std::size_t cols) {
    Sums sums(cols);
    for (std::size_t t = 0; t < x.size(); ++t)
        for (std::size_t j = 0; j < cols; ++j) sums[j] += x[t] * w[t * cols + j];
    return sums;
}

inline Int8s added(const Int8s& a, const Int8s& b) {
    Int8s result;
    for (std::size_t i = 0; i < a.size(); ++i) result.push_back(to_int8(a[i] + b[i]));
    return result;
}

inline Int8s multiplied(const Int8s& a, const Int8s& b, Ratio ratio) {
    Int8s result;
    for (std::size_t i = 0; i < a.size(); ++i) result.push_back(rescaled(a[i] * b[i], ratio));
    return result;
}

/// table[byte] of every value.
inline Int8s looked_up(const Int8s& values, const Int8s& table) {
    Int8s result;
    for (const std::int32_t value : values) result.push_back(table[value & 0xff]);
    return result;
}

/// `count` words of a memory from `first`.
inline Int8s words(const std::vector<std::int32_t>& memory, std::size_t first, std::size_t count) {
    const auto at = memory.begin() + static_cast<std::ptrdiff_t>(first);
    return {at, at + static_cast<std::ptrdiff_t>(count)};
}

}  // namespace capra::exercise
