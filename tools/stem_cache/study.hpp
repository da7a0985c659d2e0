// What stem_cache computes: streams of tokens, the rows they need, and what caches of rows save.
#pragma once

#include "model/row_cache.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace capra::tools {

struct StudyOptions {
    /// A text that every Debian has: base-files is an essential package, and this file of it has
    /// not changed since 2017.
    std::string text = "/usr/share/common-licenses/GPL-3";
    std::vector<std::string> streams = {"bytes", "bpe", "zipf"};
    std::uint32_t bpe_vocabulary = 1024;
    std::vector<double> exponents = {1.0, 1.2};  ///< one Zipf stream each
    std::uint32_t zipf_vocabulary = 32768;
    std::uint32_t seed = 1;
    std::size_t tokens = 131072;  ///< at most so many of each stream
    std::size_t batch = 16;
    std::uint32_t experts = 24;
    std::uint32_t top = 2;
    std::uint64_t row_words = 1536;
    std::uint64_t expert_words = 3 * 1024 * 512;  ///< of one expert: three matrices
};

struct TokenStream {
    std::string name;
    std::string source;  ///< the tokens in words
    std::uint32_t vocabulary = 0;
    std::vector<std::uint32_t> tokens;
};

inline constexpr std::array kPolicies = {model::CachePolicy::lfu, model::CachePolicy::lru,
                                         model::CachePolicy::belady};
inline constexpr std::array kPolicyNames = {"lfu", "lru", "belady"};

/// One size of cache, by policy.
struct CacheSize {
    std::size_t rows = 0;
    std::array<std::uint64_t, kPolicies.size()> misses = {};
};

/// The published hit rate of an LFU cache of table rows: above this.
inline constexpr std::uint64_t kPublishedPercent = 80;

/// One batch size: what deduplication leaves, and what cache then has the published hit rate.
struct BatchSize {
    std::size_t batch = 0;
    std::uint64_t requests = 0;
    std::array<std::optional<std::size_t>, kPolicies.size()> rows;  ///< none: no cache does
};

/// One length of context: means over all contexts of that length.
struct ContextLength {
    std::size_t tokens = 0;
    double rows = 0;
    double experts = 0;
};

struct StreamStudy {
    TokenStream stream;
    std::size_t distinct = 0;        ///< rows that the stream needs at least once
    std::uint64_t requests = 0;      ///< at the batch size of the options
    std::vector<CacheSize> caches;   ///< powers of two, from 1 to the first that holds all rows
    std::vector<BatchSize> batches;  ///< 1, 16, 256
    std::vector<ContextLength> contexts;  ///< powers of four and the whole stream
};

/// The streams in the order of the options. An Error for a text that cannot be read or is empty.
std::vector<TokenStream> make_streams(const StudyOptions& options);

/// `stream` must have a token.
StreamStudy study_stream(const StudyOptions& options, TokenStream stream);

}  // namespace capra::tools
