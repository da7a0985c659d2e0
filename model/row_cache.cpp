#include "model/row_cache.hpp"

#include "model/row_traffic.hpp"

#include <algorithm>
#include <cassert>
#include <compare>
#include <functional>
#include <queue>
#include <unordered_map>
#include <vector>

namespace capra::model {
namespace {

/// A request, and how much its row was worth keeping after it.
struct Request {
    std::uint64_t worth = 0;
    std::size_t place = 0;  ///< in the stream
    std::uint32_t row = 0;

    friend auto operator<=>(const Request& a, const Request& b) = default;
};

/// What is known of a row, in the cache or not.
struct History {
    bool cached = false;
    std::uint64_t requests = 0;
    std::size_t last = 0;  ///< place of its last request
};

using Histories = std::unordered_map<std::uint32_t, History>;

/// The least worthy request comes first. Requests that a later one of the same row has overtaken
/// stay in the queue until they come to the front: a hit then costs next to nothing.
using Queue = std::priority_queue<Request, std::vector<Request>, std::greater<>>;

/// Takes the row that is worth least out of the cache.
void evict(Queue& queue, Histories& histories) {
    while (histories[queue.top().row].last != queue.top().place) queue.pop();
    histories[queue.top().row].cached = false;
    queue.pop();
}

/// For each request how far the next one of the same row is from the end of all; 0 for none.
std::vector<std::size_t> next_from_end(std::span<const std::uint32_t> requests) {
    std::vector<std::size_t> next(requests.size());
    std::unordered_map<std::uint32_t, std::size_t> seen;
    for (std::size_t i = requests.size(); i-- > 0;) {
        next[i] = seen[requests[i]];
        seen[requests[i]] = requests.size() - i;
    }
    return next;
}

}  // namespace

std::uint64_t cache_misses(CachePolicy policy, std::span<const std::uint32_t> requests,
                           std::size_t rows) {
    assert(rows > 0);
    std::vector<std::size_t> next;
    if (policy == CachePolicy::belady) next = next_from_end(requests);
    Histories histories;
    Queue queue;
    std::size_t cached = 0;
    std::uint64_t misses = 0;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        History& history = histories[requests[i]];
        if (!history.cached) {
            ++misses;
            if (cached == rows)
                evict(queue, histories);
            else
                ++cached;
        }
        history.cached = true;
        history.last = i;
        ++history.requests;
        const std::uint64_t worth = policy == CachePolicy::lfu      ? history.requests
                                    : policy == CachePolicy::belady ? next[i]
                                                                    : i;
        queue.push({worth, i, requests[i]});
    }
    return misses;
}

std::optional<std::size_t> smallest_cache(CachePolicy policy,
                                          std::span<const std::uint32_t> requests,
                                          std::uint64_t percent) {
    const auto enough = [&](std::size_t rows) {
        const std::uint64_t hits = requests.size() - cache_misses(policy, requests, rows);
        return hits * 100 > percent * requests.size();
    };
    std::size_t high = distinct_rows(requests);
    if (high == 0 || !enough(high)) return std::nullopt;
    std::size_t low = 1;
    while (low < high) {
        const std::size_t middle = (low + high) / 2;
        if (enough(middle))
            high = middle;
        else
            low = middle + 1;
    }
    return high;
}

}  // namespace capra::model
