// Exercise 8: every scale is 1, and every weight is 0.
#include "exercises/8-quantise-layer/exercise.hpp"

namespace capra::exercise {

QuantisedLayer answer(const Layer& layer) {
    QuantisedLayer result{.x_scale = 1, .w_scale = 1, .y_scale = 1, .mult = 1, .shift = 0};
    result.weights.assign(layer.weights.size(), 0);
    return result;
}

}  // namespace capra::exercise
