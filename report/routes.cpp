#include "report/routes.hpp"

#include <algorithm>

namespace capra::report {

std::uint32_t ScoreRange::level(double score) const {
    if (high <= low) return 0;
    const double share = (score - low) / (high - low);
    return std::min(kHeatLevels - 1, static_cast<std::uint32_t>(share * kHeatLevels));
}

ScoreRange score_range(const Decoder& decoder) {
    const double first = decoder.steps.front().routing->scores.front();
    ScoreRange range{first, first};
    for (const Step& step : decoder.steps)
        for (const double score : step.routing->scores) {
            range.low = std::min(range.low, score);
            range.high = std::max(range.high, score);
        }
    return range;
}

std::uint32_t agreeing_routes(const Decoder& decoder) {
    return static_cast<std::uint32_t>(std::ranges::count_if(decoder.steps, [](const Step& step) {
        return step.routing->route == step.routing->float_route;
    }));
}

}  // namespace capra::report
