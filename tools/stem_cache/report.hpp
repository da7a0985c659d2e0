// What stem_cache prints, section by section, and its JSON.
#pragma once

#include "tools/stem_cache/study.hpp"

#include <string>
#include <vector>

namespace capra::tools {

/// The streams: tokens, vocabulary, distinct rows.
void print_streams(const StudyOptions& options, const std::vector<StreamStudy>& studies);
/// Hit rate and words fetched against the size of the cache, by policy.
void print_caches(const StudyOptions& options, const std::vector<StreamStudy>& studies);
/// For which sizes the published hit rate holds, by batch size.
void print_published(const std::vector<StreamStudy>& studies);
/// Distinct rows and experts against the length of the context.
void print_contexts(const StudyOptions& options, const std::vector<StreamStudy>& studies);

/// {"text","seed","batch","row_words","experts","top","expert_words","published_percent",
///  "streams":[{"name","source","vocabulary","tokens","distinct_rows","requests",
///    "caches":[{"rows","lfu"|"lru"|"belady":{"misses","hit_rate","words_fetched"}}],
///    "batches":[{"batch","requests","most_hits","rows":{"lfu"|"lru"|"belady": rows or null}}],
///    "contexts":[{"tokens","rows","experts"}]}]}
/// `requests` and `caches` are those of "batch"; "most_hits" is the hit rate of a cache for every
/// row. Fractions are not rounded.
std::string study_json(const StudyOptions& options, const std::vector<StreamStudy>& studies);

}  // namespace capra::tools
