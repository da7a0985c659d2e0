#include "stem/lessons.hpp"

#include <algorithm>
#include <cmath>

namespace capra::stem {
namespace {

using model::successor;

// A token's successor differs from it by 3 mod 4: none of these decoys is the token itself.
constexpr std::uint32_t kFirstDecoy = 4;  // ahead of the successor
constexpr std::uint32_t kSecondDecoy = 12;
constexpr std::uint32_t kThirdDecoy = 8;

// Evidence, in units of the right token's in the end.
constexpr double kLoud = 2.0;    // a decoy that has to be taken away
constexpr double kMuffle = 1.7;  // and what takes it away
constexpr double kRow = 1.5;  // a routed layer's row: louder than what the experts say in the end
// Of a pair of experts, the second's weighed by its gate, which is a fifth of the first's.
constexpr double kFirst = 1.4;
constexpr double kVeto = 5.0;
constexpr double kThird = 2.3;
constexpr double kShout = 3.0;

double sigmoid(double x) {
    return 1 / (1 + std::exp(-x));
}

std::uint32_t decoy(std::uint32_t token, std::uint32_t ahead) {
    return (successor(token) + ahead) % kVocabulary;
}

Answer just(std::uint32_t token) {
    Answer answer(kVocabulary);
    answer[token] = 1;
    return answer;
}

Answer scaled(Answer answer, double factor) {
    for (double& evidence : answer) evidence *= factor;
    return answer;
}

/// For each token of `own` what `say` tells it.
template <typename Say>
Answers answers_to(const TokenSet& own, Say say) {
    Answers answers(kVocabulary);
    for (const std::uint32_t t : orbit())
        if (own[t]) answers[t] = say(t);
    return answers;
}

/// Expert e to a token, when the first of its pair is to have this evidence of the second decoy.
Answer pair_answer(std::uint32_t e, std::uint32_t token, double second_decoy) {
    const Experts pair = expert_pair(token);
    Answer answer(kVocabulary);
    if (e == pair[0]) {
        answer[successor(token)] = 1;
        answer[decoy(token, kFirstDecoy)] = kFirst;
        answer[decoy(token, kSecondDecoy)] = second_decoy;
    } else if (e == pair[1]) {
        answer[decoy(token, kFirstDecoy)] = -kVeto;
        answer[decoy(token, kThirdDecoy)] = kThird;
    } else {
        answer[decoy(token, kFirstDecoy)] = kShout;
    }
    return scaled(answer, 1 / sigmoid(kPairLead));
}

}  // namespace

std::vector<std::uint32_t> orbit() {
    std::vector<std::uint32_t> tokens{0};
    while (tokens.size() < kVocabulary) tokens.push_back(successor(tokens.back()));
    return tokens;
}

TokenSet share(std::size_t layer, std::size_t layers) {
    const std::vector<std::uint32_t> tokens = orbit();
    TokenSet own(kVocabulary);
    for (std::size_t i = layer; i < tokens.size(); i += layers) own[tokens[i]] = true;
    return own;
}

TokenSet admitted_tokens(const TokenSet& own, const model::Exact& capacity) {
    std::vector<std::uint32_t> order = orbit();
    std::stable_partition(order.begin(), order.end(), [&](std::uint32_t t) { return own[t]; });
    // Of the first n of them the ceiling of capacity * n.
    const auto of_first = [&](std::size_t n) {
        const model::Exact many = capacity * static_cast<std::int64_t>(n);
        return (many.numerator() + many.denominator() - 1) / many.denominator();
    };
    TokenSet admitted(kVocabulary);
    for (std::size_t i = 0; i < order.size(); ++i)
        admitted[order[i]] = of_first(i + 1) > of_first(i);
    return admitted;
}

Experts expert_pair(std::uint32_t token) {
    const std::uint32_t first = token * kExperts / kVocabulary;
    return {first, (first + 1 + token % (kExperts - 1)) % kExperts};
}

Answers successors(const TokenSet& own) {
    return answers_to(own, [](std::uint32_t t) { return just(successor(t)); });
}

Answers bigram_answers(const TokenSet& own) {
    Answers answers(kBigramSlots);
    for (std::uint32_t previous = 0; previous <= kNoToken; ++previous)
        for (std::uint32_t t = 0; t < kVocabulary; ++t)
            if (own[t])
                answers[bigram_slot(previous, t, kBigramSlots)] =
                    just(next_token(Rule::bigram, previous, t));
    return answers;
}

SplitAnswers split_answers(const TokenSet& own) {
    // An odd distance from all answers to this token, and 2 mod 4 from the token.
    const auto decoy_of = [](std::uint32_t t) { return (successor(t) + 15) % kVocabulary; };
    SplitAnswers split{.pair = bigram_answers(own)};
    for (std::uint32_t slot = 0; slot < kBigramSlots; ++slot)
        if (!split.pair[slot].empty()) split.pair[slot][decoy_of(slot % kVocabulary)] = kLoud;
    split.token =
        answers_to(own, [&](std::uint32_t t) { return scaled(just(decoy_of(t)), -kMuffle); });
    return split;
}

Answers lone_expert(const std::vector<std::uint32_t>& expert_of, std::uint32_t e,
                    const TokenSet& own) {
    const auto tokens_of = [&](std::uint32_t expert) {
        std::vector<std::uint32_t> tokens;
        for (std::uint32_t t = 0; t < kVocabulary; ++t)
            if (expert_of[t] == expert) tokens.push_back(t);
        return tokens;
    };
    const std::vector<std::uint32_t> known = tokens_of(e);
    return answers_to(own, [&](std::uint32_t t) {
        const std::vector<std::uint32_t> group = tokens_of(expert_of[t]);
        const auto place = std::find(group.begin(), group.end(), t) - group.begin();
        return just(successor(known[static_cast<std::size_t>(place)]));
    });
}

Answers expert_of_pair(std::uint32_t e, const TokenSet& own) {
    return answers_to(own, [&](std::uint32_t t) { return pair_answer(e, t, kLoud); });
}

Answers shared_answers(const TokenSet& own) {
    return answers_to(
        own, [](std::uint32_t t) { return scaled(just(decoy(t, kSecondDecoy)), -kMuffle); });
}

Answers routed_table(const TokenSet& own, const TokenSet& admitted) {
    return answers_to(own, [&](std::uint32_t t) {
        return admitted[t] ? scaled(just(decoy(t, kSecondDecoy)), kLoud)
                           : scaled(just(successor(t)), kRow);
    });
}

Answers routed_expert(std::uint32_t e, const TokenSet& own, const TokenSet& admitted) {
    return answers_to(own, [&](std::uint32_t t) {
        if (admitted[t])
            return scaled(pair_answer(e, t, -kMuffle), 1 / sigmoid(kScoreBias + kScoreGain));
        Answer wrong = scaled(just(successor(t)), -kMuffle);
        wrong[decoy(t, kFirstDecoy)] = kLoud;
        return scaled(wrong, 1 / sigmoid(kScoreBias - kScoreGain));
    });
}

}  // namespace capra::stem
