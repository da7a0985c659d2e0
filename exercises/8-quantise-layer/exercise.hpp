// Exercise 8: the numbers of a quantised layer.
#pragma once

#include "exercises/verdict.hpp"

#include <cstdint>
#include <vector>

namespace capra::exercise {

/// y = x W in real numbers, and what calibration saw.
struct Layer {
    std::uint32_t inputs = 0;
    std::uint32_t outputs = 0;
    std::vector<double> weights{};  // (inputs, outputs), row-major
    double x_range = 0;             ///< the largest |x| that was seen, > 0
    double y_range = 0;             ///< the largest |y| that was seen, > 0
};

/// What the compiler hands to the chip.
struct QuantisedLayer {
    double x_scale = 0;  ///< real value of one step of the stored x
    double w_scale = 0;
    double y_scale = 0;
    std::vector<std::int32_t> weights{};  // (inputs, outputs), each in -127..127
    std::uint32_t mult = 0;               ///< of RQ, below 2^31
    std::uint32_t shift = 0;              ///< of RQ, at most 63
};

/// Yours: quantises a layer. At least one weight is not 0.
QuantisedLayer answer(const Layer& layer);

/// The grader.
Verdict grade(const decltype(answer)& candidate);

}  // namespace capra::exercise
