// Decodes of the STEM family on an engine.
#pragma once

#include "model/chip_decoder.hpp"
#include "model/exact.hpp"
#include "sim/engine.hpp"
#include "stem/layered_read.hpp"
#include "stem/programs.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace capra::stem {

using model::ProgramRun;

struct DecodeOptions {
    /// Of each routed layer, in order; without them `calibrate_thresholds` gives those of the
    /// layers' own capacities, at the price of the calibration's runs.
    std::vector<double> thresholds{};
    Hooks hooks{};
};

/// A whole decode. The programs must outlive it.
struct StackRun {
    Tokens tokens{};  ///< the start token, then one a step
    std::vector<StackStep> steps{};
    std::vector<ProgramRun> runs{};            ///< in the order in which they ran
    std::vector<std::uint32_t> step_of_run{};  ///< parallel to `runs`, steps counted from 1

    [[nodiscard]] sim::Counters total() const;
    /// The programs of one step, counted from 1, in order.
    [[nodiscard]] std::vector<const ProgramRun*> step_runs(std::uint32_t step) const;
    /// Their cycles.
    [[nodiscard]] std::uint64_t step_cycles(std::uint32_t step) const;
};

/// Decodes `steps` tokens from `start`, each step reading the token before.
///
/// Errors: more steps than were compiled for, a hook that names no expert or row, thresholds
/// that are not one a routed layer.
StackRun decode(const StackPrograms& programs, sim::Engine& engine, std::uint32_t steps,
                std::uint32_t start, const DecodeOptions& options = {});

/// Reads the tokens given, whatever is predicted; `tokens` of the run are these. Errors as
/// `decode`.
StackRun read(const StackPrograms& programs, sim::Engine& engine, const Tokens& tokens,
              const DecodeOptions& options = {});

/// Reads a text as a prefill does: each routed layer admits its share of the tokens, those with the
/// highest scores, after all of them have come to it. `capacities`: one a routed layer, in order.
/// Errors as `decode`, and for one that is not above 0 up to 1.
StackRun prefill(const StackPrograms& programs, sim::Engine& engine, const Tokens& tokens,
                 std::span<const model::Exact> capacities, const Hooks& hooks = {});

/// The threshold of each routed layer at which it admits its capacity of `calibration_texts`, by
/// the chip's own scores. A layer is calibrated after those before it. Errors: capacities that are
/// not one a routed layer, or not above 0 up to 1.
std::vector<double> calibrate_thresholds(const StackPrograms& programs, sim::Engine& engine,
                                         std::span<const model::Exact> capacities);

}  // namespace capra::stem
