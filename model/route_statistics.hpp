// How the float router of random models chooses: how often each expert, and how clearly.
#pragma once

#include <cstdint>
#include <vector>

namespace capra::model {

/// Decisions of the float router, gathered over several models.
struct RouteStatistics {
    std::vector<std::uint32_t> chosen;  ///< decisions for each expert
    std::vector<double> margins;        ///< `route_margin` of the finite ones, ascending
    std::uint32_t decisions = 0;

    /// The middle margin, the mean of both middle ones for an even number; NaN without any.
    [[nodiscard]] double median_margin() const;
    /// How many margins are below a bound.
    [[nodiscard]] std::uint32_t margins_below(double bound) const;
    /// That number as a share of all margins, 0..1; NaN without any.
    [[nodiscard]] double share_below(double bound) const;
};

/// Random models (4 experts) of these seeds, decoded greedily for `steps` steps from each of the
/// 16 starts.
RouteStatistics measure_float_routes(std::uint32_t first_seed, std::uint32_t last_seed,
                                     std::uint32_t steps);

}  // namespace capra::model
