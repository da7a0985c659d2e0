// Exercise 9: the host loop of a decoder with a key and value cache.
#pragma once

#include "exercises/verdict.hpp"
#include "isa/program.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace capra::exercise {

/// What a host has: the programs of one decoder, the chip, and the embedding table.
struct Chip {
    /// programs[T - 1] decodes one token when T positions are cached, the new one included.
    /// Inputs: x (1, 16) and, when T > 1, k_cache and v_cache (T - 1, 16), oldest row first.
    /// Outputs: token (1, 1), and the new position's k and v (1, 16).
    std::span<const isa::Program> programs;

    /// Runs a program on this external memory and returns external memory as the program left it.
    /// The memory has `program.memory_words` words, one int8 value each.
    std::function<std::vector<std::int32_t>(const isa::Program& program,
                                            const std::vector<std::int32_t>& memory)>
        run;

    /// The 16 real values of a token's embedding.
    std::function<std::vector<double>(std::uint32_t token)> embedding;
};

/// Yours: decodes `steps` tokens from `start` and returns start and all of them, steps + 1 tokens.
/// Every step runs one program, and reads the token of the step before.
std::vector<std::uint32_t> answer(const Chip& chip, std::uint32_t start, std::uint32_t steps);

/// The grader.
Verdict grade(const decltype(answer)& candidate);

}  // namespace capra::exercise
