// Grades exercise 2: the student's factors against program A at each of 1,000 factors.
#include "compiler/compile.hpp"
#include "compiler/quantise.hpp"
#include "exercises/2-router-scale/exercise.hpp"
#include "model/chip_decoder.hpp"
#include "model/graphs.hpp"
#include "sim/model_engine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

namespace capra::exercise {
namespace {

constexpr std::uint32_t kParts = 1000;  // of a factor of 1

using Scores = std::vector<std::int32_t>;
using Answers = std::vector<std::uint32_t>;  // by token

/// Program A(1) of a model at each factor, on the chip.
class Sweep {
  public:
    explicit Sweep(const model::LanguageModel& language_model)
        : model_(language_model),
          compiled_(model::compile_model(language_model, model::DecoderKind::routed, 1)),
          stored_(kParts + 1) {
        for (std::uint32_t n = 1; n <= kParts; ++n) run_all_tokens(n);
        quantise_router();
    }

    /// The stored scores of a token at the factor n / 1000.
    [[nodiscard]] const Scores& scores(std::uint32_t n, std::uint32_t token) const {
        return stored_[n][token];
    }
    [[nodiscard]] std::uint32_t route(std::uint32_t n, std::uint32_t token) const {
        const Scores& s = scores(n, token);
        return static_cast<std::uint32_t>(std::max_element(s.begin(), s.end()) - s.begin());
    }
    [[nodiscard]] const std::vector<std::int32_t>& sums(std::uint32_t token) const {
        return sums_[token];
    }
    [[nodiscard]] double ratio() const { return ratio_; }

  private:
    void run_all_tokens(std::uint32_t n) {
        const auto scaled = model::with_router_scale(model_, static_cast<double>(n) / kParts);
        const isa::Program program =
            compiler::compile(model::attention_router_graph(scaled, 1),
                              compiled_.contexts[0].ranges, compiled_.target);
        sim::ModelEngine engine(compiled_.target);
        for (std::uint32_t token = 0; token < model::kVocabulary; ++token) {
            const auto run =
                model::run_program(engine, program, {{"x", model::embedding(model_, token)}});
            stored_[n].push_back(cells(run, "router"));
            if (n == kParts) h_.push_back(cells(run, "h"));
        }
    }

    static Scores cells(const model::ProgramRun& run, std::string_view name) {
        const auto& symbol = isa::find_symbol(*run.program, isa::SymbolKind::output, name);
        const auto first = run.result.memory.begin() + symbol.address;
        return {first, first + symbol.rows * symbol.cols};
    }

    /// The sums and the ratio at a factor of 1.
    void quantise_router() {
        const auto& entry = compiled_.contexts[0];
        const auto quantised = compiler::quantise(entry.graph, entry.ranges);
        for (std::size_t id = 0; id < quantised.nodes.size(); ++id) {
            if (quantised.graph.nodes[id].name != "scores_of_experts") continue;
            const auto& inputs = quantised.graph.nodes[id].inputs;
            const auto& wr = quantised.nodes[inputs[1]];
            ratio_ = quantised.nodes[inputs[0]].scale * wr.scale / quantised.nodes[id].scale;
            for (const Scores& h : h_) sums_.push_back(product(h, wr.weights));
        }
    }

    static Scores product(const Scores& h, const compiler::IntMatrix& wr) {
        Scores sums(wr.cols);
        for (std::uint32_t r = 0; r < wr.rows; ++r)
            for (std::uint32_t e = 0; e < wr.cols; ++e)
                sums[e] += h[r] * wr.values[r * wr.cols + e];
        return sums;
    }

    model::LanguageModel model_;
    model::CompiledModel compiled_;
    std::vector<std::vector<Scores>> stored_;  // [n][token]
    std::vector<Scores> h_;                    // [token]
    std::vector<Scores> sums_;                 // [token]
    double ratio_ = 0;
};

using Reals = std::vector<double>;

/// How a student may store a score, and tell from the stored scores, and those at a factor of 1,
/// that the chip takes another expert.
using Store = std::function<double(double sum, double ratio, double factor)>;
using Flips = std::function<bool(const Reals& scores, const Reals& at_1)>;

double half_up(double sum, double ratio, double factor) {
    return std::clamp(std::floor(sum * ratio * factor + 0.5), -128.0, 127.0);
}

bool first_of_largest(const Reals& scores, const Reals& at_1) {
    const auto first = [](const Reals& s) {
        return std::max_element(s.begin(), s.end()) - s.begin();
    };
    return first(scores) != first(at_1);
}

bool last_of_largest(const Reals& scores, const Reals& at_1) {
    const auto last = [](const Reals& s) { return std::max_element(s.rbegin(), s.rend()); };
    return last(scores) - scores.rbegin() != last(at_1) - at_1.rbegin();
}

bool tie_is_a_flip(const Reals& scores, const Reals& at_1) {
    return std::count(scores.begin(), scores.end(),
                      *std::max_element(scores.begin(), scores.end())) > 1 ||
           first_of_largest(scores, at_1);
}

/// Every factor at which the route of a token flips by these rules, ascending.
Answers flipping(const Sweep& sweep, std::uint32_t token, const Store& store, const Flips& flips) {
    const auto scores_at = [&](std::uint32_t n) {
        Reals scores;
        for (const std::int32_t sum : sweep.sums(token))
            scores.push_back(store(sum, sweep.ratio(), static_cast<double>(n) / kParts));
        return scores;
    };
    Answers result;
    for (std::uint32_t n = 1; n < kParts; ++n)
        if (flips(scores_at(n), scores_at(kParts))) result.push_back(n);
    return result;
}

/// By token, what `pick` makes of those factors; 0 where there are none.
Answers mistaken(const Sweep& sweep, const Store& store, const Flips& flips,
                 const std::function<std::uint32_t(const Answers&)>& pick) {
    Answers answers;
    for (std::uint32_t token = 0; token < model::kVocabulary; ++token) {
        const Answers all = flipping(sweep, token, store, flips);
        answers.push_back(all.empty() ? 0 : pick(all));
    }
    return answers;
}

std::uint32_t largest(const Answers& factors) {
    return factors.back();
}

/// The end of the factors without a gap from the smallest on.
std::uint32_t end_of_first_run(const Answers& factors) {
    std::size_t i = 1;
    while (i < factors.size() && factors[i] == factors[i - 1] + 1) ++i;
    return factors[i - 1];
}

/// The mistake that gives exactly these answers for all tokens.
std::string hint_for(const Sweep& sweep, const Answers& got) {
    const auto truncated = [](double s, double r, double f) { return std::trunc(s * r * f); };
    const auto floored = [](double s, double r, double f) { return std::floor(s * r * f); };
    const auto twice = [](double s, double r, double f) { return half_up(half_up(s, r, 1), f, 1); };
    const auto is = [&](const Store& store, const Flips& flips) {
        return got == mistaken(sweep, store, flips, largest);
    };
    if (got == Answers(got.size(), 0)) return "nothing ever flips: so it is in real numbers";
    if (is(truncated, first_of_largest)) return "the fraction is cut off; how does RQ round?";
    if (is(floored, first_of_largest)) return "RQ adds a half before it rounds down";
    if (is(twice, first_of_largest))
        return "the scores are rounded twice, before and after the factor; RQ rounds once";
    if (is(half_up, last_of_largest)) return "of equal scores AMAX takes the lowest index";
    if (is(half_up, tie_is_a_flip))
        return "a tie is no flip as long as the right expert has the lower index";
    if (got ==
        mistaken(sweep, half_up, first_of_largest, [](const Answers& all) { return all.front(); }))
        return "this is the smallest such n; the largest is asked for";
    if (got == mistaken(sweep, half_up, first_of_largest, end_of_first_run))
        return "routes flip, come back and flip again: search from the other end";
    return "store every score as RQ does, then pick as AMAX does, at each of the factors";
}

std::string at_factor(const Sweep& sweep, std::uint32_t n, std::uint32_t token) {
    return fmt::format("{}, where the chip stores {} and takes expert {}", n,
                       fmt::join(sweep.scores(n, token), " "), sweep.route(n, token));
}

std::uint32_t right(const Sweep& sweep, std::uint32_t token) {
    for (std::uint32_t n = kParts - 1; n > 0; --n)
        if (sweep.route(n, token) != sweep.route(kParts, token)) return n;
    return 0;
}

/// Empty if all tokens are right; then `flip` is the largest factor of any.
std::optional<Verdict> check(const decltype(answer)& candidate, const std::string& name,
                             const Sweep& sweep, std::uint32_t& flip) {
    Answers got;
    for (std::uint32_t token = 0; token < model::kVocabulary; ++token)
        got.push_back(candidate(sweep.sums(token), sweep.ratio()));
    for (std::uint32_t token = 0; token < model::kVocabulary; ++token) {
        const std::uint32_t want = right(sweep, token);
        flip = std::max(flip, want);
        if (got[token] == want) continue;
        Verdict verdict{
            .law = "n / 1000 is the largest factor below 1 at which the chip takes another expert.",
            .where = fmt::format("{} model, token {}, sums {};\nat 1 the chip stores {} and takes "
                                 "expert {}",
                                 name, token, fmt::join(sweep.sums(token), " "),
                                 fmt::join(sweep.scores(kParts, token), " "),
                                 sweep.route(kParts, token)),
            .expected = want == 0 ? "0: it never takes another" : at_factor(sweep, want, token),
            .got = std::to_string(got[token]),
            .hint = hint_for(sweep, got)};
        if (got[token] > 0 && got[token] < kParts)
            verdict.got = at_factor(sweep, got[token], token);
        return verdict;
    }
    return std::nullopt;
}

}  // namespace

Verdict grade(const decltype(answer)& candidate) {
    std::uint32_t structured = 0;
    std::uint32_t random = 0;
    if (auto verdict = check(candidate, "random", Sweep(model::random_model(3)), random))
        return *verdict;
    if (auto verdict =
            check(candidate, "structured", Sweep(model::structured_model(1)), structured))
        return *verdict;
    return {.passed = true,
            .law = "the factor at which each of 32 routes flips first, on the chip",
            .got = fmt::format("going down from 1, the first route of the random model flips at "
                               "{:.3f},\nthe first of the structured model at {:.3f}",
                               static_cast<double>(random) / kParts,
                               static_cast<double>(structured) / kParts)};
}

}  // namespace capra::exercise
