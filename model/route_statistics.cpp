#include "model/route_statistics.hpp"

#include "model/float_decoder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace capra::model {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

void count(RouteStatistics& statistics, const FloatStep& step) {
    ++statistics.chosen[step.route];
    ++statistics.decisions;
    const double margin = route_margin(step.router);
    if (std::isfinite(margin)) statistics.margins.push_back(margin);
}

}  // namespace

double RouteStatistics::median_margin() const {
    if (margins.empty()) return kNan;
    return (margins[(margins.size() - 1) / 2] + margins[margins.size() / 2]) / 2;
}

std::uint32_t RouteStatistics::margins_below(double bound) const {
    return static_cast<std::uint32_t>(std::lower_bound(margins.begin(), margins.end(), bound) -
                                      margins.begin());
}

double RouteStatistics::share_below(double bound) const {
    if (margins.empty()) return kNan;
    return margins_below(bound) / static_cast<double>(margins.size());
}

RouteStatistics measure_float_routes(std::uint32_t first_seed, std::uint32_t last_seed,
                                     std::uint32_t steps) {
    RouteStatistics statistics;
    for (std::uint32_t seed = first_seed; seed <= last_seed; ++seed) {
        const auto model = random_model(seed);
        statistics.chosen.resize(model.experts);
        for (std::uint32_t start = 0; start < kVocabulary; ++start)
            for (const auto& step : decode_greedily(model, start, steps)) count(statistics, step);
    }
    std::sort(statistics.margins.begin(), statistics.margins.end());
    return statistics;
}

}  // namespace capra::model
