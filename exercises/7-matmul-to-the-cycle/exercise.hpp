// Exercise 7: a program generator for C = A B, and its cost to the cycle.
#pragma once

#include "exercises/verdict.hpp"
#include "isa/instruction.hpp"

#include <cstdint>
#include <vector>

namespace capra::exercise {

/// C (m x n) = round(A (m x k) times B (k x n) / 2^shift). External memory holds A, then B, row by
/// row and without a gap; C goes right behind B.
struct Matmul {
    std::uint32_t m = 0;
    std::uint32_t k = 0;      ///< at most 256
    std::uint32_t n = 0;      ///< m * n <= 1024, and A, B and C together have at most 8192 cells
    std::uint32_t shift = 0;  ///< of RQ
};

struct Plan {
    std::vector<isa::Instruction> code;  ///< ends in HALT
    /// ends[i]: the machine's total counter when code[i] has retired.
    std::vector<std::uint64_t> ends;
};

/// Yours: the program for these shapes, and the cycle in which each of its instructions ends.
Plan answer(const Matmul& shapes);

/// The grader.
Verdict grade(const decltype(answer)& candidate);

}  // namespace capra::exercise
