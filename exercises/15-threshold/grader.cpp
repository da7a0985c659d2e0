// Grades exercise 15: thresholds and admissions, against a search through every int8.
#include "exercises/15-threshold/exercise.hpp"
#include "model/py_random.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <set>
#include <span>

namespace capra::exercise {
namespace {

using Scores = std::vector<std::int32_t>;

struct Case {
    Scores calibration;
    Capacity capacity;
    Scores decode;
};

std::uint64_t at_least(const Scores& scores, std::int32_t tau) {
    return static_cast<std::uint64_t>(
        std::ranges::count_if(scores, [&](auto s) { return s >= tau; }));
}

/// The least k with k / T not below p / q: the ceiling of C T.
std::uint64_t tokens_admitted(const Case& c) {
    std::uint64_t k = 0;
    while (k * c.capacity.q < c.capacity.p * c.calibration.size()) ++k;
    return k;
}

/// The highest int8 that so many of the scores reach.
std::int32_t threshold(const Scores& scores, std::uint64_t k) {
    std::int32_t tau = 127;
    while (at_least(scores, tau) < k) --tau;
    return tau;
}

std::vector<bool> admitted(const Scores& scores, std::int32_t tau) {
    std::vector<bool> result;
    for (const std::int32_t score : scores) result.push_back(score >= tau);
    return result;
}

Scores drawn(std::size_t count, double mean, double sd, std::uint32_t seed) {
    model::PyRandom random(seed);
    Scores scores;
    for (std::size_t i = 0; i < count; ++i)
        scores.push_back(static_cast<std::int32_t>(
            std::clamp(std::floor(mean + random.gauss(sd) + 0.5), -128.0, 127.0)));
    return scores;
}

std::vector<Case> cases() {
    Scores hundred;
    for (std::int32_t i = 0; i < 100; ++i) hundred.push_back(i * 37 % 100 - 50);
    return {{{9, -4, 17, 2, 30, 11, -20, 5}, {1, 4}, {17, 16, 18, -3}},
            {{9, -4, 17, 2, 30, 11, -20}, {1, 4}, {17, 16, 40, 16}},
            {{6, 6, 1, 6, 12, 3, 6, -8}, {3, 8}, {6, 5, 6, 6, 7}},
            {{-5, -90, -31, -31, -7}, {1, 1}, {-90, -91, 0}},
            {{-5, -90, -31, -31, -7}, {1, 8}, {-5, -6, -4}},
            {{42}, {1, 2}, {41, 42, 43}},
            {hundred, {7, 100}, drawn(50, 0, 30, 16)},
            {drawn(1000, 20, 40, 17), {13, 32}, drawn(200, -10, 40, 18)}};
}

std::string describe(const Case& c) {
    constexpr std::size_t kShown = 12;
    const std::string scores =
        c.calibration.size() > kShown
            ? fmt::format("{} calibration scores", c.calibration.size())
            : fmt::format("calibration scores {}", fmt::join(c.calibration, " "));
    return fmt::format("{}, C = {}/{}", scores, c.capacity.p, c.capacity.q);
}

Scores falling(Scores scores) {
    std::ranges::sort(scores, std::ranges::greater{});
    return scores;
}

/// The k-th of a list, 1 for the first; the last if there are not so many.
std::int32_t number(const Scores& scores, std::uint64_t k) {
    return scores[std::min(std::max<std::uint64_t>(k, 1), scores.size()) - 1];
}

Scores without_equals(const Scores& scores) {
    const std::set<std::int32_t> distinct(scores.begin(), scores.end());
    return falling({distinct.begin(), distinct.end()});
}

struct Mistake {
    std::function<std::int32_t(const Case&)> tau;
    std::string hint;
};

/// What people take for tau.
const std::vector<Mistake>& mistakes() {
    static const std::vector<Mistake> all = {
        {[](const Case& c) {
             return number(falling(c.calibration),
                           c.calibration.size() * c.capacity.p / c.capacity.q);
         },
         "C T was rounded down: a part of a token makes room for a whole one"},
        {[](const Case& c) {
             const double share = static_cast<double>(c.capacity.p) / c.capacity.q;
             const auto k = std::ceil(share * static_cast<double>(c.calibration.size()));
             return number(falling(c.calibration), static_cast<std::uint64_t>(k));
         },
         "p / q in floating point is a little more than p / q, and its ceiling one more"},
        {[](const Case& c) { return number(falling(c.calibration), tokens_admitted(c) + 1); },
         "this is the first score that is not among the ceil(C T) highest"},
        {[](const Case& c) {
             Scores rising = falling(c.calibration);
             std::ranges::reverse(rising);
             return number(rising, tokens_admitted(c));
         },
         "this is the C quantile, counted from the lowest score: the C highest are admitted"},
        {[](const Case& c) { return number(without_equals(c.calibration), tokens_admitted(c)); },
         "equal scores were counted once: each is a token of its own"},
        {[](const Case& c) {
             return threshold(c.decode, std::min(tokens_admitted(c), c.decode.size()));
         },
         "this tau comes from the scores of the decode, which nobody has before it is over"}};
    return all;
}

/// The mistake that gives all of these taus, of the first cases, if there is one.
std::string tau_hint(const std::vector<Case>& all, const std::vector<Admission>& got) {
    const auto answered = std::span(all).first(got.size());
    for (const Mistake& mistake : mistakes())
        if (std::ranges::equal(answered, got, {}, mistake.tau, &Admission::tau))
            return mistake.hint;
    return "sort the scores by hand and count from the highest";
}

std::string admission_hint(const Case& c, const Admission& got) {
    if (got.admitted == admitted(c.decode, got.tau + 1))
        return "a score that equals tau is admitted: the calibration counted it";
    auto inverted = got.admitted;
    inverted.flip();
    if (inverted == admitted(c.decode, got.tau)) return "these are the ones below tau";
    if (std::ranges::count(got.admitted, true) <
        std::ranges::count(admitted(c.decode, got.tau), true))
        return "a decode knows tau and no other score: it has no count to keep to";
    return "";
}

std::string list(const std::vector<bool>& flags) {
    std::string text;
    for (const bool flag : flags) text += flag ? "1" : "0";
    return text;
}

/// The answers so far, the last of them not yet checked.
std::optional<Verdict> check_tau(const std::vector<Case>& all, const std::vector<Admission>& got) {
    const Case& c = all[got.size() - 1];
    const std::uint64_t k = tokens_admitted(c);
    const std::int32_t want = threshold(c.calibration, k);
    if (got.back().tau == want) return std::nullopt;
    const auto reached = [&](std::int32_t tau) {
        return fmt::format("{}, which {} of {} reach", tau, at_least(c.calibration, tau),
                           c.calibration.size());
    };
    return Verdict{.law = "tau is the lowest of the ceil(C T) highest scores.",
                   .where = describe(c),
                   .expected = fmt::format("{}; ceil(C T) = {}", reached(want), k),
                   .got = reached(got.back().tau),
                   .hint = tau_hint(all, got)};
}

std::optional<Verdict> check_admission(const Case& c, const Admission& got) {
    const auto want = admitted(c.decode, got.tau);
    if (got.admitted == want) return std::nullopt;
    if (got.admitted.size() != want.size())
        return Verdict{.law = "There is an answer for every score of the decode.",
                       .where = describe(c),
                       .expected = std::to_string(want.size()),
                       .got = std::to_string(got.admitted.size())};
    const auto i = static_cast<std::size_t>(
        std::mismatch(want.begin(), want.end(), got.admitted.begin()).first - want.begin());
    return Verdict{
        .law = "A token is admitted if its score is not below tau.",
        .where = fmt::format("{}, tau = {}; token {} of the decode, score {}", describe(c), got.tau,
                             i, c.decode[i]),
        .expected = fmt::format("{}: {}", want[i] ? "admitted" : "not admitted", list(want)),
        .got = list(got.admitted),
        .hint = admission_hint(c, got)};
}

/// The dial: what a threshold admits of other scores than those it was calibrated on.
std::string measured(const decltype(answer)& candidate) {
    constexpr std::size_t kTokens = 4000;
    const Scores calibration = drawn(kTokens, 0, 30, 1);
    const Scores alike = drawn(kTokens, 0, 30, 2);
    const Scores shifted = drawn(kTokens, 10, 30, 3);
    const auto share = [&](const std::vector<bool>& flags) {
        return 100.0 * static_cast<double>(std::ranges::count(flags, true)) / kTokens;
    };
    std::string text = "drawn scores, percent admitted\n        C   tau  alike  10 higher";
    for (const Capacity c : {Capacity{1, 8}, {1, 4}, {1, 2}, {3, 4}, {1, 1}}) {
        const Admission a = candidate(calibration, c, alike);
        const Admission b = candidate(calibration, c, shifted);
        text += fmt::format("\n      {}/{} {:5} {:6.1f} {:10.1f}", c.p, c.q, a.tau,
                            share(a.admitted), share(b.admitted));
    }
    return text;
}

}  // namespace

Verdict grade(const decltype(answer)& candidate) {
    const std::vector<Case> all = cases();
    std::vector<Admission> got;
    // Each is checked before the next is asked for: a mistake is told before it crashes later.
    for (const Case& c : all) {
        got.push_back(candidate(c.calibration, c.capacity, c.decode));
        if (const auto verdict = check_tau(all, got)) return *verdict;
    }
    for (std::size_t i = 0; i < all.size(); ++i)
        if (const auto verdict = check_admission(all[i], got[i])) return *verdict;
    return {
        .passed = true, .law = "tau and admissions of eight slices", .got = measured(candidate)};
}

}  // namespace capra::exercise
