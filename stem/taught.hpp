// Blocks, tables and routers of a structured stack: the weights that say what stem/lessons.hpp has
// to be said.
#pragma once

#include "model/py_random.hpp"
#include "stem/lessons.hpp"

namespace capra::stem {

/// Words of the state's identity half, and where its output half begins.
inline constexpr std::uint32_t kHalf = kVocabulary;

/// Word `word` of a token's code.
double code(std::uint32_t token, std::uint32_t word);

/// A block with one detector unit a token, which says the token's answer; all else is noise.
Block taught_block(model::PyRandom& rng, const Answers& answers);

/// A block for rows that are combined in this way: it knows nothing of any token. What is beside an
/// additive row perturbs the state, `layers` of them as much as one.
Block row_block(model::PyRandom& rng, Combine combine, std::size_t layers);

/// Rows of the block above that say one answer each. (answers, words of a row)
Matrix taught_rows(model::PyRandom& rng, Combine combine, const Answers& answers);

/// Rows of one half of a multiplicative row. (answers, kSplitWords)
Matrix taught_half_rows(model::PyRandom& rng, const Answers& answers);

/// The row of token t is the pair of sub-keys t / 2 and 4 (t mod 2) + t / 4; a query answers to the
/// first sub-key of the token's neighbour t ^ 2 too, so the second row is that of the neighbour.
ProductKeyRows taught_keys(model::PyRandom& rng, Combine combine, const Answers& answers);

/// A router that gives each token the first expert of `expert_pair`, or for
/// `top` 2 both. (kWidth, kExperts)
Matrix taught_router(std::uint32_t top);

/// Scores of kScoreGain for the admitted, -kScoreGain for the others. (kWidth, 1)
Matrix taught_score(const TokenSet& admitted);

}  // namespace capra::stem
