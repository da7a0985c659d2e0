#include "model/router_table.hpp"

namespace capra::model {

std::vector<FloatStep> first_steps(const LanguageModel& model) {
    std::vector<FloatStep> steps;
    for (std::uint32_t token = 0; token < kVocabulary; ++token)
        steps.push_back(FloatDecoder(model).step(token));
    return steps;
}

std::vector<std::vector<std::uint32_t>> forced_predictions(const LanguageModel& model) {
    std::vector<std::vector<std::uint32_t>> predictions(kVocabulary);
    for (std::uint32_t token = 0; token < kVocabulary; ++token)
        for (std::uint32_t expert = 0; expert < model.experts; ++expert)
            predictions[token].push_back(FloatDecoder(model).step(token, {expert}).token);
    return predictions;
}

std::vector<HiddenUnit> active_units(const Vector& hidden, double threshold) {
    std::vector<HiddenUnit> active;
    for (std::uint32_t i = 0; i < hidden.size(); ++i)
        if (hidden[i] > threshold) active.push_back({i, hidden[i]});
    return active;
}

}  // namespace capra::model
