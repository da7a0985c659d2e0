// Random numbers exactly as CPython's `random.Random(seed)` yields them, so that the models here
// and a Python script on a student's desk are built from the same weights.
#pragma once

#include <cstdint>
#include <optional>
#include <random>

namespace capra::model {

/// A stream of CPython's `random.Random(seed)` for an integer seed below 2^32.
class PyRandom {
  public:
    explicit PyRandom(std::uint32_t seed);

    /// The next 32 bits, CPython's `getrandbits(32)`.
    std::uint32_t next_u32() { return static_cast<std::uint32_t>(engine_()); }

    /// Uniform in [0, 1) with 53 random bits, CPython's `random()`.
    double uniform();

    /// Normal with mean 0 and this standard deviation, CPython's `gauss(0, sd)`: trigonometric
    /// Box-Muller; the cosine is returned first, the sine kept for the next call.
    double gauss(double sd = 1.0);

  private:
    std::mt19937 engine_;
    std::optional<double> kept_sine_;
};

}  // namespace capra::model
