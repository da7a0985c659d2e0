// What a stream of tokens asks for: the distinct table rows of a batch or a context, and beside
// them the distinct experts that an MoE needs for the same tokens.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace capra::model {

/// How many different numbers there are.
std::size_t distinct_rows(std::span<const std::uint32_t> tokens);

/// The rows that batches of `batch` (at least 1) consecutive tokens request: each batch requests a
/// row once, at its first token that needs it. The last batch may be smaller.
std::vector<std::uint32_t> batched_requests(std::span<const std::uint32_t> tokens,
                                            std::size_t batch);

/// The `top` experts of a token under hash routing (hash-layer MoE, here with `top` at least 1 and
/// at most `experts`): the first of all experts as SplitMix64 shuffles them from the token as its
/// seed. A token's experts are always the same, and over many tokens all are used alike.
std::vector<std::uint32_t> hashed_experts(std::uint32_t token, std::uint32_t experts,
                                          std::uint32_t top);

/// The experts of every token, `top` after `top`.
std::vector<std::uint32_t> expert_stream(std::span<const std::uint32_t> tokens,
                                         std::uint32_t experts, std::uint32_t top);

/// The mean number of different items in a context of `context` tokens, of which each has
/// `per_token` items: over the whole contexts that follow each other from the start. There must be
/// at least one.
double mean_distinct(std::span<const std::uint32_t> items, std::size_t per_token,
                     std::size_t context);

/// The token that a number in [0, bounds.back()) stands for: the first whose bound is above it.
std::uint32_t token_at(std::span<const double> bounds, double number);

/// `count` tokens drawn from Zipf's law: of `vocabulary` tokens, number t has a probability
/// proportional to 1 / (t + 1)^exponent. Random numbers of PyRandom(seed).
std::vector<std::uint32_t> zipf_tokens(double exponent, std::uint32_t vocabulary, std::size_t count,
                                       std::uint32_t seed);

}  // namespace capra::model
