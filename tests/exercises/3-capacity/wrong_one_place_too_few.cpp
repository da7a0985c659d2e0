#include "exercises/3-capacity/exercise.hpp"

namespace capra::exercise {

/// Counts the token, then asks whether there is still a place.
std::vector<bool> answer(const std::vector<std::uint32_t>& routes, std::uint32_t experts,
                         std::uint32_t capacity) {
    std::vector<std::uint32_t> count(experts);
    std::vector<bool> taken;
    for (const std::uint32_t expert : routes) {
        ++count[expert];
        taken.push_back(count[expert] < capacity);
    }
    return taken;
}

}  // namespace capra::exercise
