#include "exercises/3-capacity/exercise.hpp"

namespace capra::exercise {

/// Walks the batch from its end.
std::vector<bool> answer(const std::vector<std::uint32_t>& routes, std::uint32_t experts,
                         std::uint32_t capacity) {
    std::vector<std::uint32_t> count(experts);
    std::vector<bool> taken(routes.size());
    for (std::size_t i = routes.size(); i-- > 0;) taken[i] = ++count[routes[i]] <= capacity;
    return taken;
}

}  // namespace capra::exercise
