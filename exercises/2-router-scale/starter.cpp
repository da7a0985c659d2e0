// Exercise 2: says that no route ever flips, as in real numbers.
#include "exercises/2-router-scale/exercise.hpp"

namespace capra::exercise {

std::uint32_t answer(const std::vector<std::int32_t>& sums, double ratio) {
    return 0;
}

}  // namespace capra::exercise
