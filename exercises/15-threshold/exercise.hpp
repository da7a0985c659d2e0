// Exercise 15: the threshold of a routed layer, and whom it admits.
#pragma once

#include "exercises/verdict.hpp"

#include <cstdint>
#include <vector>

namespace capra::exercise {

/// The share of tokens that a layer has room for: p / q, above 0 and at most 1.
struct Capacity {
    std::uint32_t p = 1;
    std::uint32_t q = 1;
};

struct Admission {
    std::int32_t tau = 0;
    std::vector<bool> admitted{};  ///< one for each score of the decode
};

/// Yours: tau from the scores of a calibration slice (at least one), then, with that tau, which
/// tokens of a decode are admitted. Scores are stored int8 values.
Admission answer(const std::vector<std::int32_t>& calibration, Capacity capacity,
                 const std::vector<std::int32_t>& decode);

/// The grader.
Verdict grade(const decltype(answer)& candidate);

}  // namespace capra::exercise
