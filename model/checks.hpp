// The laws the system must keep, each as a named check with its measured figure. The functions
// take what they check, so that a test can hand them something broken.
#pragma once

#include "compiler/quantise.hpp"
#include "model/chip_decoder.hpp"
#include "model/grouped.hpp"
#include "model/quality.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace capra::model {

struct Check {
    std::string name;
    bool ok = false;
    std::string detail;  ///< one line: what was compared and the figure measured
};

using Checks = std::vector<Check>;

/// True if every check of a non-empty list holds.
bool all_ok(const Checks& checks);

/// The steps of every decode that is checked.
inline constexpr std::uint32_t kCheckedSteps = 24;
/// Steps of the runs on random models.
inline constexpr std::uint32_t kRandomSteps = 12;

// --- checks_float.cpp: the models themselves, in double precision

/// Structured model: tokens go to their group's expert, the rule holds, wrong experts fail.
Checks structured_float_checks(const LanguageModel& model);
/// Random models of seeds 1-3: experts chosen and margins are the published ones.
Checks random_float_checks();

// --- checks_chip.cpp: decodes on the C++ machine against the float model and the interpreter

/// A compiled model and its decode from each of the 16 starts.
struct ChipRuns {
    CompiledModel compiled;
    std::vector<DecodeRun> runs;  ///< by start; they point into `compiled`

    ChipRuns(CompiledModel model, std::uint32_t steps);
    ChipRuns(const ChipRuns&) = delete;
    ChipRuns& operator=(const ChipRuns&) = delete;
};

/// The rule; route, logits and router scores against float; programs against the integer
/// interpreter.
Checks routed_checks(const ChipRuns& routed);
/// The dense decoder's tokens are the routed decoder's; its programs equal the interpreter.
Checks dense_checks(const ChipRuns& dense, const ChipRuns& routed);
/// One feed-forward block: the rule; programs equal the interpreter.
Checks single_checks(const ChipRuns& single);
/// A host that dispatches to route + 1 decodes only zeros from token 0.
Checks dispatch_checks(const CompiledModel& routed);

/// Output cells compared with the integer interpreter's, and how many of them differ.
struct CellComparison {
    std::uint64_t cells = 0;
    std::uint64_t different = 0;
};
/// Every output of a run against the interpreter's result for the graph its program came from.
CellComparison compare_with_interpreter(const compiler::QuantisedGraph& quantised,
                                        const ProgramRun& run);

// --- checks_handover.cpp: what the host carries from one program to the next

/// The programs that ran are those the router chose, on exactly the data produced before.
Checks handover_checks(const ChipRuns& routed);

// --- checks_cost.cpp: cycles, instructions and words against the published figures

/// Counters of A(1), A(8), A(24), B_e and B with two rows; instructions and words; independence
/// of the data; the decoder table; grouping.
Checks cost_checks(const ChipRuns& single, const ChipRuns& routed, const ChipRuns& dense);

// --- checks_quality.cpp: routes on random models

/// Route agreement, margins of the flips, and logits over seeds 1-30.
Checks random_chip_checks(const Quality& seeds_1_to_3, const Quality& seeds_4_to_30);

/// Called before each phase with what is about to be checked.
using Progress = std::function<void(std::string_view phase)>;

/// Everything above on the chapter's models.
Checks run_all_checks(const Progress& progress);

}  // namespace capra::model
