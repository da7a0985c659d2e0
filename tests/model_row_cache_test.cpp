// Caches of table rows: small streams worked by hand, naive caches beside the fast ones, and the
// laws of the policies.
#include "model/row_cache.hpp"

#include "model/row_traffic.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <vector>

namespace capra::model {
namespace {

using Rows = std::vector<std::uint32_t>;

constexpr std::array kAll = {CachePolicy::lfu, CachePolicy::lru, CachePolicy::belady};

std::array<std::uint64_t, 3> misses(const Rows& requests, std::size_t rows) {
    return {cache_misses(kAll[0], requests, rows), cache_misses(kAll[1], requests, rows),
            cache_misses(kAll[2], requests, rows)};
}

using Misses = std::array<std::uint64_t, 3>;

/// 1 2 3 1 with room for two: 3 puts out 1 (LFU: equal counts, least recent; LRU), and 1 misses
/// again; Belady puts out 2, which is never needed, and 1 is found.
TEST(RowCacheByHand, at_equal_counts_lfu_drops_the_least_recent) {
    EXPECT_EQ(misses({1, 2, 3, 1}, 2), (Misses{4, 4, 3}));
    EXPECT_EQ(misses({1, 2, 3, 2}, 2), (Misses{3, 3, 3}));
}

/// 1 1 2 3 1 with room for two: 3 puts out 2 (LFU), requested once, or 1 (LRU).
TEST(RowCacheByHand, lfu_keeps_the_frequent_row_that_lru_drops) {
    EXPECT_EQ(misses({1, 1, 2, 3, 1}, 2), (Misses{3, 4, 3}));
}

/// 1 1 2 2 2 3 1 2: 3 puts out 1 (two requests against three; LRU alike). Then 1 puts out 3 (LFU)
/// or 2 (LRU). Belady lets 3 put out 2 and 2 put out any.
TEST(RowCacheByHand, lfu_compares_all_requests_so_far) {
    EXPECT_EQ(misses({1, 1, 2, 2, 2, 3, 1, 2}, 2), (Misses{4, 5, 4}));
}

/// The count of a row outlives its stay. Room for two: 1 has 2 requests, 2 has 3; 3 puts out 1,
/// which comes back with its third request and puts out 3; now 1 and 2 have 3 each, and 4 puts out
/// 2, the less recent one, so 1 is found. With counts begun anew 1 would have gone.
TEST(RowCacheByHand, lfu_remembers_the_count_of_a_row_that_was_dropped) {
    EXPECT_EQ(cache_misses(CachePolicy::lfu, Rows{1, 1, 2, 2, 2, 3, 1, 4, 1}, 2), 5U);
    EXPECT_EQ(cache_misses(CachePolicy::lfu, Rows{1, 1, 2, 2, 2, 3, 1, 4, 2}, 2), 6U);
}

/// The textbook stream of Belady's anomaly paper, whose LRU and optimum are known: 10 and 7 misses
/// with room for three, 8 and 6 with room for four.
TEST(RowCacheByHand, the_textbook_stream_has_its_known_misses) {
    const Rows stream = {1, 2, 3, 4, 1, 2, 5, 1, 2, 3, 4, 5};
    EXPECT_EQ(misses(stream, 3)[1], 10U);
    EXPECT_EQ(misses(stream, 3)[2], 7U);
    EXPECT_EQ(misses(stream, 4)[1], 8U);
    EXPECT_EQ(misses(stream, 4)[2], 6U);
}

TEST(RowCacheByHand, a_cache_of_one_row_finds_repetitions_and_an_empty_stream_misses_nothing) {
    EXPECT_EQ(misses({7, 7, 0, 7, 7, 7}, 1), (Misses{3, 3, 3}));
    EXPECT_EQ(misses({}, 1), (Misses{0, 0, 0}));
    EXPECT_EQ(misses({0}, 1), (Misses{1, 1, 1}));
}

TEST(SmallestCache, is_the_first_size_above_the_hit_rate_and_not_at_it) {
    // Two rows in turn: one row of cache finds nothing, two rows find 8 of 10.
    const Rows turns = {1, 2, 1, 2, 1, 2, 1, 2, 1, 2};
    for (const CachePolicy policy : {CachePolicy::lfu, CachePolicy::lru}) {
        EXPECT_EQ(smallest_cache(policy, turns, 79), 2U);
        EXPECT_EQ(smallest_cache(policy, turns, 80), std::nullopt) << "8 of 10 is not above 80 %";
    }
    EXPECT_EQ(smallest_cache(CachePolicy::lru, Rows{4, 4}, 49), 1U);
    EXPECT_EQ(smallest_cache(CachePolicy::lru, Rows{4, 4}, 50), std::nullopt);
    EXPECT_EQ(smallest_cache(CachePolicy::lru, Rows{4, 4, 4, 5}, 49), 1U);
    EXPECT_EQ(smallest_cache(CachePolicy::lru, Rows{}, 0), std::nullopt);
    EXPECT_EQ(smallest_cache(CachePolicy::lru, Rows{1, 2, 3, 1, 2, 3}, 0), 3U);
}

Rows draw_stream() {
    const auto table = *rc::gen::inRange(1U, 12U);
    return *rc::gen::container<Rows>(rc::gen::inRange(0U, table));
}

std::size_t draw_size() {
    return *rc::gen::inRange<std::size_t>(1, 14);
}

/// The policies as their definitions read, looking through the whole stream for every decision.
std::uint64_t naive_misses(CachePolicy policy, const Rows& stream, std::size_t rows) {
    Rows cache;
    std::uint64_t misses = 0;
    for (std::size_t now = 0; now < stream.size(); ++now) {
        if (std::find(cache.begin(), cache.end(), stream[now]) != cache.end()) continue;
        ++misses;
        if (cache.size() == rows) {
            const auto before = stream.begin() + static_cast<std::ptrdiff_t>(now);
            const auto count = [&](std::uint32_t row) {
                return std::count(stream.begin(), before, row);
            };
            const auto last = [&](std::uint32_t row) {
                std::ptrdiff_t at = before - stream.begin() - 1;
                while (stream[static_cast<std::size_t>(at)] != row) --at;
                return at;
            };
            const auto next = [&](std::uint32_t row) {
                return std::find(before, stream.end(), row) - before;
            };
            const auto goes_first = [&](std::uint32_t a, std::uint32_t b) {
                if (policy == CachePolicy::belady) return next(a) > next(b);
                if (policy == CachePolicy::lru) return last(a) < last(b);
                return std::tuple(count(a), last(a)) < std::tuple(count(b), last(b));
            };
            cache.erase(std::min_element(cache.begin(), cache.end(), goes_first));
        }
        cache.push_back(stream[now]);
    }
    return misses;
}

RC_GTEST_PROP(RowCacheLaws, fast_caches_miss_as_naive_ones_do, ()) {
    const Rows stream = draw_stream();
    const std::size_t rows = draw_size();
    for (const CachePolicy policy : kAll)
        RC_ASSERT(cache_misses(policy, stream, rows) == naive_misses(policy, stream, rows));
}

/// All ways to choose the row that goes, tried one after the other.
std::uint64_t fewest_misses(const Rows& stream, std::size_t now, const Rows& cache,
                            std::size_t rows) {
    if (now == stream.size()) return 0;
    if (std::find(cache.begin(), cache.end(), stream[now]) != cache.end())
        return fewest_misses(stream, now + 1, cache, rows);
    Rows longer = cache;
    longer.push_back(stream[now]);
    if (longer.size() <= rows) return 1 + fewest_misses(stream, now + 1, longer, rows);
    std::uint64_t fewest = stream.size();
    for (std::size_t gone = 0; gone < cache.size(); ++gone) {
        Rows left = longer;
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(gone));
        fewest = std::min(fewest, fewest_misses(stream, now + 1, left, rows));
    }
    return 1 + fewest;
}

RC_GTEST_PROP(RowCacheLaws, belady_is_the_best_of_all_ways_to_drop_rows, ()) {
    const auto length = *rc::gen::inRange<std::size_t>(0, 10);
    const Rows stream = *rc::gen::container<Rows>(length, rc::gen::inRange(0U, 5U));
    const auto rows = *rc::gen::inRange<std::size_t>(1, 4);
    RC_ASSERT(cache_misses(CachePolicy::belady, stream, rows) ==
              fewest_misses(stream, 0, {}, rows));
}

RC_GTEST_PROP(RowCacheLaws, no_policy_beats_belady_and_no_larger_cache_misses_more, ()) {
    const Rows stream = draw_stream();
    for (std::size_t rows = 1; rows <= 12; ++rows) {
        const Misses here = misses(stream, rows);
        const Misses larger = misses(stream, rows + 1);
        RC_ASSERT(here[2] <= here[0]);
        RC_ASSERT(here[2] <= here[1]);
        for (std::size_t p = 0; p < kAll.size(); ++p) RC_ASSERT(larger[p] <= here[p]);
    }
}

RC_GTEST_PROP(RowCacheLaws, a_cache_for_all_rows_misses_each_once_and_smaller_ones_no_less, ()) {
    const Rows stream = draw_stream();
    const std::size_t distinct = distinct_rows(stream);
    for (const CachePolicy policy : kAll) {
        RC_ASSERT(cache_misses(policy, stream, std::max<std::size_t>(distinct, 1)) == distinct);
        RC_ASSERT(cache_misses(policy, stream, distinct + 3) == distinct);
        RC_ASSERT(cache_misses(policy, stream, draw_size()) >= distinct);
    }
}

RC_GTEST_PROP(RowCacheLaws, the_smallest_cache_suffices_and_one_row_less_does_not, ()) {
    const Rows stream = draw_stream();
    const auto percent = *rc::gen::inRange<std::uint64_t>(0, 100);
    for (const CachePolicy policy : kAll) {
        const auto suffices = [&](std::size_t rows) {
            return 100 * (stream.size() - naive_misses(policy, stream, rows)) >
                   percent * stream.size();
        };
        std::optional<std::size_t> first;
        for (std::size_t rows = 12; rows >= 1; --rows)
            if (suffices(rows)) first = rows;
        RC_ASSERT(smallest_cache(policy, stream, percent) == first);
    }
}

}  // namespace
}  // namespace capra::model
