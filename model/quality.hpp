// How often the chip routes as the float model does, on models whose routes are not clear-cut.
#pragma once

#include "model/chip_decoder.hpp"
#include "model/worst.hpp"

#include <cstdint>
#include <vector>

namespace capra::model {

/// Below this margin of the float router int8 may well choose otherwise.
inline constexpr double kNearTie = 0.06;

/// One decision in which the chip's route differs from the float route.
struct RouteFlip {
    std::uint32_t seed = 0;
    std::uint32_t start = 0;
    std::uint32_t step = 0;  ///< from 1
    double margin = 0;       ///< of the float router, see `route_margin`
};

struct Quality {
    std::uint32_t decisions = 0;
    std::uint32_t route_agrees = 0;
    std::uint32_t token_agrees_same_route = 0;
    std::uint32_t token_agrees_flipped = 0;
    Worst logit_error;  ///< relative L2, over decisions whose routes agree
    double sum_logit_error = 0;
    std::vector<RouteFlip> flips;

    [[nodiscard]] double agreement() const;  ///< share of decisions, 0..1
    [[nodiscard]] double mean_logit_error() const;
    [[nodiscard]] Worst worst_margin() const;  ///< over all flips
    [[nodiscard]] std::uint32_t flips_at_or_above(double margin) const;

    Quality& operator+=(const Quality& other);
};

/// Teacher-forced: from each of the 16 starts, the float model decodes `steps` tokens and the
/// chip reads the same tokens, with its own int8 cache. Needs a routed model.
Quality measure_quality(const CompiledModel& compiled, sim::Engine& engine, std::uint32_t steps);

/// Random models of these seeds, compiled for `steps` steps, on the C++ machine.
Quality measure_random_models(std::uint32_t first_seed, std::uint32_t last_seed,
                              std::uint32_t steps,
                              compiler::WeightScales scales = compiler::WeightScales::per_tensor);

}  // namespace capra::model
