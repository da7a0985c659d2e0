// What the layers of a structured stack know: which tokens each of them answers, which experts a
// token belongs to, and what is said to it. No weights here: evidence for tokens.
#pragma once

#include "model/vectors.hpp"
#include "stem/plan.hpp"

#include <cstdint>
#include <vector>

namespace capra::stem {

using model::Vector;

/// Evidence for each token as the next one. (kVocabulary); empty for silence
using Answer = Vector;
/// One answer a token, or a row of a table.
using Answers = std::vector<Answer>;
using TokenSet = std::vector<bool>;  // (kVocabulary)

/// By how much a router prefers the first of two experts to the second: gates of 0.83 and 0.17.
inline constexpr double kPairLead = 1.6;
/// Admission scores are kScoreBias + kScoreGain for the admitted, kScoreBias - kScoreGain for the
/// others.
inline constexpr double kScoreBias = 2.0;
inline constexpr double kScoreGain = 1.0;

/// Tokens in the order of the successor rule from 0 on: each once.
std::vector<std::uint32_t> orbit();

/// The tokens that the `layer`-th of `layers` feed-forward layers answers: every `layers`-th of the
/// orbit.
TokenSet share(std::size_t layer, std::size_t layers);

/// The tokens that a routed layer with these tokens of its own admits: the ceiling of `capacity` of
/// all 16, spread evenly over its own first, beginning with the first, then over the others.
TokenSet admitted_tokens(const TokenSet& own, const model::Exact& capacity);

/// The experts of a token, best first: token / 4, and one of the others. Where there is one expert
/// a token, it is the first.
Experts expert_pair(std::uint32_t token);

/// Each token of `own` gets its successor, the others silence: a dense block, or a table of tokens.
Answers successors(const TokenSet& own);

/// The rows of `bigram_slot`, for pairs whose token is of `own`: the bigram rule.
Answers bigram_answers(const TokenSet& own);

/// A row in two parts, of which neither does alone: the pair's part names the right token, and
/// louder a decoy that depends on the token; the token's part takes that decoy away.
struct SplitAnswers {
    Answers token, pair;
};
SplitAnswers split_answers(const TokenSet& own);

/// Expert `e` of the top-1 experts that `expert_of` names for each token, the same number of tokens
/// for each: it takes every token of `own` for the one that has the same place among its own
/// tokens, and names the successor of that.
Answers lone_expert(const std::vector<std::uint32_t>& expert_of, std::uint32_t e,
                    const TokenSet& own);

/// Expert `e` of experts in pairs with a shared expert beside them. Weighed by the gates, the first
/// of a token's pair names the right token, as loudly a decoy, and louder a second decoy; the
/// second of the pair takes the first decoy away and names a third, which only its smaller weight
/// keeps down; an expert outside the pair shouts the first decoy. The shared expert takes the
/// second decoy away. Only all of them, each in its place, give the right token: evidence 1, the
/// decoys up to 0.5.
Answers expert_of_pair(std::uint32_t e, const TokenSet& own);
Answers shared_answers(const TokenSet& own);

/// A routed layer: the table names the right token to those that are not admitted and a decoy to
/// the admitted. The experts, in pairs as above, take that decoy away and name the right token to
/// the admitted; to the others they name a wrong one.
Answers routed_table(const TokenSet& own, const TokenSet& admitted);
Answers routed_expert(std::uint32_t e, const TokenSet& own, const TokenSet& admitted);

}  // namespace capra::stem
