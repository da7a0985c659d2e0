// What a router row tells beside the route: the runner-up, and how high each score is.
#pragma once

#include "report/data.hpp"

#include <cstdint>

namespace capra::report {

/// Steps of the heat map's colours.
inline constexpr std::uint32_t kHeatLevels = 7;

/// Lowest and highest router score of all steps.
struct ScoreRange {
    double low = 0;
    double high = 0;

    /// 0 for the lowest to kHeatLevels - 1 for the highest, in equal parts.
    [[nodiscard]] std::uint32_t level(double score) const;
};

/// Of a decoder with a router.
ScoreRange score_range(const Decoder& decoder);

/// Steps in which the chip chose as the float model did.
std::uint32_t agreeing_routes(const Decoder& decoder);

}  // namespace capra::report
