// What random programs are drawn with: numbers, places and data.
#pragma once

#include "isa/numerics.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>

namespace capra::sim {

class Random {
  public:
    explicit Random(std::uint64_t seed) : engine_(seed) {}

    /// Uniform in [low, high].
    std::uint32_t between(std::uint32_t low, std::uint32_t high) {
        return low + static_cast<std::uint32_t>(engine_() % (std::uint64_t{high} - low + 1));
    }
    /// True once in `n`.
    bool one_in(std::uint32_t n) { return between(1, n) == 1; }
    /// Mostly short, now and then up to `high`: ragged sizes matter more than long ones.
    std::uint32_t length(std::uint32_t usual, std::uint32_t high) {
        return between(1, one_in(24) ? high : std::min(usual, high));
    }
    template <std::size_t N>
    std::uint32_t pick(const std::array<std::uint32_t, N>& from) {
        return from[between(0, N - 1)];
    }

  private:
    std::mt19937_64 engine_;
};

/// The stretch of a memory a program plays in. Small, so that buffers overlap; sometimes at the
/// very end, so that the last legal cell is used.
struct Arena {
    std::uint32_t base = 0;
    std::uint32_t size = 0;

    static Arena choose(Random& random, std::uint32_t cells, std::uint32_t usual) {
        const std::uint32_t size = std::min(cells, random.between(usual / 2, usual));
        const std::uint32_t last = cells - size;
        return {random.one_in(2) ? last : random.between(0, last), size};
    }
    [[nodiscard]] std::uint32_t address(Random& random) const {
        return base + random.between(0, size - 1);
    }
};

/// Two values only, the higher one rare: rows of these have a chance of softmax sums on the edge
/// of rounding.
struct TwoLevels {
    std::uint32_t apart = 1;
    std::int32_t low = 0;

    static TwoLevels choose(Random& random) {
        const std::uint32_t apart = random.between(1, 255);
        return {apart, static_cast<std::int32_t>(random.between(0, 255 - apart)) - 128};
    }
    [[nodiscard]] std::int8_t value(Random& random) const {
        return static_cast<std::int8_t>(low +
                                        (random.one_in(6) ? static_cast<std::int32_t>(apart) : 0));
    }
    /// The SM scale at which they are a factor of 2^16 apart, the last one that is not 0.
    [[nodiscard]] std::uint32_t last_scale() const {
        constexpr std::uint32_t kSixteen = isa::kSoftmaxMaxShift << isa::kSoftmaxScaleBits;
        return std::min(kSixteen / apart, 0xffffffU);
    }
};

inline std::int8_t data_value(Random& random, std::uint32_t style, const TwoLevels& levels) {
    constexpr std::array<std::uint32_t, 5> kExtremes = {0x80, 0x81, 0xff, 0x00, 0x7f};
    switch (style) {
        case 0:
            return -128;
        case 1:
            return 127;
        case 2:
            return static_cast<std::int8_t>(random.pick(kExtremes));
        case 3:
            return static_cast<std::int8_t>(random.between(0, 3));
        case 4:
            return levels.value(random);
        default:
            return static_cast<std::int8_t>(random.between(0, 255));
    }
}

}  // namespace capra::sim
