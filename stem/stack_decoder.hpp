// Decodes of the STEM family on an engine.
#pragma once

#include "model/chip_decoder.hpp"
#include "sim/engine.hpp"
#include "stem/host_loop.hpp"
#include "stem/programs.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace capra::stem {

using model::ProgramRun;

struct DecodeOptions {
    /// Of each routed layer, in order; without them `calibrate_thresholds` to the layers' own
    /// capacities.
    std::vector<double> thresholds{};
    Overrides overrides{};
};

/// A whole decode. The programs must outlive it.
struct StackRun {
    std::vector<std::uint32_t> tokens;  ///< the start token, then one a step
    std::vector<StackStep> steps;
    std::vector<ProgramRun> runs;
    std::vector<std::size_t> first_runs;  ///< of each step, an index into `runs`

    [[nodiscard]] sim::Counters total() const;
    /// The programs of one step, counted from 1.
    [[nodiscard]] std::span<const ProgramRun> step_runs(std::uint32_t step) const;
    /// Their cycles.
    [[nodiscard]] std::uint64_t step_cycles(std::uint32_t step) const;
};

/// Decodes `steps` tokens from `start`, each step reading the token before.
StackRun decode(const StackPrograms& programs, sim::Engine& engine, std::uint32_t steps,
                std::uint32_t start, const DecodeOptions& options = {});

/// Reads the tokens given, whatever is predicted. The run's `tokens` are these.
StackRun read(const StackPrograms& programs, sim::Engine& engine,
              std::span<const std::uint32_t> tokens, const DecodeOptions& options = {});

/// Reads a sequence as a prefill does: each routed layer admits the ceil(C T) tokens with the
/// highest scores, after all of them have come to it. `capacities`: of each routed layer; without
/// them the layers' own.
StackRun prefill(const StackPrograms& programs, sim::Engine& engine,
                 std::span<const std::uint32_t> tokens, std::span<const double> capacities = {},
                 const Overrides& overrides = {});

/// The threshold of each routed layer at which it admits its capacity of the calibration text, by
/// the chip's own scores. A layer is calibrated after those before it. `capacities` as in
/// `prefill`.
std::vector<double> calibrate_thresholds(const StackPrograms& programs, sim::Engine& engine,
                                         std::span<const double> capacities = {});

}  // namespace capra::stem
