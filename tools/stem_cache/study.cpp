#include "tools/stem_cache/study.hpp"

#include "isa/error.hpp"
#include "isa/files.hpp"
#include "model/byte_pairs.hpp"
#include "model/row_traffic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace capra::tools {
namespace {

constexpr std::array<std::size_t, 3> kBatches = {1, 16, 256};

TokenStream zipf_stream(const StudyOptions& options, double exponent) {
    return {
        .name = fmt::format("zipf {}", exponent),
        .source = fmt::format("Zipf's law: chance as 1 / rank^{}, seed {}", exponent, options.seed),
        .vocabulary = options.zipf_vocabulary,
        .tokens =
            model::zipf_tokens(exponent, options.zipf_vocabulary, options.tokens, options.seed)};
}

TokenStream text_stream(const StudyOptions& options, const std::string& name) {
    const std::string text = read_file(options.text);
    if (text.empty()) throw Error(fmt::format("{}: no text to take tokens from", options.text));
    TokenStream stream{.name = name};
    if (name == "bytes") {
        stream.source = "the text's bytes";
        stream.vocabulary = model::kByteTokens;
        stream.tokens = model::bytes_of(text);
    } else {
        const auto pairs = model::BytePairs::learn(text, options.bpe_vocabulary);
        stream.source = "the text in byte pairs learnt from it";
        stream.vocabulary = pairs.vocabulary();
        stream.tokens = pairs.encode(text);
    }
    if (stream.tokens.size() > options.tokens) stream.tokens.resize(options.tokens);
    return stream;
}

std::vector<CacheSize> cache_sizes(const std::vector<std::uint32_t>& requests,
                                   std::size_t distinct) {
    std::vector<CacheSize> sizes;
    for (std::size_t rows = 1;; rows *= 2) {
        CacheSize size{.rows = rows};
        for (std::size_t p = 0; p < kPolicies.size(); ++p)
            size.misses[p] = model::cache_misses(kPolicies[p], requests, rows);
        sizes.push_back(size);
        if (rows >= distinct) return sizes;
    }
}

std::vector<BatchSize> batch_sizes(const std::vector<std::uint32_t>& tokens) {
    std::vector<BatchSize> sizes;
    for (const std::size_t batch : kBatches) {
        const auto requests = model::batched_requests(tokens, batch);
        BatchSize size{.batch = batch, .requests = requests.size()};
        for (std::size_t p = 0; p < kPolicies.size(); ++p)
            size.rows[p] = model::smallest_cache(kPolicies[p], requests, kPublishedPercent);
        sizes.push_back(size);
    }
    return sizes;
}

std::vector<ContextLength> context_lengths(const StudyOptions& options,
                                           const std::vector<std::uint32_t>& tokens) {
    const auto experts = model::expert_stream(tokens, options.experts, options.top);
    std::vector<ContextLength> lengths;
    const auto add = [&](std::size_t context) {
        lengths.push_back({.tokens = context,
                           .rows = model::mean_distinct(tokens, 1, context),
                           .experts = model::mean_distinct(experts, options.top, context)});
    };
    for (std::size_t context = 1; context < tokens.size(); context *= 4) add(context);
    add(tokens.size());
    return lengths;
}

}  // namespace

std::vector<TokenStream> make_streams(const StudyOptions& options) {
    std::vector<TokenStream> streams;
    for (const std::string& name : options.streams)
        if (name == "zipf")
            for (const double exponent : options.exponents)
                streams.push_back(zipf_stream(options, exponent));
        else
            streams.push_back(text_stream(options, name));
    return streams;
}

StreamStudy study_stream(const StudyOptions& options, TokenStream stream) {
    StreamStudy study{.stream = std::move(stream)};
    const auto& tokens = study.stream.tokens;
    study.distinct = model::distinct_rows(tokens);
    const auto requests = model::batched_requests(tokens, options.batch);
    study.requests = requests.size();
    study.caches = cache_sizes(requests, study.distinct);
    study.batches = batch_sizes(tokens);
    study.contexts = context_lengths(options, tokens);
    return study;
}

}  // namespace capra::tools
