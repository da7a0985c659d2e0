#include "tools/stem_cache/report.hpp"

#include "isa/thousands.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace capra::tools {
namespace {

std::string percent(std::uint64_t part, std::uint64_t all) {
    return fmt::format("{:.1f} %", 100.0 * static_cast<double>(part) / static_cast<double>(all));
}

std::string rows_or_never(const std::optional<std::size_t>& rows) {
    return rows ? thousands(*rows) : "never";
}

/// 24 -> "24", 3.25 -> "3.2".
std::string mean(double value) {
    if (value >= 1000) return thousands(static_cast<std::uint64_t>(value + 0.5));
    return fmt::format("{:.1f}", value);
}

}  // namespace

void print_streams(const StudyOptions& options, const std::vector<StreamStudy>& studies) {
    fmt::print(
        "Table rows outside the accelerator: what deduplication and a cache save\n\n"
        "1. The streams. Every token reads one row of the table, that of its number. A distinct "
        "row\n"
        "   has to be fetched at least once, whatever the cache.\n"
        "   Text: {}\n\n"
        "   {:<9} {:>8} {:>11} {:>14}   {}\n",
        options.text, "stream", "tokens", "vocabulary", "distinct rows", "what it is");
    for (const StreamStudy& study : studies)
        fmt::print("   {:<9} {:>8} {:>11} {:>14}   {}\n", study.stream.name,
                   thousands(study.stream.tokens.size()), thousands(study.stream.vocabulary),
                   thousands(study.distinct), study.stream.source);
    fmt::print("\n");
}

void print_caches(const StudyOptions& options, const std::vector<StreamStudy>& studies) {
    fmt::print(
        "2. Hit rate against the size of the cache. Batches of {} tokens in a row request each of\n"
        "   their distinct rows once; the hit rate is the share of the requests that find their "
        "row\n"
        "   in the cache, which starts empty. When it is full, LFU drops the row requested least\n"
        "   often so far (counts are kept of all rows; of equals the least recently requested "
        "goes),\n"
        "   LRU the row least recently requested, and Belady, the optimum, which knows the "
        "future,\n"
        "   the row whose next request is furthest ahead. A row is {} words. Words fetched: the "
        "rows\n"
        "   that LFU misses; beside them their share of all words without batches and cache.\n",
        options.batch, thousands(options.row_words));
    for (const StreamStudy& study : studies) {
        const std::uint64_t tokens = study.stream.tokens.size();
        fmt::print(
            "\n   {}: {} tokens, {} words without batches and cache; {} requests\n"
            "   {:>10} {:>17} {:>8} {:>8} {:>8} {:>16} {:>18}\n",
            study.stream.name, thousands(tokens), thousands(tokens * options.row_words),
            thousands(study.requests), "cache rows", "of distinct rows", "LFU", "LRU", "Belady",
            "words fetched", "of all words");
        for (const CacheSize& cache : study.caches) {
            const auto rate = [&](std::size_t policy) {
                return percent(study.requests - cache.misses[policy], study.requests);
            };
            fmt::print("   {:>10} {:>17} {:>8} {:>8} {:>8} {:>16} {:>18}\n", thousands(cache.rows),
                       percent(std::min(cache.rows, study.distinct), study.distinct), rate(0),
                       rate(1), rate(2), thousands(cache.misses[0] * options.row_words),
                       percent(cache.misses[0], tokens));
        }
    }
    fmt::print("\n");
}

void print_published(const std::vector<StreamStudy>& studies) {
    fmt::print(
        "3. The published hit rate of an LFU cache is above {} %. The smallest cache for which "
        "that\n"
        "   holds here, in rows; it holds for every larger one too. Never: not even a cache for "
        "every\n"
        "   row gets there, because the first request of a row always misses; `highest` is its "
        "hit\n"
        "   rate. A larger batch sends fewer requests, and those that it saves were easy to "
        "find.\n\n"
        "   {:<9} {:>6} {:>10} {:>13} {:>10} {:>8} {:>8} {:>8} {:>14}\n"
        "   {:<9} {:>6} {:>10} {:>13} {:>10} {:>8} {:>8} {:>8} {:>14}\n",
        kPublishedPercent, "stream", "batch", "requests", "requests", "highest", "LFU", "LRU",
        "Belady", "LFU, of all", "", "", "", "per token", "hit rate", "rows", "rows", "rows",
        "distinct rows");
    for (const StreamStudy& study : studies)
        for (const BatchSize& batch : study.batches)
            fmt::print("   {:<9} {:>6} {:>10} {:>13.2f} {:>10} {:>8} {:>8} {:>8} {:>14}\n",
                       study.stream.name, batch.batch, thousands(batch.requests),
                       static_cast<double>(batch.requests) /
                           static_cast<double>(study.stream.tokens.size()),
                       percent(batch.requests - study.distinct, batch.requests),
                       rows_or_never(batch.rows[0]), rows_or_never(batch.rows[1]),
                       rows_or_never(batch.rows[2]),
                       batch.rows[0] ? percent(*batch.rows[0], study.distinct) : "-");
    fmt::print("\n");
}

void print_contexts(const StudyOptions& options, const std::vector<StreamStudy>& studies) {
    fmt::print(
        "4. Capacity against the length of the context: how many distinct rows a context of so "
        "many\n"
        "   tokens touches, and how many of {} experts, {} for each token by a hash of the token\n"
        "   (hash-layer MoE). Means over all contexts of the stream. Experts run out, rows go on\n"
        "   growing. A row is {} words, an expert {}.\n\n"
        "   {:<9} {:>9} {:>14} {:>14} {:>16} {:>17}\n",
        options.experts, options.top, thousands(options.row_words), thousands(options.expert_words),
        "stream", "context", "rows touched", "words of rows", "experts touched",
        "words of experts");
    const auto words = [](double items, std::uint64_t each) {
        return thousands(static_cast<std::uint64_t>(items * static_cast<double>(each) + 0.5));
    };
    for (const StreamStudy& study : studies)
        for (const ContextLength& length : study.contexts)
            fmt::print("   {:<9} {:>9} {:>14} {:>14} {:>16.1f} {:>17}\n", study.stream.name,
                       thousands(length.tokens), mean(length.rows),
                       words(length.rows, options.row_words), length.experts,
                       words(length.experts, options.expert_words));
}

}  // namespace capra::tools
