// Exercise 15: admits every token, whatever the capacity.
#include "exercises/15-threshold/exercise.hpp"

namespace capra::exercise {

Admission answer(const std::vector<std::int32_t>& calibration, Capacity capacity,
                 const std::vector<std::int32_t>& decode) {
    return {.tau = -128, .admitted = std::vector<bool>(decode.size(), true)};
}

}  // namespace capra::exercise
