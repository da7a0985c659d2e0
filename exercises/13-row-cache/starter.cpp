// Exercise 13: fetches a row for every token, as if there were neither batches nor a cache.
#include "exercises/13-row-cache/exercise.hpp"

namespace capra::exercise {

Traffic answer(const std::vector<std::uint32_t>& tokens, const Store& store) {
    return {.requests = tokens.size(), .hits = 0, .words = tokens.size() * store.row_words};
}

}  // namespace capra::exercise
