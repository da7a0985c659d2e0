// RTL mutants in one Verilated build that holds them all: select, run in a forked child, compare
// with the C++ machine instruction by instruction.
#pragma once

#include "mutation/rtl_checks.hpp"
#include "mutation/schema_core.hpp"
#include "mutation/suite.hpp"
#include "mutation/trial.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace capra::mutation {

struct RtlLaneOptions {
    unsigned jobs = 1;
    bool full = false;  ///< find every check that kills, not the first only
};

/// Tries the mutants; the result is in their order. A mutant that makes the simulation abort (a
/// Verilog assertion, a combinational loop) is killed by "assertion".
std::vector<Trial> try_rtl_mutants(std::span<const SchemaMutant> mutants, const RtlChecks& checks,
                                   RtlLaneOptions options, const TrialDone& done);

/// One line for the first check on which the schema with no mutant selected differs from the C++
/// machine; empty when it is the unbroken project.
std::string schema_baseline(const RtlChecks& checks);

}  // namespace capra::mutation
