// A cache for rows of a table that lives outside the accelerator: how many rows have to be fetched
// when it holds only some of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace capra::model {

/// Which row goes when a row must be fetched and the cache is full. Every fetched row is kept, so
/// that one request later it is found.
enum class CachePolicy {
    /// The row requested least often so far; among equals, the least recently requested. Counts are
    /// kept when a row goes: whether row a goes before row b depends on the requests alone and not
    /// on the size of the cache. So a larger cache holds all that a smaller one does, as with the
    /// other policies (Mattson et al. 1970), and its hit rate is never lower.
    lfu,
    /// The row least recently requested.
    lru,
    /// The row whose next request is furthest ahead: the fewest misses that any policy can have
    /// which keeps every fetched row (Belady 1966). It knows the future, and serves as the bound.
    belady,
};

/// Requests whose row was not in the cache, which starts empty and holds `rows` (at least 1).
std::uint64_t cache_misses(CachePolicy policy, std::span<const std::uint32_t> requests,
                           std::size_t rows);

/// The fewest rows with which more than `percent` of all requests find their row; nothing if not
/// even a cache for every row suffices.
std::optional<std::size_t> smallest_cache(CachePolicy policy,
                                          std::span<const std::uint32_t> requests,
                                          std::uint64_t percent);

}  // namespace capra::model
