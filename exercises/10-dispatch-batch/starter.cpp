// Exercise 10: runs nothing, and predicts token 0 for everybody.
#include "exercises/10-dispatch-batch/exercise.hpp"

namespace capra::exercise {

std::vector<std::uint32_t> answer(const Experts& experts, const std::vector<Routed>& batch) {
    return std::vector<std::uint32_t>(batch.size(), 0);
}

}  // namespace capra::exercise
