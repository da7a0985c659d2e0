// Exercise 13: a cache for the rows of a table.
#pragma once

#include "exercises/verdict.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace capra::exercise {

/// The store of rows beside the accelerator.
struct Store {
    std::size_t batch = 1;        ///< tokens that are looked up together, at least 1
    std::size_t rows = 1;         ///< rows that the cache holds, at least 1
    std::uint64_t row_words = 1;  ///< words of a row
};

/// What a stream of tokens asked of it.
struct Traffic {
    std::uint64_t requests = 0;  ///< rows asked for, each once a batch
    std::uint64_t hits = 0;      ///< of those, the ones that were in the cache
    std::uint64_t words = 0;     ///< words fetched from the table

    friend bool operator==(const Traffic&, const Traffic&) = default;
};

/// Yours: serves the tokens batch by batch, from an empty cache.
Traffic answer(const std::vector<std::uint32_t>& tokens, const Store& store);

/// The grader.
Verdict grade(const decltype(answer)& candidate);

}  // namespace capra::exercise
