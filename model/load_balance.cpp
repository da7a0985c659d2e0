#include "model/load_balance.hpp"

#include "model/py_random.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

namespace capra::model {

Shares uniform_shares(std::uint32_t experts) {
    assert(experts > 0);
    return Shares(experts, 1.0 / experts);
}

Shares measured_shares(std::span<const std::uint32_t> counts) {
    const double all = std::accumulate(counts.begin(), counts.end(), 0.0);
    assert(all > 0);
    Shares shares;
    for (const auto count : counts) shares.push_back(count / all);
    return shares;
}

double load_imbalance(const Shares& shares) {
    assert(!shares.empty());
    return *std::max_element(shares.begin(), shares.end()) * static_cast<double>(shares.size());
}

std::size_t drawn_expert(const Shares& shares, double u) {
    std::size_t expert = 0;
    while (expert + 1 < shares.size() && u >= shares[expert]) u -= shares[expert++];
    return expert;
}

double expected_distinct(const Shares& shares, std::uint32_t batch) {
    double expected = 0;
    for (const double share : shares) expected += 1 - std::pow(1 - share, batch);
    return expected;
}

std::vector<double> simulated_distinct(const Shares& shares, std::uint32_t largest_batch,
                                       std::uint32_t trials, std::uint32_t seed) {
    assert(!shares.empty() && trials > 0);
    PyRandom rng(seed);
    std::vector<double> distinct(largest_batch);
    for (std::uint32_t trial = 0; trial < trials; ++trial) {
        std::vector<bool> needed(shares.size());
        std::uint32_t count = 0;
        for (double& sum : distinct) {
            const auto expert = drawn_expert(shares, rng.uniform());
            if (!needed[expert]) ++count;
            needed[expert] = true;
            sum += count;
        }
    }
    for (double& sum : distinct) sum /= trials;
    return distinct;
}

}  // namespace capra::model
