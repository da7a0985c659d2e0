// What a model does with each token on its own: scores, the expert chosen, and what the other
// experts would have said. In double precision.
#pragma once

#include "model/float_decoder.hpp"

#include <cstdint>
#include <vector>

namespace capra::model {

/// The model's step on each token alone, at context 1: [token].
std::vector<FloatStep> first_steps(const LanguageModel& model);

/// The token each expert predicts for each token alone, whatever the router says:
/// [token][expert].
std::vector<std::vector<std::uint32_t>> forced_predictions(const LanguageModel& model);

/// One hidden unit after relu.
struct HiddenUnit {
    std::uint32_t index = 0;
    double value = 0;
};

/// The hidden units above a threshold, by index.
std::vector<HiddenUnit> active_units(const Vector& hidden, double threshold);

}  // namespace capra::model
