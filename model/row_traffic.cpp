#include "model/row_traffic.hpp"

#include "model/py_random.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace capra::model {
namespace {

/// The next number of SplitMix64 (Steele, Lea, Flood 2014): 64 well mixed bits.
std::uint64_t next_hash(std::uint64_t& state) {
    state += 0x9e3779b97f4a7c15U;
    std::uint64_t z = state;
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
    std::vector<std::uint32_t> order(experts);
    std::iota(order.begin(), order.end(), 0U);
    std::uint64_t state = token;
    for (std::uint32_t i = 0; i < top; ++i)
        std::swap(order[i], order[i + next_hash(state) % (experts - i)]);
    order.resize(top);
    return order;
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

std::uint32_t token_at(std::span<const double> bounds, double number) {
    const auto above = std::upper_bound(bounds.begin(), bounds.end(), number);
    return static_cast<std::uint32_t>(above - bounds.begin());
}

std::vector<std::uint32_t> zipf_tokens(double exponent, std::uint32_t vocabulary, std::size_t count,
                                       std::uint32_t seed) {
    assert(vocabulary > 0);
    std::vector<double> bounds;  // [t]: weight of the tokens 0 to t
    double sum = 0;
    for (std::uint32_t t = 0; t < vocabulary; ++t)
        bounds.push_back(sum += std::pow(t + 1.0, -exponent));
    PyRandom rng(seed);
    std::vector<std::uint32_t> tokens;
    for (std::size_t i = 0; i < count; ++i) {
        // A number below 1 with 53 bits: the product is below the sum, however it is rounded.
        tokens.push_back(token_at(bounds, rng.uniform() * sum));
    }
    return tokens;
}

}  // namespace capra::model
