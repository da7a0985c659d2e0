#include "model/routing.hpp"

#include <algorithm>
#include <cassert>
#include <map>
#include <numeric>

namespace capra::model {

Experts top_experts(std::span<const double> scores, std::uint32_t top) {
    assert(top <= scores.size());
    Experts order(scores.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return scores[a] > scores[b]; });
    order.resize(top);
    return order;
}

std::uint32_t runner_up(std::span<const double> scores, std::uint32_t best) {
    assert(scores.size() >= 2);
    std::uint32_t second = best == 0 ? 1 : 0;
    for (std::uint32_t e = second + 1; e < scores.size(); ++e)
        if (e != best && scores[e] > scores[second]) second = e;
    return second;
}

std::vector<bool> within_capacity(std::span<const std::uint32_t> routes, std::uint32_t capacity) {
    std::map<std::uint32_t, std::uint32_t> taken;  // by expert
    std::vector<bool> admitted;
    for (const std::uint32_t expert : routes) admitted.push_back(++taken[expert] <= capacity);
    return admitted;
}

}  // namespace capra::model
