// What ch17_example_b computes: what 8-bit integers do to routes, how tokens spread over experts,
// and what a batch costs.
#pragma once

#include "compiler/weight_scales.hpp"
#include "model/load_balance.hpp"
#include "model/quality.hpp"
#include "model/route_statistics.hpp"
#include "model/serving.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace capra::tools {

/// Random models of the seeds 1 to `last_seed`: the float routes, and the chip beside them.
struct RouteComparison {
    std::uint32_t last_seed = 0;
    model::RouteStatistics routes;
    model::Quality quality;

    /// Flips whose float margin is below a bound.
    [[nodiscard]] std::uint32_t flips_below(double margin) const {
        return static_cast<std::uint32_t>(quality.flips.size()) - quality.flips_at_or_above(margin);
    }
};

/// What a program is and what a run of it costs; sums over all programs of a decode.
struct ProgramCost {
    std::uint64_t instructions = 0;
    std::uint64_t words_loaded = 0;
    std::uint64_t cycles = 0;  ///< as counted by the run
};

/// The programs of a decode under one way to scale weights: A at the shown context, B of the
/// expert that followed it, and all of them.
struct ScalesCost {
    ProgramCost a;
    ProgramCost b;
    ProgramCost decode;
};

/// One scale for each output column of a weight, beside one for each weight.
struct PerChannel {
    RouteComparison three;  ///< seeds 1-3
    RouteComparison thirty;
    ScalesCost per_tensor;
    ScalesCost per_channel;
};

/// The mean number of distinct experts in a batch.
struct DistinctExperts {
    std::uint32_t batch = 0;
    double uniform_formula = 0;
    double uniform_simulated = 0;
    double skewed_formula = 0;
    double skewed_simulated = 0;
};

/// One way to run the expert programs of a batch.
struct BatchCost {
    std::uint32_t programs = 0;
    std::uint32_t rows = 0;  ///< tokens in each program
    sim::Counters each;      ///< of one program; all cost the same
    std::uint64_t cycles = 0;
};

struct Grouping {
    std::uint32_t first_step = 0;  ///< from 1
    std::uint32_t tokens = 0;
    std::uint32_t same_tokens = 0;  ///< tokens that do not change when grouped
    BatchCost separate;
    BatchCost grouped;

    [[nodiscard]] double ratio() const;  ///< grouped cycles over separate ones
};

/// Serving figures for one number of experts.
struct ServingRow {
    std::uint32_t experts = 0;
    double total_gb = 0;
    double experts_read = 0;      ///< in a step of the batch, on average
    double tokens_per_s_one = 0;  ///< at batch 1
    double tokens_per_s = 0;      ///< per request in the batch
};

/// Steps of the decode whose programs are compared under both scales, and the context of the A that
/// is shown.
inline constexpr std::uint32_t kScalesSteps = 24;
inline constexpr std::uint32_t kScalesContext = 8;
/// Batch of the serving figures.
inline constexpr std::uint32_t kServingBatch = 8;
/// Batches of the simulation: 1 to this.
inline constexpr std::uint32_t kLargestBatch = 32;
/// Sequences drawn by the simulation; the means are then good to about 0.001.
inline constexpr std::uint32_t kTrials = 1000000;

struct ExampleB {
    RouteComparison three;                  ///< seeds 1-3, those of the published figures
    RouteComparison thirty;                 ///< seeds 1-30
    model::Shares shares;                   ///< of the experts, float routes of seeds 1-3
    std::vector<DistinctExperts> distinct;  ///< [batch - 1]
    Grouping grouping;
    model::ServingAssumptions assumptions;
    std::vector<ServingRow> serving;
    std::optional<PerChannel> per_channel;  ///< when asked for; all else is one scale a weight
};

/// Computes everything, with a progress line. `seed` is that of the simulation.
ExampleB compute_example_b(std::uint32_t seed, compiler::WeightScales scales);

}  // namespace capra::tools
