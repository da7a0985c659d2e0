#include "model/quality.hpp"

#include <algorithm>

namespace capra::model {
namespace {

void compare(Quality& quality, const ChipStep& chip, const FloatStep& reference,
             const RouteFlip& place) {
    ++quality.decisions;
    const bool same_token = chip.token == reference.token;
    if (chip.route != reference.route) {
        quality.token_agrees_flipped += same_token ? 1 : 0;
        quality.flips.push_back(place);
        quality.flips.back().margin = route_margin(reference.router);
        return;
    }
    ++quality.route_agrees;
    quality.token_agrees_same_route += same_token ? 1 : 0;
    const double error = relative_l2(chip.logits, reference.logits);
    quality.logit_error.add(error);
    quality.sum_logit_error += error;
}

}  // namespace

double Quality::agreement() const {
    return decisions == 0 ? 0 : static_cast<double>(route_agrees) / decisions;
}

double Quality::mean_logit_error() const {
    return route_agrees == 0 ? 0 : sum_logit_error / route_agrees;
}

Worst Quality::worst_margin() const {
    Worst worst;
    for (const auto& flip : flips) worst.add(flip.margin);
    return worst;
}

std::uint32_t Quality::flips_at_or_above(double margin) const {
    return static_cast<std::uint32_t>(std::count_if(
        flips.begin(), flips.end(), [&](const auto& flip) { return flip.margin >= margin; }));
}

Quality& Quality::operator+=(const Quality& other) {
    decisions += other.decisions;
    route_agrees += other.route_agrees;
    token_agrees_same_route += other.token_agrees_same_route;
    token_agrees_flipped += other.token_agrees_flipped;
    logit_error += other.logit_error;
    sum_logit_error += other.sum_logit_error;
    flips.insert(flips.end(), other.flips.begin(), other.flips.end());
    return *this;
}

Quality measure_quality(const CompiledModel& compiled, sim::Engine& engine, std::uint32_t steps) {
    Quality quality;
    for (std::uint32_t start = 0; start < kVocabulary; ++start) {
        ChipDecoder chip(compiled, engine);
        const auto reference = decode_greedily(compiled.model, start, steps);
        for (std::uint32_t i = 0; i < steps; ++i)
            compare(quality, chip.step(reference[i].input), reference[i],
                    {compiled.model.seed, start, i + 1, 0});
    }
    return quality;
}

Quality measure_random_models(std::uint32_t first_seed, std::uint32_t last_seed,
                              std::uint32_t steps, compiler::WeightScales scales) {
    Quality total;
    for (std::uint32_t seed = first_seed; seed <= last_seed; ++seed) {
        const auto compiled = compile_model(random_model(seed), DecoderKind::routed, steps,
                                            isa::reference_target(), {.scales = scales});
        const auto engine = sim::make_engine("model", compiled.target);
        total += measure_quality(compiled, *engine, steps);
    }
    return total;
}

}  // namespace capra::model
