// The cache as a list in the order of worth, the first to go in front; every count is kept.
#include "exercises/13-row-cache/exercise.hpp"

#include <algorithm>
#include <unordered_map>

namespace capra::exercise {

Traffic answer(const std::vector<std::uint32_t>& tokens, const Store& store) {
    Traffic traffic;
    std::unordered_map<std::uint32_t, std::uint64_t> counts;
    std::vector<std::uint32_t> cache;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const auto batch = tokens.begin() + static_cast<std::ptrdiff_t>(i - i % store.batch);
        const auto token = tokens.begin() + static_cast<std::ptrdiff_t>(i);
        if (std::find(batch, token, *token) != token) continue;
        ++traffic.requests;
        ++counts[*token];
        const auto found = std::find(cache.begin(), cache.end(), *token);
        if (found != cache.end()) {
            ++traffic.hits;
            cache.erase(found);
        } else if (cache.size() == store.rows) {
            cache.erase(cache.begin());
        }
        const auto behind = std::upper_bound(
            cache.begin(), cache.end(), *token,
            [&](std::uint32_t a, std::uint32_t b) { return counts[a] < counts[b]; });
        cache.insert(behind, *token);
    }
    traffic.words = (traffic.requests - traffic.hits) * store.row_words;
    return traffic;
}

}  // namespace capra::exercise
