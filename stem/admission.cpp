#include "stem/admission.hpp"

#include "model/ledger.hpp"
#include "model/py_random.hpp"
#include "stem/lessons.hpp"

#include <algorithm>
#include <cassert>
#include <functional>
#include <limits>
#include <numeric>

namespace capra::stem {
namespace {

constexpr std::size_t kRandomTokens = 256;

std::vector<std::size_t> routed_layers(const Stack& stack) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < stack.layers.size(); ++i)
        if (std::holds_alternative<RoutedLayer>(stack.layers[i])) places.push_back(i);
    return places;
}

const model::Exact& capacity_of(const Stack& stack, std::size_t place) {
    return std::get<RoutedLayer>(stack.layers[place]).capacity;
}

Vector scores_at(const std::vector<StackStep>& steps, std::size_t place) {
    Vector scores;
    for (const StackStep& step : steps) scores.push_back(*step.layers[place].score);
    return scores;
}

/// Reads the tokens with these overrides of each. An admission that is not among them does not
/// touch the scores of that layer.
std::vector<StackStep> read_forced(const Stack& stack, std::size_t routed,
                                   std::span<const std::uint32_t> tokens,
                                   const std::vector<Overrides>& forced) {
    FloatStack decoder(stack, Vector(routed));
    std::vector<StackStep> steps;
    for (std::size_t i = 0; i < tokens.size(); ++i)
        steps.push_back(decoder.step(tokens[i], forced[i]));
    return steps;
}

}  // namespace

std::size_t admitted_count(const model::Exact& capacity, std::size_t tokens) {
    const model::Exact many = capacity * static_cast<std::int64_t>(tokens);
    return static_cast<std::size_t>((many.numerator() + many.denominator() - 1) /
                                    many.denominator());
}

std::vector<bool> expert_choice(std::span<const double> scores, const model::Exact& capacity) {
    const std::size_t count = admitted_count(capacity, scores.size());
    std::vector<bool> admitted(scores.size());
    for (const std::uint32_t token : model::top_experts(scores, static_cast<std::uint32_t>(count)))
        admitted[token] = true;
    return admitted;
}

double threshold_for(std::span<const double> scores, const model::Exact& capacity) {
    assert(!scores.empty());
    const std::size_t count = admitted_count(capacity, scores.size());
    if (count == scores.size()) return -std::numeric_limits<double>::infinity();
    std::vector<double> sorted(scores.begin(), scores.end());
    std::sort(sorted.begin(), sorted.end(), std::greater<>());
    const double lowest_in = sorted[count - 1];
    const double highest_out = sorted[count];
    // The half way between two neighbouring numbers is one of them.
    const double middle = std::midpoint(lowest_in, highest_out);
    return middle > highest_out ? middle : lowest_in;
}

bool admits(double score, double threshold) {
    return score >= threshold;
}

std::vector<StackStep> prefill(const Stack& stack, std::span<const std::uint32_t> tokens) {
    const std::vector<std::size_t> places = routed_layers(stack);
    std::vector<Overrides> forced(tokens.size());
    std::vector<StackStep> steps = read_forced(stack, places.size(), tokens, forced);
    for (const std::size_t place : places) {
        const std::vector<bool> admitted =
            expert_choice(scores_at(steps, place), capacity_of(stack, place));
        for (std::size_t i = 0; i < tokens.size(); ++i) forced[i][place].admitted = admitted[i];
        steps = read_forced(stack, places.size(), tokens, forced);
    }
    return steps;
}

Vector calibrated_thresholds(const Stack& stack, std::span<const std::uint32_t> tokens) {
    const std::vector<StackStep> steps = prefill(stack, tokens);
    Vector thresholds;
    for (const std::size_t place : routed_layers(stack))
        thresholds.push_back(threshold_for(scores_at(steps, place), capacity_of(stack, place)));
    return thresholds;
}

Stack with_capacities(Stack stack, std::span<const model::Exact> capacities) {
    model::check_layers(pattern_of(stack), capacities);
    std::size_t routed = 0;
    for (const std::size_t place : routed_layers(stack))
        std::get<RoutedLayer>(stack.layers[place]).capacity =
            capacities[capacities.size() == 1 ? 0 : routed++];
    return stack;
}

std::vector<std::uint32_t> calibration_text(const Stack& stack) {
    if (stack.rule == Rule::none) {
        model::PyRandom rng(stack.seed);
        std::vector<std::uint32_t> tokens(kRandomTokens);
        for (std::uint32_t& token : tokens) token = rng.next_u32() % kVocabulary;
        return tokens;
    }
    return orbit();
}

}  // namespace capra::stem
