// The fuzz campaign: random programs on several engines, and the first difference shrunk.
#pragma once

#include "isa/program.hpp"
#include "isa/target.hpp"
#include "sim/replay.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace capra::sim {

/// Compares an engine with the machine on some programs; the first difference, if any.
using Comparison = std::function<ReplayReport(std::span<const Job>)>;

struct FuzzFailure {
    std::string engine;
    std::uint64_t seed = 0;  ///< of the program as it was drawn
    isa::Program program;    ///< shrunk, or as drawn where shrinking has yet to begin
    Divergence divergence;   ///< of `program`
};

struct FuzzReport {
    std::uint64_t programs = 0;
    std::uint64_t trapping = 0;  ///< of these, how many end in a trap
    std::uint64_t cycles = 0;    ///< simulated, on the first engine
    std::uint64_t cells = 0;     ///< compared, on all engines
    std::optional<FuzzFailure> failure;
};

/// Called with the number of programs done and asked for.
using FuzzProgress = std::function<void(std::uint64_t done, std::uint64_t of)>;

/// Called with the first difference before it is shrunk, which may take a while.
using FuzzFound = std::function<void(const FuzzFailure& drawn)>;

/// Runs programs seed, seed+1, ... on each engine against the machine, in batches, and stops at
/// the first difference, which is shrunk.
FuzzReport fuzz(std::uint64_t seed, std::uint64_t programs, const std::vector<std::string>& engines,
                const isa::Target& target, const FuzzProgress& progress = {},
                const FuzzFound& found = {});

/// As many comparisons as shrinking may take. It needs some hundreds; on the slowest engine this
/// many take a few minutes.
inline constexpr std::uint32_t kShrinkComparisons = 2000;

/// The smallest program found that `compare` still calls different: instructions removed, counts
/// and fields lowered, data zeroed, each step kept only while the difference remains and the
/// program stays defined. `program` itself must differ. After `comparisons` of them the best so
/// far is returned.
isa::Program shrink(const isa::Program& program, const isa::Target& target,
                    const Comparison& compare, std::uint32_t comparisons = kShrinkComparisons);

}  // namespace capra::sim
