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
    const std::size_t k = (capacity.p * sorted.size() + capacity.q - 1) / capacity.q;
    Admission result{.tau = sorted[k - 1]};
    const std::size_t room = (capacity.p * decode.size() + capacity.q - 1) / capacity.q;
    std::size_t taken = 0;
    for (const std::int32_t score : decode) {
        const bool admitted = score >= result.tau && taken < room;
        result.admitted.push_back(admitted);
        taken += admitted ? 1 : 0;
    }
    return result;
}

}  // namespace capra::exercise
