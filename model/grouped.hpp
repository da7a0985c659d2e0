// Grouped execution: the tokens of a batch that chose the same expert share one program of several
// rows, so that the expert's weights are loaded once.
#pragma once

#include "model/chip_decoder.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace capra::model {

struct GroupedRun {
    std::vector<ProgramRun> runs;
    std::vector<std::uint32_t> tokens;  ///< one a step given, in the order given

    [[nodiscard]] std::uint64_t cycles() const;
};

/// Runs the feed-forward half of `steps` again, grouped by the expert that ran, as programs of
/// `programs` (`compile_expert_rows`, whose rows it takes). A group that does not fill its last
/// program repeats its last token there. `programs` and the engine must outlive the result.
GroupedRun run_grouped(const std::vector<CompiledProgram>& programs,
                       std::span<const ChipStep> steps, sim::Engine& engine);

}  // namespace capra::model
