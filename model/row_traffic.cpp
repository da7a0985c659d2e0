#include "model/row_traffic.hpp"

#include "model/py_random.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace capra::model {
namespace {

/// One step of SplitMix64 (Steele, Lea, Flood 2014) from this state: 64 well mixed bits.
std::uint64_t mixed(std::uint64_t state) {
    std::uint64_t z = state + 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
}

}  // namespace

std::size_t distinct_rows(std::span<const std::uint32_t> tokens) {
    return std::unordered_set<std::uint32_t>(tokens.begin(), tokens.end()).size();
}

std::vector<std::uint32_t> batched_requests(std::span<const std::uint32_t> tokens,
                                            std::size_t batch) {
    assert(batch > 0);
    std::vector<std::uint32_t> requests;
    std::unordered_set<std::uint32_t> in_batch;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (i % batch == 0) in_batch.clear();
        if (in_batch.insert(tokens[i]).second) requests.push_back(tokens[i]);
    }
    return requests;
}

std::vector<std::uint32_t> hashed_experts(std::uint32_t token, std::uint32_t experts,
                                          std::uint32_t top) {
    assert(top > 0 && top <= experts);
    std::vector<std::pair<std::uint64_t, std::uint32_t>> hashes;
    for (std::uint32_t expert = 0; expert < experts; ++expert)
        hashes.emplace_back(mixed((std::uint64_t{token} << 32) | expert), expert);
    std::partial_sort(hashes.begin(), hashes.begin() + top, hashes.end(), std::greater<>());
    std::vector<std::uint32_t> chosen;
    for (std::uint32_t i = 0; i < top; ++i) chosen.push_back(hashes[i].second);
    return chosen;
}

std::vector<std::uint32_t> expert_stream(std::span<const std::uint32_t> tokens,
                                         std::uint32_t experts, std::uint32_t top) {
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> known;
    std::vector<std::uint32_t> stream;
    for (const std::uint32_t token : tokens) {
        const auto [entry, fresh] = known.try_emplace(token);
        if (fresh) entry->second = hashed_experts(token, experts, top);
        stream.insert(stream.end(), entry->second.begin(), entry->second.end());
    }
    return stream;
}

double mean_distinct(std::span<const std::uint32_t> items, std::size_t per_token,
                     std::size_t context) {
    const std::size_t length = per_token * context;
    const std::size_t contexts = items.size() / length;
    assert(contexts > 0);
    std::size_t sum = 0;
    for (std::size_t i = 0; i < contexts; ++i)
        sum += distinct_rows(items.subspan(i * length, length));
    return static_cast<double>(sum) / static_cast<double>(contexts);
}

std::vector<std::uint32_t> zipf_tokens(double exponent, std::uint32_t vocabulary, std::size_t count,
                                       std::uint32_t seed) {
    assert(vocabulary > 0);
    std::vector<double> below;  // [t]: weight of the tokens 0 to t
    double sum = 0;
    for (std::uint32_t t = 0; t < vocabulary; ++t)
        below.push_back(sum += std::pow(t + 1.0, -exponent));
    PyRandom rng(seed);
    std::vector<std::uint32_t> tokens;
    for (std::size_t i = 0; i < count; ++i) {
        // The product may round up to the sum itself, which no token is above.
        const auto at = std::upper_bound(below.begin(), below.end() - 1, rng.uniform() * sum);
        tokens.push_back(static_cast<std::uint32_t>(at - below.begin()));
    }
    return tokens;
}

}  // namespace capra::model
