// Grades exercise 13: what a cache of rows finds and fetches, against model/row_cache.hpp.
#include "exercises/13-row-cache/exercise.hpp"
#include "model/row_cache.hpp"
#include "model/row_traffic.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace capra::exercise {
namespace {

using Tokens = std::vector<std::uint32_t>;

struct Case {
    std::string name;
    Tokens tokens;
    Store store;
};

Case given(const Tokens& tokens, const Store& store) {
    return {fmt::format("tokens {}", fmt::join(tokens, " ")), tokens, store};
}

/// Of the first five, each small enough for paper, the third tells apart all that can go.
std::vector<Case> cases() {
    const Tokens drawn = model::zipf_tokens(1.0, 200, 3000, 13);
    return {given({3, 3, 5, 3, 5, 5}, {1, 8, 4}),
            given({7, 2, 7, 7, 2, 9, 2, 7}, {3, 8, 16}),
            given({4, 4, 3, 1, 3, 2, 4}, {1, 2, 16}),
            given({5, 4, 5, 4, 2, 1, 2, 3, 2, 3}, {1, 3, 16}),
            given({3, 1, 5, 4, 5, 1, 1}, {3, 2, 16}),
            {"3,000 drawn tokens", drawn, {1, 20, 32}},
            {"3,000 drawn tokens", drawn, {64, 40, 32}}};
}

std::string describe(const Case& c) {
    return fmt::format("{}, batches of {}, a cache of {} rows of {} words", c.name, c.store.batch,
                       c.store.rows, c.store.row_words);
}

Traffic right(const Case& c) {
    const Tokens requests = model::batched_requests(c.tokens, c.store.batch);
    const std::uint64_t misses =
        model::cache_misses(model::CachePolicy::lfu, requests, c.store.rows);
    return {requests.size(), requests.size() - misses, misses * c.store.row_words};
}

/// How people serve a batch, right and wrong.
enum class Requests { once_a_batch, every_token, once_for_ever, ascending, whole_batches };
/// Which row goes.
enum class Victim { lfu, lru, first_in, latest_of_equals, lowest_of_equals };

struct Rules {
    Requests requests = Requests::once_a_batch;
    Victim victim = Victim::lfu;
    bool counts_go = false;      ///< with the row that is evicted
    bool newest_may_go = false;  ///< the new row is put into the cache before one is chosen to go
    std::string hint{};
};

Tokens requests_of(const Case& c, Requests requests) {
    if (requests == Requests::every_token) return c.tokens;
    if (requests == Requests::once_for_ever)
        return model::batched_requests(c.tokens, c.tokens.size());
    Tokens tokens = c.tokens;
    if (requests == Requests::whole_batches)
        tokens.resize(tokens.size() / c.store.batch * c.store.batch);
    if (requests != Requests::ascending) return model::batched_requests(tokens, c.store.batch);
    Tokens result;
    for (std::size_t at = 0; at < tokens.size(); at += c.store.batch) {
        const std::size_t end = std::min(tokens.size(), at + c.store.batch);
        const std::set<std::uint32_t> batch(tokens.begin() + static_cast<std::ptrdiff_t>(at),
                                            tokens.begin() + static_cast<std::ptrdiff_t>(end));
        result.insert(result.end(), batch.begin(), batch.end());
    }
    return result;
}

struct History {
    std::uint64_t count = 0;
    std::uint64_t last = 0;  ///< number of the last request
    std::uint64_t fetched = 0;
};

/// The row with the smallest key is the one to go.
std::pair<std::uint64_t, std::uint64_t> key(Victim victim, const History& history) {
    switch (victim) {
        case Victim::lru:
            return {0, history.last};
        case Victim::first_in:
            return {0, history.fetched};
        case Victim::latest_of_equals:
            return {history.count, ~history.last};
        case Victim::lowest_of_equals:
            return {history.count, 0};
        default:
            return {history.count, history.last};
    }
}

/// A cache by these rules, plainly: every row is looked at to find the one to go.
Traffic served(const Case& c, const Rules& rules) {
    std::map<std::uint32_t, History> histories;
    std::set<std::uint32_t> cached;
    Traffic traffic;
    const auto evict = [&] {
        const std::uint32_t row = *std::ranges::min_element(
            cached, {}, [&](std::uint32_t r) { return key(rules.victim, histories[r]); });
        cached.erase(row);
        if (rules.counts_go) histories.erase(row);
    };
    for (const std::uint32_t row : requests_of(c, rules.requests)) {
        const bool hit = cached.contains(row);
        if (!hit && !rules.newest_may_go && cached.size() == c.store.rows) evict();
        History& history = histories[row];
        ++history.count;
        history.last = ++traffic.requests;
        if (!hit) history.fetched = traffic.requests;
        traffic.hits += hit ? 1 : 0;
        traffic.words += hit ? 0 : c.store.row_words;
        cached.insert(row);
        if (cached.size() > c.store.rows) evict();
    }
    return traffic;
}

const std::vector<Rules>& mistakes() {
    static const std::vector<Rules> all = {
        {.requests = Requests::every_token,
         .hint = "a token that is twice in a batch asks for its row once"},
        {.requests = Requests::once_for_ever,
         .hint = "a row is asked for once a batch: the next batch asks again"},
        {.requests = Requests::whole_batches, .hint = "the last batch may be smaller"},
        {.requests = Requests::ascending,
         .hint = "a batch asks in the order of its tokens, and not in ascending order"},
        {.victim = Victim::lru,
         .hint = "this is LRU: here the row goes that was asked for least often"},
        {.victim = Victim::first_in,
         .hint = "the row that came first goes: here it is the one asked for least often"},
        {.victim = Victim::latest_of_equals,
         .hint = "of rows that were asked for equally often the most recent one goes"},
        {.victim = Victim::lowest_of_equals,
         .hint = "of rows that were asked for equally often the one of the lowest token goes"},
        {.counts_go = true, .hint = "a row that comes back is counted from 0 again"},
        {.newest_may_go = true,
         .hint = "the new row itself may go: room is made before it is counted"}};
    return all;
}

/// The mistake that gives all of these answers, if there is one.
std::string hint_for(const std::vector<Case>& all, const std::vector<Traffic>& got) {
    for (const Rules& rules : mistakes())
        if (std::ranges::equal(all, got, {}, [&](const Case& c) { return served(c, rules); }))
            return rules.hint;
    if (std::ranges::all_of(got, [](const Traffic& t) { return t.hits == 0; }))
        return "no row is ever found: what was fetched stays in the cache";
    return "";
}

/// The first of the three numbers that is wrong.
std::optional<Verdict> check(const Traffic& want, const Traffic& got, std::uint64_t row_words) {
    if (got.requests != want.requests)
        return Verdict{.law = "Each batch asks for each row that it needs once.",
                       .expected = fmt::format("{} requests", want.requests),
                       .got = fmt::format("{} requests", got.requests)};
    if (got.hits != want.hits)
        return Verdict{.law = "A request is a hit if its row is in the cache.",
                       .expected = fmt::format("{} of {}", want.hits, want.requests),
                       .got = fmt::format("{} of {}", got.hits, got.requests)};
    if (got.words == want.words) return std::nullopt;
    Verdict verdict{.law = "Rows that are not in the cache are fetched, word by word.",
                    .expected = fmt::format("{} words", want.words),
                    .got = fmt::format("{} words", got.words)};
    if (got.words == want.requests * row_words) verdict.hint = "a hit fetches nothing";
    if (got.words == want.requests - want.hits) verdict.hint = "these are rows";
    return verdict;
}

/// What the student's caches find in a longer stream.
std::string measured(const decltype(answer)& candidate) {
    constexpr std::uint32_t kVocabulary = 4096;
    const Tokens tokens = model::zipf_tokens(1.0, kVocabulary, 20000, 1);
    const auto percent = [](const Traffic& t) {
        return 100.0 * static_cast<double>(t.hits) / static_cast<double>(t.requests);
    };
    std::string text = fmt::format(
        "20,000 tokens drawn from Zipf's law over {}\n"
        "          batches of 1      batches of 64\n"
        " rows    hits   fetched    hits   fetched",
        kVocabulary);
    for (const std::size_t rows : {16U, 64U, 256U, 1024U, 4096U}) {
        const Traffic one = candidate(tokens, {1, rows, 1});
        const Traffic many = candidate(tokens, {64, rows, 1});
        text += fmt::format("\n{:5}  {:5.1f} % {:8}  {:5.1f} % {:8}", rows, percent(one), one.words,
                            percent(many), many.words);
    }
    return text;
}

}  // namespace

Verdict grade(const decltype(answer)& candidate) {
    const std::vector<Case> all = cases();
    std::vector<Traffic> got;
    for (const Case& c : all) got.push_back(candidate(c.tokens, c.store));
    for (std::size_t i = 0; i < all.size(); ++i) {
        auto verdict = check(right(all[i]), got[i], all[i].store.row_words);
        if (!verdict) continue;
        verdict->where = describe(all[i]);
        if (verdict->hint.empty()) verdict->hint = hint_for(all, got);
        return *verdict;
    }
    return {.passed = true,
            .law = "requests, hits and words of seven streams",
            .got = measured(candidate)};
}

}  // namespace capra::exercise
