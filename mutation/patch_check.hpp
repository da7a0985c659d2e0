// The replay bench in Icarus over any version of the design: what the schema says of a mutant is
// checked as a real patch, in another simulator. Nothing is written to disk.
#pragma once

#include "mutation/mutant.hpp"
#include "mutation/rtl_checks.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace capra::mutation {

/// What a design does with some checks.
enum class DesignResult : std::uint8_t {
    equal,      ///< it runs every program as the C++ machine does
    different,  ///< the bench saw a difference, or the design failed in another way
    hangs,      ///< the simulation had to be stopped by the clock
    not_built,  ///< iverilog refuses it
};

/// The Verilog files of the design in this directory.
std::vector<std::string> design_files(const std::string& rtl_dir);

/// Replays the checks on a design; `source_dir` holds the bench and the headers.
DesignResult run_design(const std::string& source_dir, const std::vector<std::string>& files,
                        const isa::Target& target, std::span<const RtlCheck> checks);

/// The same for the project's design with one mutant in it. An Error when the mutant's file does
/// not hold what the mutant changes.
DesignResult run_patched(const std::string& source_dir, const Mutant& mutant,
                         const isa::Target& target, std::span<const RtlCheck> checks);

}  // namespace capra::mutation
