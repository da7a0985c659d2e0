#include "model/py_random.hpp"

#include <cmath>
#include <numbers>

namespace capra::model {
namespace {

/// The seed sequence `init_by_array` of the Mersenne Twister's reference code, with the seed as
/// its only key word. std::mt19937 then takes the words as its state.
struct InitByArray {
    using result_type = std::uint32_t;
    std::uint32_t key;

    template <class Iterator>
    void generate(Iterator first, Iterator last) const {
        const auto size = static_cast<std::uint32_t>(last - first);
        first[0] = 19650218U;
        for (std::uint32_t i = 1; i < size; ++i)
            first[i] = 1812433253U * folded(static_cast<result_type>(first[i - 1])) + i;
        std::uint32_t i = 1;
        const auto advance = [&] {
            if (++i < size) return;
            first[0] = first[size - 1];
            i = 1;
        };
        for (std::uint32_t pass = 0; pass < size; ++pass, advance())
            first[i] = (first[i] ^ (folded(first[i - 1]) * 1664525U)) + key;
        for (std::uint32_t pass = 0; pass < size - 1; ++pass, advance())
            first[i] = (first[i] ^ (folded(first[i - 1]) * 1566083941U)) - i;
        first[0] = 0x80000000U;
    }

    static std::uint32_t folded(std::uint32_t word) { return word ^ (word >> 30); }
};

std::mt19937 seeded(std::uint32_t seed) {
    InitByArray sequence{seed};
    return std::mt19937(sequence);
}

}  // namespace

PyRandom::PyRandom(std::uint32_t seed) : engine_(seeded(seed)) {}

double PyRandom::uniform() {
    const double high = next_u32() >> 5;  // 27 bits
    const double low = next_u32() >> 6;   // 26 bits
    return (high * 67108864.0 + low) / 9007199254740992.0;
}

double PyRandom::gauss(double sd) {
    if (kept_sine_) {
        const double z = *kept_sine_;
        kept_sine_.reset();
        return z * sd;
    }
    const double angle = 2.0 * std::numbers::pi * uniform();
    const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
    kept_sine_ = std::sin(angle) * radius;
    return std::cos(angle) * radius * sd;
}

}  // namespace capra::model
