// Several sequences decoded in lock-step: at each step every sequence runs its own A, then the
// tokens that chose the same expert share one program, as many rows as there are tokens. A token
// that its expert does not take skips the layer, y = h, in a program of its own kind.
#pragma once

#include "model/chip_decoder.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace capra::model {

/// Which tokens of a step their experts take, in the order of the batch. Empty: all of them.
using Admit = std::function<std::vector<bool>(std::span<const std::uint32_t> routes)>;

/// The programs for the tokens of one step, for every number of them.
struct BatchPrograms {
    std::vector<std::vector<CompiledProgram>> experts;  ///< [rows - 1][e]
    std::vector<CompiledProgram> skip;                  ///< [rows - 1]
};

/// Programs for groups of up to `rows` tokens. Errors: a model compiled with more than one expert
/// a token or without router, a group that the target cannot hold.
BatchPrograms compile_batch(const CompiledModel& compiled, std::uint32_t rows);

/// One step of every sequence.
struct BatchStep {
    std::vector<ChipStep> tokens;  ///< by sequence; `experts` is empty where the token was dropped
    std::vector<ProgramRun> runs;  ///< A of each sequence, B of each expert asked for, the skip

    [[nodiscard]] sim::Counters total() const;
    /// The sequences whose token this expert took, ascending.
    [[nodiscard]] std::vector<std::size_t> taken_by(std::uint32_t expert) const;
    /// The sequences whose token no expert took, ascending.
    [[nodiscard]] std::vector<std::size_t> dropped() const;
};

/// A whole decode.
struct BatchRun {
    std::vector<BatchStep> steps;

    [[nodiscard]] sim::Counters total() const;
    /// The start token, then one a step.
    [[nodiscard]] std::vector<std::uint32_t> tokens(std::size_t sequence) const;
    /// What the router chose, one a step, whether or not the expert took the token.
    [[nodiscard]] std::vector<std::uint32_t> routes(std::size_t sequence) const;
    [[nodiscard]] std::size_t drops() const;
};

/// Decodes `steps` tokens from each of the start tokens. The programs, the compiled model and the
/// engine must outlive the result. Errors: no sequence, more of them than there are programs for,
/// more steps than were compiled, an `admit` that does not answer for every token.
BatchRun decode_batch(const CompiledModel& compiled, const BatchPrograms& programs,
                      sim::Engine& engine, std::uint32_t steps,
                      std::span<const std::uint32_t> starts, const Admit& admit = {});

}  // namespace capra::model
