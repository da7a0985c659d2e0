#include "stem/checks.hpp"

#include "model/tally.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace capra::stem {
namespace {

// Of a stack with one feed-forward layer.
constexpr double kLargestLogitError = 0.25;
constexpr double kLargestMeanLogitError = 0.07;
constexpr double kLargestScoreError = 0.1;

constexpr double kLeastAgreement = 0.85;

}  // namespace

Checks stack_checks(const StackRuns& stack) {
    Checks checks;
    if (stack.programs.stack.rule != Rule::none) checks.push_back(rule_check(stack));
    checks.push_back(interpreter_check(stack));
    checks.push_back(handover_check(stack));
    checks.push_back(counters_check(stack));
    checks.push_back(work_check(stack));
    for (Check& check : wrong_checks(stack, wrong_runs(stack))) checks.push_back(std::move(check));
    return checks;
}

Checks dispatch_checks(const StackRuns& on_chip, const StackRuns& host) {
    model::Tally tokens;
    model::Tally experts;
    model::Tally programs;
    const auto& layers = on_chip.programs.stack.layers;
    for (std::size_t start = 0; start < std::min(on_chip.runs.size(), host.runs.size()); ++start) {
        const StackRun& chip = on_chip.runs[start];
        const StackRun& by_host = host.runs[start];
        programs.count(chip.runs.size() == chip.steps.size());
        for (std::size_t i = 0; i < std::min(chip.steps.size(), by_host.steps.size()); ++i) {
            tokens.count(chip.steps[i].prediction == by_host.steps[i].prediction);
            for (std::size_t layer = 0; layer < layers.size(); ++layer)
                if (moe_of(layers[layer]) != nullptr)
                    experts.count(chip.steps[i].layers[layer].experts ==
                                  by_host.steps[i].layers[layer].experts);
        }
    }
    const std::string& name = on_chip.programs.stack.name;
    return {tokens.check(name + "_dispatch_same_tokens",
                         "predictions are those of dispatch by the host"),
            experts.check(name + "_dispatch_same_experts",
                          "layers of experts ran those that the host starts"),
            programs.check(name + "_dispatch_one_program", "decodes ran one program a step")};
}

Checks float_checks(std::string_view name, const Agreement& agreement, std::size_t layers) {
    const double growth = std::sqrt(static_cast<double>(layers));
    const double largest = growth * kLargestLogitError;
    const double largest_mean = growth * kLargestMeanLogitError;
    const double largest_score = growth * kLargestScoreError;
    const auto check = [&](std::string_view law, bool ok, std::string detail) {
        return Check{fmt::format("{}_{}", name, law), ok, std::move(detail)};
    };
    const bool logits_ok = agreement.tokens.all > 0 && agreement.logit_error.value > 0 &&
                           agreement.logit_error.within(largest) &&
                           agreement.mean_logit_error() <= largest_mean;
    Checks checks = {check(
        "logits_close_to_float", logits_ok,
        fmt::format("relative L2 of logits at most {:.1f} %, allowed {:.0f} %, mean {:.1f} %, "
                    "allowed {:.0f} %; tokens agree {} of {}",
                    100 * agreement.logit_error.value, 100 * largest,
                    100 * agreement.mean_logit_error(), 100 * largest_mean, agreement.tokens.same,
                    agreement.tokens.all))};
    if (agreement.admissions.all > 0)
        checks.push_back(
            check("scores_close_to_float", agreement.score_error.within(largest_score),
                  fmt::format("admission scores within {:.1f} % of the largest, allowed {:.0f} %",
                              100 * agreement.score_error.value, 100 * largest_score)));
    const auto add_decisions = [&](std::string_view law, std::string_view what, const Share& same) {
        if (same.all == 0) return;
        checks.push_back(check(law, same.value() >= kLeastAgreement,
                               fmt::format("{} of {} {}, needed {:.0f} %", same.same, same.all,
                                           what, 100 * kLeastAgreement)));
    };
    add_decisions("admits_as_float", "admissions", agreement.admissions);
    add_decisions("chooses_experts_as_float", "choices of experts", agreement.experts);
    add_decisions("chooses_rows_as_float", "choices of rows", agreement.rows);
    return checks;
}

}  // namespace capra::stem
