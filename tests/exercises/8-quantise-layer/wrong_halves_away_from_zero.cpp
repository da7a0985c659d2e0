#include "exercises/8-quantise-layer/exercise.hpp"

#include <algorithm>
#include <cmath>

namespace capra::exercise {

QuantisedLayer answer(const Layer& layer) {
    double w_range = 0;
    for (const double w : layer.weights) w_range = std::max(w_range, std::fabs(w));
    QuantisedLayer result;
    result.x_scale = layer.x_range / 127;
    result.w_scale = w_range / 127;
    result.y_scale = layer.y_range / 127;
    for (const double w : layer.weights)
        result.weights.push_back(static_cast<std::int32_t>(std::round(w / result.w_scale)));

    const double ratio = result.x_scale * result.w_scale / result.y_scale;
    int exponent = 0;
    std::frexp(ratio, &exponent);
    int shift = 31 - exponent;
    double mult = std::floor(std::ldexp(ratio, shift) + 0.5);
    if (mult == std::ldexp(1.0, 31)) {
        mult /= 2;
        --shift;
    }
    result.mult = static_cast<std::uint32_t>(mult);
    result.shift = static_cast<std::uint32_t>(shift);
    return result;
}

}  // namespace capra::exercise
