// Exercise 1: the host's part of a step that goes through two experts.
#pragma once

#include "exercises/verdict.hpp"
#include "isa/program.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace capra::exercise {

/// What program A left behind.
struct Attended {
    std::vector<std::int32_t> router;  ///< the stored score of each expert, -128..127
    std::vector<std::int32_t> h;       ///< the 16 stored values of the hidden state
    std::uint64_t cycles = 0;          ///< of A
};

/// A program's end: external memory as it left it, and how long it took.
struct Ran {
    std::vector<std::int32_t> memory;
    std::uint64_t cycles = 0;
};

struct Chip {
    /// Input h (1, 16), output y (1, 16).
    std::function<const isa::Program&(std::uint32_t expert)> first;
    /// Inputs h and y (1, 16), output token (1, 1).
    std::function<const isa::Program&(std::uint32_t expert)> second;
    /// Runs a program on this external memory.
    std::function<Ran(const isa::Program& program, const std::vector<std::int32_t>& memory)> run;
};

struct Step {
    std::uint32_t token = 0;
    std::uint64_t cycles = 0;  ///< of A and both expert programs
};

/// Yours: one step, from the router's scores to the token.
Step answer(const Chip& chip, const Attended& attended);

/// The grader.
Verdict grade(const decltype(answer)& candidate);

}  // namespace capra::exercise
