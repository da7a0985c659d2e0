#include "exercises/15-threshold/exercise.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

namespace capra::exercise {

Admission answer(const std::vector<std::int32_t>& calibration, Capacity capacity,
                 const std::vector<std::int32_t>& decode) {
    std::vector<std::int32_t> sorted = calibration;
    std::sort(sorted.begin(), sorted.end(), std::greater<>());
    const std::size_t k = capacity.p * sorted.size() / capacity.q;
    Admission result{.tau = sorted.at(k - 1)};
    for (const std::int32_t score : decode) result.admitted.push_back(score >= result.tau);
    return result;
}

}  // namespace capra::exercise
