#include "exercises/15-threshold/exercise.hpp"

#include <algorithm>
#include <functional>

namespace capra::exercise {

Admission answer(const std::vector<std::int32_t>& calibration, Capacity capacity,
                 const std::vector<std::int32_t>& decode) {
    // As many stay out as whole tokens fit into (1 - C) T.
    const std::uint64_t out = (capacity.q - capacity.p) * calibration.size() / capacity.q;
    std::vector<std::int32_t> scores = calibration;
    const auto at = scores.begin() + static_cast<std::ptrdiff_t>(out);
    std::nth_element(scores.begin(), at, scores.end());
    Admission result{.tau = *at};
    std::transform(decode.begin(), decode.end(), std::back_inserter(result.admitted),
                   [&](std::int32_t score) { return score >= result.tau; });
    return result;
}

}  // namespace capra::exercise
