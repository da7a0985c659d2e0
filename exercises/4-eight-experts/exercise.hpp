// Exercise 4: the cost of a step as a formula.
#pragma once

#include "exercises/verdict.hpp"

#include <cstdint>

namespace capra::exercise {

/// Cycles, as the chip counts them.
struct Cost {
    std::uint64_t matrix = 0;
    std::uint64_t dma = 0;
    std::uint64_t vector = 0;
    std::uint64_t control = 0;
};

/// Yours: one step of the routed decoder, A and one expert program. `context` (1..24) counts the
/// cached positions, the new one included; `experts` is 2, 4, 8 or 16.
Cost answer(std::uint32_t context, std::uint32_t experts);

/// The grader.
Verdict grade(const decltype(answer)& candidate);

}  // namespace capra::exercise
