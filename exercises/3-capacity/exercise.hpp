// Exercise 3: which tokens of a batch their experts take.
#pragma once

#include "exercises/verdict.hpp"

#include <cstdint>
#include <vector>

namespace capra::exercise {

/// Yours: for each token of one step, true if its expert takes it. `routes[i]`, 0 to experts - 1,
/// is the expert that token i chose; an expert takes at most `capacity` tokens.
std::vector<bool> answer(const std::vector<std::uint32_t>& routes, std::uint32_t experts,
                         std::uint32_t capacity);

/// The grader.
Verdict grade(const decltype(answer)& candidate);

}  // namespace capra::exercise
