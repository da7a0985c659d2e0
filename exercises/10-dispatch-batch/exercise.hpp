// Exercise 10: the dispatch of a batch to expert programs of several rows.
#pragma once

#include "exercises/verdict.hpp"
#include "isa/program.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace capra::exercise {

/// One token of the batch, after attention and router.
struct Routed {
    std::uint32_t expert = 0;     ///< what the router chose
    std::vector<std::int32_t> h;  ///< the 16 stored values of its hidden state
};

struct Experts {
    std::uint32_t count = 0;

    /// The program of an expert for 1, 2 or 4 tokens at once; no other number. Input h (rows, 16),
    /// output token (rows, 1). Every input h has the scale that `Routed::h` is stored with.
    std::function<const isa::Program&(std::uint32_t expert, std::uint32_t rows)> program;

    /// Runs a program on this external memory and returns external memory as the program left it.
    std::function<std::vector<std::int32_t>(const isa::Program& program,
                                            const std::vector<std::int32_t>& memory)>
        run;
};

/// Yours: the predicted token of every element of the batch, in the order of the batch.
std::vector<std::uint32_t> answer(const Experts& experts, const std::vector<Routed>& batch);

/// The grader.
Verdict grade(const decltype(answer)& candidate);

}  // namespace capra::exercise
