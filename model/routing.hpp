// What the host decides with the router's scores: which experts a token goes to, and which tokens
// an expert takes when many want it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace capra::model {

/// Experts in the order in which they run.
using Experts = std::vector<std::uint32_t>;

/// The `top` experts with the highest scores, at most as many as there are scores: best first, the
/// lower index first among equals. Scores are real numbers or stored integers, never NaN.
Experts top_experts(std::span<const double> scores, std::uint32_t top);

/// The highest score's index among the others than `best`, the lowest on a tie. At least two
/// scores.
std::uint32_t runner_up(std::span<const double> scores, std::uint32_t best);

/// Which tokens of a batch their expert takes, when no expert takes more than `capacity`: first
/// come, first served in the order of the batch, as in Switch Transformer (Fedus et al., 2021) and
/// GShard (Lepikhin et al., 2020). `routes` is the expert of each token.
std::vector<bool> within_capacity(std::span<const std::uint32_t> routes, std::uint32_t capacity);

}  // namespace capra::model
