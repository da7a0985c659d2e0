// Mutants of the RTL as real patches, for those that lock-step in the schema does not see or cannot
// hold: the unit benches and the replay bench in Icarus, where what was never written is X, and the
// lint by Verilator and Yosys.
#pragma once

#include "mutation/mutant.hpp"
#include "mutation/rtl_checks.hpp"
#include "mutation/suite.hpp"

#include <span>
#include <string>
#include <vector>

namespace capra::mutation {

/// Names of the benches that elaborate this module, its own first: "bench/pe", "bench/mm_unit".
std::vector<std::string> benches_of(const std::string& source_dir, const std::string& module);

/// Tries mutants; the result is in their order. A killer is "bench/MODULE", "lint/verilator",
/// "lint/yosys" or "bench/replay", which runs the brief ones of the checks; the first is enough.
/// Throws Error when a mutant's file does not hold what the mutant changes.
std::vector<Trial> try_patches(const std::string& source_dir, std::span<const Mutant> mutants,
                               const RtlChecks& checks, unsigned jobs, const TrialDone& done);

/// One line for each of the benches, the replay bench excepted, and lints that the unbroken design
/// fails; empty when it passes all.
std::string patch_baseline(const std::string& source_dir, unsigned jobs);

}  // namespace capra::mutation
