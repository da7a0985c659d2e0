#include "model/checks.hpp"
#include "model/tally.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/core.h>

namespace capra::model {
namespace {

/// The published figures of the random models, seeds 1-3, 16 starts, 12 greedy steps.
constexpr std::array<std::uint32_t, 4> kExpertsChosen = {165, 107, 196, 108};
constexpr double kMarginMedian = 0.32;     // to two decimals
constexpr double kPercentUnder005 = 9.9;   // to one decimal
constexpr double kPercentUnder015 = 25.9;  // to one decimal

Check groups_check(const LanguageModel& model) {
    Tally tally;
    for (std::uint32_t t = 0; t < kVocabulary; ++t)
        tally.count(FloatDecoder(model).step(t).route == group_of(t, model.experts));
    return tally.check("float_routes_to_the_group",
                       fmt::format("tokens go to expert token mod {}", model.experts));
}

Check rule_check(const LanguageModel& model) {
    Tally tally;
    for (std::uint32_t start = 0; start < kVocabulary; ++start)
        for (const auto& step : decode_greedily(model, start, kCheckedSteps))
            tally.count(step.token == successor(step.input));
    return tally.check("float_follows_the_rule", "predictions are 5t+3 mod 16, from all 16 starts");
}

Check wrong_experts_check(const LanguageModel& model) {
    Tally tally;
    for (std::uint32_t t = 0; t < kVocabulary; ++t)
        for (std::uint32_t e = 0; e < model.experts; ++e)
            if (e != group_of(t, model.experts))
                tally.count(FloatDecoder(model).step(t, e).token != successor(t));
    return tally.check("float_wrong_expert_is_wrong", "wrong expert choices give a wrong token");
}

bool equals_rounded(double value, double published, double unit) {
    return value >= published - unit / 2 && value <= published + unit / 2;
}

double percent_under(const std::vector<double>& sorted, double bound) {
    const auto below = std::lower_bound(sorted.begin(), sorted.end(), bound) - sorted.begin();
    return 100.0 * static_cast<double>(below) / static_cast<double>(sorted.size());
}

}  // namespace

Checks structured_float_checks(const LanguageModel& model) {
    return {groups_check(model), rule_check(model), wrong_experts_check(model)};
}

Checks random_float_checks() {
    std::array<std::uint32_t, 4> chosen{};
    std::size_t decisions = 0;
    std::vector<double> margins;
    for (std::uint32_t seed = 1; seed <= 3; ++seed) {
        const auto model = random_model(seed);
        for (std::uint32_t start = 0; start < kVocabulary; ++start)
            for (const auto& step : decode_greedily(model, start, kRandomSteps)) {
                ++chosen[step.route];
                ++decisions;
                const double margin = route_margin(step.router);
                if (std::isfinite(margin)) margins.push_back(margin);
            }
    }
    std::sort(margins.begin(), margins.end());
    const double median = (margins[margins.size() / 2 - 1] + margins[margins.size() / 2]) / 2;
    const double under005 = percent_under(margins, 0.05);
    const double under015 = percent_under(margins, 0.15);
    const bool margins_ok = margins.size() == decisions &&
                            equals_rounded(median, kMarginMedian, 0.01) &&
                            equals_rounded(under005, kPercentUnder005, 0.1) &&
                            equals_rounded(under015, kPercentUnder015, 0.1);
    return {{"random_float_experts", chosen == kExpertsChosen,
             fmt::format("experts chosen {} in {} decisions; published {}", listed(chosen),
                         decisions, listed(kExpertsChosen))},
            {"random_float_margins", margins_ok,
             fmt::format("median {:.2f}, {:.1f} % under 0.05, {:.1f} % under 0.15, published "
                         "{:.2f}, {:.1f} %, {:.1f} %",
                         median, under005, under015, kMarginMedian, kPercentUnder005,
                         kPercentUnder015)}};
}

}  // namespace capra::model
