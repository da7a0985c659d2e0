#include "stem/taught.hpp"

#include "stem/random.hpp"

#include <bit>
#include <cmath>

namespace capra::stem {
namespace {

using model::PyRandom;

constexpr double kNoise = 0.02;           // sd of the entries that nothing is taught to
constexpr double kWriteNoise = 0.003;     // of those that write to the state
constexpr double kDetectorGain = 4.0;     // into the gate of the token's unit
constexpr double kOpen = 4.0;             // of a gate that opens for every token
constexpr double kPerturbingGate = 0.25;  // an additive row's block: enough to perturb the state,
constexpr double kPerturbingDown = 0.02;  // too little to change what is said
constexpr double kGateRow = 8.0;          // a row in place of the gate, over what it says
constexpr double kRouterGain = 2.0;       // router of one expert
constexpr double kSecond = 0.2;           // router of two: score of the second,
constexpr double kRest = -1.0;            // and of the others
constexpr double kQueryGain = 3.5;        // score of the right sub-key,
constexpr double kNeighbour = 2.0;        // and of the neighbour's

double silu(double x) {
    return x / (1 + std::exp(-x));
}

/// The sum of the codes, by evidence. (kHalf)
Vector spoken(const Answer& answer) {
    Vector words(kHalf);
    for (std::uint32_t t = 0; t < answer.size(); ++t)
        for (std::uint32_t d = 0; d < kHalf; ++d) words[d] += answer[t] * code(t, d);
    return words;
}

/// What turns every token's code into the same number.
void read_constant(Matrix& m, std::uint32_t unit, double value) {
    m.at(0, unit) = value / code(0, 0);
}

void read_token(Matrix& m, std::uint32_t column, std::uint32_t token, double gain) {
    for (std::uint32_t d = 0; d < kHalf; ++d) m.at(d, column) += gain * code(token, d);
}

/// By what either half of 32 words is multiplied.
struct Halves {
    double first, second;
};

/// A row holds what it says: in the output half of a state; as a gate, with its opposite beside it,
/// since silu(x) - silu(-x) = x; else twice by halves.
Halves row_halves(Combine combine) {
    switch (combine) {
        case Combine::additive:
            return {0, 1};
        case Combine::gate:
            return {kGateRow, -kGateRow};
        default:
            return {0.5, 0.5};
    }
}

/// Unit j and unit kHalf + j both write word j of the output half.
void write_halves(Matrix& wd, const Halves& by) {
    for (std::uint32_t j = 0; j < kHalf; ++j) {
        wd.at(j, kHalf + j) = by.first;
        wd.at(kHalf + j, kHalf + j) = by.second;
    }
}

}  // namespace

double code(std::uint32_t token, std::uint32_t word) {
    return std::popcount(token & word) % 2 == 0 ? 0.25 : -0.25;
}

Block taught_block(PyRandom& rng, const Answers& answers) {
    Block block;
    block.wg = drawn(rng, kWidth, kHidden, kNoise);
    block.wu = drawn(rng, kWidth, kHidden, kNoise);
    block.wd = drawn(rng, kHidden, kWidth, kWriteNoise);
    for (std::uint32_t t = 0; t < kVocabulary; ++t) {
        if (answers[t].empty()) continue;
        read_token(block.wg, t, t, kDetectorGain);
        read_token(block.wu, t, t, 1);
        const Vector words = spoken(answers[t]);
        for (std::uint32_t d = 0; d < kHalf; ++d)
            block.wd.at(t, kHalf + d) += words[d] / silu(kDetectorGain);
    }
    return block;
}

Block row_block(PyRandom& rng, Combine combine, std::size_t layers) {
    Block block;
    const bool added = combine == Combine::additive;
    if (combine != Combine::gate)
        block.wg = drawn(rng, kWidth, kHidden, added ? kPerturbingGate : kNoise);
    if (combine == Combine::dagger || combine == Combine::gate)
        block.wu = drawn(rng, kWidth, kHidden, kNoise);
    block.wd =
        drawn(rng, kHidden, kWidth,
              added ? kPerturbingDown / std::sqrt(static_cast<double>(layers)) : kWriteNoise);
    if (added) return block;
    Matrix& constant = combine == Combine::gate ? block.wu : block.wg;
    for (std::uint32_t unit = 0; unit < kHidden; ++unit)
        read_constant(constant, unit, combine == Combine::gate ? 1 : kOpen);
    if (combine == Combine::gate)
        write_halves(block.wd, {1 / kGateRow, -1 / kGateRow});
    else
        write_halves(block.wd, {1 / silu(kOpen), 1 / silu(kOpen)});
    return block;
}

Matrix taught_rows(PyRandom& rng, Combine combine, const Answers& answers) {
    const auto rows = static_cast<std::uint32_t>(answers.size());
    Matrix m = drawn(rng, rows, combine == Combine::additive ? kWidth : kHidden, kWriteNoise);
    const Halves halves = row_halves(combine);
    for (std::uint32_t r = 0; r < rows; ++r) {
        const Vector words = spoken(answers[r]);
        for (std::uint32_t d = 0; d < kHalf; ++d) {
            m.at(r, d) += halves.first * words[d];
            m.at(r, kHalf + d) += halves.second * words[d];
        }
    }
    return m;
}

Matrix taught_half_rows(PyRandom& rng, const Answers& answers) {
    const auto rows = static_cast<std::uint32_t>(answers.size());
    Matrix m = drawn(rng, rows, kSplitWords, kWriteNoise);
    for (std::uint32_t r = 0; r < rows; ++r) {
        const Vector words = spoken(answers[r]);
        for (std::uint32_t d = 0; d < kHalf; ++d) m.at(r, d) += words[d];
    }
    return m;
}

ProductKeyRows taught_keys(PyRandom& rng, Combine combine, const Answers& answers) {
    const auto first = [](std::uint32_t t) { return t / 2; };
    const auto second = [](std::uint32_t t) { return 4 * (t % 2) + t / 4; };
    ProductKeyRows table;
    table.query = drawn(rng, kWidth, 2 * kQueryHalf, kNoise);
    table.keys_1 = drawn(rng, kQueryHalf, kSubKeys, kNoise);
    table.keys_2 = drawn(rng, kQueryHalf, kSubKeys, kNoise);
    // Sub-keys are the codes of order 8, orthonormal as well.
    const auto sub_code = [](std::uint32_t key, std::uint32_t word) {
        return code(key, word) * std::sqrt(2.0);
    };
    for (std::uint32_t key = 0; key < kSubKeys; ++key)
        for (std::uint32_t d = 0; d < kQueryHalf; ++d) {
            table.keys_1.at(d, key) += sub_code(key, d);
            table.keys_2.at(d, key) += sub_code(key, d);
        }
    Answers rows(kSubKeys * kSubKeys);
    for (std::uint32_t t = 0; t < kVocabulary; ++t) {
        rows[first(t) * kSubKeys + second(t)] = answers[t];
        for (std::uint32_t d = 0; d < kQueryHalf; ++d) {
            read_token(table.query, d, t,
                       kQueryGain * sub_code(first(t), d) + kNeighbour * sub_code(first(t ^ 2), d));
            read_token(table.query, kQueryHalf + d, t, kQueryGain * sub_code(second(t), d));
        }
    }
    table.rows = taught_rows(rng, combine, rows);
    return table;
}

Matrix taught_router(std::uint32_t top) {
    Matrix wr{kWidth, kExperts, std::vector<double>(std::size_t{kWidth} * kExperts)};
    for (std::uint32_t t = 0; t < kVocabulary; ++t) {
        const Experts chosen = expert_pair(t);
        if (top == 1) {
            read_token(wr, chosen[0], t, kRouterGain);
            continue;
        }
        for (std::uint32_t e = 0; e < kExperts; ++e)
            read_token(wr, e, t,
                       e == chosen[0]   ? kSecond + kPairLead
                       : e == chosen[1] ? kSecond
                                        : kRest);
    }
    return wr;
}

Matrix taught_score(const TokenSet& admitted) {
    Matrix score{kWidth, 1, std::vector<double>(kWidth)};
    for (std::uint32_t t = 0; t < kVocabulary; ++t)
        read_token(score, 0, t, admitted[t] ? kScoreGain : -kScoreGain);
    return score;
}

}  // namespace capra::stem
