#include "exercises/2-router-scale/exercise.hpp"

#include <algorithm>
#include <cmath>

namespace capra::exercise {
namespace {

std::vector<double> stored(const std::vector<std::int32_t>& sums, double ratio) {
    std::vector<double> scores;
    for (const std::int32_t sum : sums)
        scores.push_back(std::clamp(std::trunc(sum * ratio), -128.0, 127.0));
    return scores;
}

std::ptrdiff_t route(const std::vector<double>& scores) {
    return std::max_element(scores.begin(), scores.end()) - scores.begin();
}

}  // namespace

std::uint32_t answer(const std::vector<std::int32_t>& sums, double ratio) {
    const auto chosen = route(stored(sums, ratio));
    for (std::uint32_t n = 999; n > 0; --n)
        if (route(stored(sums, ratio * n / 1000)) != chosen) return n;
    return 0;
}

}  // namespace capra::exercise
