// Grades exercise 3: the student's rule on paper, then in the host loop of the chip.
#include "exercises/3-capacity/exercise.hpp"
#include "model/batch_decoder.hpp"
#include "sim/model_engine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <optional>

namespace capra::exercise {
namespace {

using Routes = std::vector<std::uint32_t>;
using Taken = std::vector<bool>;

/// One step of a batch.
struct Step {
    Routes routes;
    std::uint32_t experts = 4;
    std::uint32_t capacity = 2;
};

/// The first tells the usual mistakes apart; each of the others adds one.
const Step kOnPaper[] = {
    {{2, 2, 0, 2, 2}},    {{1, 0, 1, 1, 0, 3, 1, 0}},       {{7, 7, 1, 7, 4, 1, 7, 1}, 8, 3},
    {{0, 0, 0, 0}, 4, 4}, {{3, 1, 3, 2, 3, 1, 0, 0}, 4, 1},
};

constexpr std::uint32_t kBatch = 8;
constexpr std::uint32_t kSteps = 12;
constexpr std::uint32_t kCapacity = 2;

Taken right(const Step& step) {
    return model::within_capacity(step.routes, step.capacity);
}

Taken last_come(Step step) {
    std::reverse(step.routes.begin(), step.routes.end());
    Taken taken = right(step);
    std::reverse(taken.begin(), taken.end());
    return taken;
}

Taken whole_batch(const Step& step) {
    return right({Routes(step.routes.size(), 0), step.experts, step.capacity});
}

Taken until_first_drop(const Step& step) {
    Taken taken = right(step);
    std::fill(std::find(taken.begin(), taken.end(), false), taken.end(), false);
    return taken;
}

Taken with_capacity(Step step, std::uint32_t capacity) {
    step.capacity = capacity;
    return right(step);
}

Taken inverted(const Step& step) {
    Taken taken = right(step);
    taken.flip();
    return taken;
}

/// The mistake that gives exactly these answers.
std::string hint_for(const Step& step, const Taken& got) {
    if (got == Taken(got.size(), true)) return "nothing is dropped at all";
    if (got == inverted(step)) return "these are the dropped ones: true means that it is taken";
    if (got == last_come(step)) return "each expert keeps its last tokens, not its first";
    if (got == whole_batch(step))
        return "the capacity is counted over the whole batch: every expert has its own places";
    if (got == with_capacity(step, step.capacity - 1))
        return "every expert has one place too few: is the token at hand counted already?";
    if (got == with_capacity(step, step.capacity + 1))
        return "every expert has one place too many: is the token at hand counted yet?";
    if (got == until_first_drop(step))
        return "after the first drop nothing is taken, though other experts have places";
    return "count, for each expert by itself, the tokens it took so far in this step";
}

std::string words(const Taken& taken) {
    std::vector<std::string_view> result;
    for (const bool t : taken) result.push_back(t ? "taken" : "dropped");
    return fmt::format("{}", fmt::join(result, " "));
}

std::optional<Verdict> check_step(const Step& step, const Taken& got) {
    const Taken want = right(step);
    if (got == want) return std::nullopt;
    Verdict verdict{.where = fmt::format("experts chosen {}, capacity {}",
                                         fmt::join(step.routes, " "), step.capacity),
                    .expected = words(want),
                    .got = words(got)};
    if (got.size() != want.size()) {
        verdict.law = "There is an answer for every token.";
        return verdict;
    }
    const auto i = static_cast<std::size_t>(
        std::mismatch(want.begin(), want.end(), got.begin()).first - want.begin());
    const auto before = std::count(
        step.routes.begin(), step.routes.begin() + static_cast<std::ptrdiff_t>(i), step.routes[i]);
    verdict.law = want[i] ? "An expert takes the first tokens that chose it, up to its capacity."
                          : "An expert takes no more tokens of a step than its capacity.";
    verdict.where += fmt::format(";\ntoken {} chose expert {}, as did {} of the tokens before it",
                                 i, step.routes[i], before);
    verdict.hint = hint_for(step, got);
    return verdict;
}

std::optional<Verdict> check_on_paper(const decltype(answer)& candidate) {
    for (const Step& step : kOnPaper) {
        const Taken got = candidate(step.routes, step.experts, step.capacity);
        if (auto verdict = check_step(step, got)) return verdict;
        if (candidate(step.routes, step.experts, step.capacity) != got)
            return Verdict{.law = "Every step starts anew.",
                           .where = fmt::format("experts chosen {}, capacity {}, asked twice",
                                                fmt::join(step.routes, " "), step.capacity),
                           .expected = words(got),
                           .got = "another answer",
                           .hint = "the places taken are counted on from the step before"};
    }
    return std::nullopt;
}

/// The chip's host with the student's rule, which is checked at every step.
model::BatchRun run_on_chip(const model::CompiledModel& compiled,
                            const model::BatchPrograms& programs,
                            const decltype(answer)& candidate) {
    sim::ModelEngine engine(compiled.target);
    Routes starts(kBatch);
    std::iota(starts.begin(), starts.end(), 0U);
    std::uint32_t steps = 0;
    const auto admit = [&](std::span<const std::uint32_t> routes) {
        const Step step{{routes.begin(), routes.end()}, compiled.model.experts, kCapacity};
        const Taken got = candidate(step.routes, step.experts, step.capacity);
        ++steps;
        if (auto verdict = check_step(step, got)) {
            verdict->where = fmt::format("random model, step {}, {}", steps, verdict->where);
            throw FirstMistake{*verdict};
        }
        return got;
    };
    return model::decode_batch(compiled, programs, engine, kSteps, starts, admit);
}

}  // namespace

Verdict grade(const decltype(answer)& candidate) {
    if (const auto verdict = check_on_paper(candidate)) return *verdict;
    const auto compiled =
        model::compile_model(model::random_model(1), model::DecoderKind::routed, kSteps);
    const auto programs = model::compile_batch(compiled, kBatch);
    try {
        const auto run = run_on_chip(compiled, programs, candidate);
        return {.passed = true,
                .law = "first come, first served, on paper and in the host loop of the chip",
                .got = fmt::format("the random model drops {} of {} tokens, in {} cycles",
                                   run.drops(), kBatch * kSteps, run.total().total)};
    } catch (const FirstMistake& mistake) {
        return mistake.verdict;
    }
}

}  // namespace capra::exercise
