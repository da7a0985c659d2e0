// How evenly a router spreads tokens over experts, and how many different experts a batch needs:
// each of them costs one load of its weights.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace capra::model {

/// The probability of each expert to be chosen; they add up to 1.
using Shares = std::vector<double>;

/// Every expert alike: 1 / experts each.
Shares uniform_shares(std::uint32_t experts);

/// Each expert's share of the decisions counted. `counts` must not all be 0.
Shares measured_shares(std::span<const std::uint32_t> counts);

/// The busiest expert's share over that of an even spread: 1 is perfect balance, the number of
/// experts is the worst.
double load_imbalance(const Shares& shares);

/// The expert whose part of [0, 1) holds u. Shares may add up to a little less than 1: what is
/// left belongs to the last.
std::size_t drawn_expert(const Shares& shares, double u);

/// The expected number of distinct experts that a batch of independent tokens needs:
/// the sum over experts of 1 - (1 - p)^batch. For uniform shares that is E (1 - (1 - 1/E)^batch).
double expected_distinct(const Shares& shares, std::uint32_t batch);

/// The same by drawing: the mean number of distinct experts among the first B tokens, at [B - 1],
/// for B = 1..largest_batch, over `trials` sequences of random tokens. The numbers come from
/// `PyRandom(seed)`, one uniform a token.
std::vector<double> simulated_distinct(const Shares& shares, std::uint32_t largest_batch,
                                       std::uint32_t trials, std::uint32_t seed);

}  // namespace capra::model
