// What ch17_example_a computes: a mixture of experts token by token, in float and on the chip.
#pragma once

#include "model/anatomy.hpp"
#include "model/chip_decoder.hpp"
#include "model/router_table.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace capra::tools {

/// The token that is followed step by step.
inline constexpr std::uint32_t kFollowedToken = 5;
/// Hidden units above this are shown; the others are noise of the weights.
inline constexpr double kActiveUnit = 0.05;
/// Steps of both decodes.
inline constexpr std::uint32_t kExampleSteps = 24;

/// One program with what its text says and what its run cost.
struct ShownProgram {
    std::string name;
    model::Anatomy anatomy;
    sim::Counters counters;
};

struct ExampleA {
    model::CompiledModel compiled;                   ///< structured model, seed 1, routed
    std::vector<model::FloatStep> first_steps;       ///< [token]
    std::vector<std::vector<std::uint32_t>> forced;  ///< [token][expert]: the token predicted
    model::ChipStep chip_step;                       ///< of the token followed, without cache
    model::Vector chip_x;                            ///< its embedding as the chip was given it
    model::DecodeRun right;                          ///< from token 0; the host runs the route
    model::DecodeRun off_by_one;                     ///< the host runs the route + 1
    std::vector<ShownProgram> programs;              ///< A(8), then B_1

    ExampleA();
    ExampleA(const ExampleA&) = delete;
    ExampleA& operator=(const ExampleA&) = delete;

    /// The float model's step on the token followed.
    [[nodiscard]] const model::FloatStep& followed() const { return first_steps[kFollowedToken]; }
};

}  // namespace capra::tools
