#include "tools/stem_cache/report.hpp"

#include <nlohmann/json.hpp>

namespace capra::tools {
namespace {

using nlohmann::json;

double share(std::uint64_t part, std::uint64_t all) {
    return static_cast<double>(part) / static_cast<double>(all);
}

json caches_json(const StudyOptions& options, const StreamStudy& study) {
    json caches = json::array();
    for (const CacheSize& cache : study.caches) {
        json entry = {{"rows", cache.rows}};
        for (std::size_t p = 0; p < kPolicies.size(); ++p)
            entry[kPolicyNames[p]] = {
                {"misses", cache.misses[p]},
                {"hit_rate", share(study.requests - cache.misses[p], study.requests)},
                {"words_fetched", cache.misses[p] * options.row_words}};
        caches.push_back(std::move(entry));
    }
    return caches;
}

json batches_json(const StreamStudy& study) {
    json batches = json::array();
    for (const BatchSize& batch : study.batches) {
        json rows;
        for (std::size_t p = 0; p < kPolicies.size(); ++p)
            rows[kPolicyNames[p]] = batch.rows[p] ? json(*batch.rows[p]) : json();
        batches.push_back({{"batch", batch.batch},
                           {"requests", batch.requests},
                           {"most_hits", share(batch.requests - study.distinct, batch.requests)},
                           {"rows", std::move(rows)}});
    }
    return batches;
}

json contexts_json(const StreamStudy& study) {
    json contexts = json::array();
    for (const ContextLength& length : study.contexts)
        contexts.push_back(
            {{"tokens", length.tokens}, {"rows", length.rows}, {"experts", length.experts}});
    return contexts;
}

}  // namespace

std::string study_json(const StudyOptions& options, const std::vector<StreamStudy>& studies) {
    json streams = json::array();
    for (const StreamStudy& study : studies)
        streams.push_back({{"name", study.stream.name},
                           {"source", study.stream.source},
                           {"vocabulary", study.stream.vocabulary},
                           {"tokens", study.stream.tokens.size()},
                           {"distinct_rows", study.distinct},
                           {"requests", study.requests},
                           {"caches", caches_json(options, study)},
                           {"batches", batches_json(study)},
                           {"contexts", contexts_json(study)}});
    const json all = {{"text", options.text},
                      {"seed", options.seed},
                      {"batch", options.batch},
                      {"row_words", options.row_words},
                      {"experts", options.experts},
                      {"top", options.top},
                      {"expert_words", options.expert_words},
                      {"published_percent", kPublishedPercent},
                      {"streams", std::move(streams)}};
    return all.dump(1) + "\n";
}

}  // namespace capra::tools
