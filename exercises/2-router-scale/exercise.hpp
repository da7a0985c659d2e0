// Exercise 2: the scale of the router at which a route flips.
#pragma once

#include "exercises/verdict.hpp"

#include <cstdint>
#include <vector>

namespace capra::exercise {

/// Yours: the largest n from 1 to 999 for which the chip takes another expert at the factor n /
/// 1000 than at 1, or 0. `sums[e]` is what is accumulated for expert e; RQ multiplies it with
/// `ratio` times the factor to get the stored score.
std::uint32_t answer(const std::vector<std::int32_t>& sums, double ratio);

/// The grader.
Verdict grade(const decltype(answer)& candidate);

}  // namespace capra::exercise
