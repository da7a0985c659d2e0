#include "model/checks.hpp"
#include "model/route_statistics.hpp"
#include "model/tally.hpp"

#include <vector>

#include <fmt/core.h>

namespace capra::model {
namespace {

/// The published figures of the random models, seeds 1-3, 16 starts, 12 greedy steps.
const std::vector<std::uint32_t> kExpertsChosen = {165, 107, 196, 108};
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
                tally.count(FloatDecoder(model).step(t, {e}).token != successor(t));
    return tally.check("float_wrong_expert_is_wrong", "wrong expert choices give a wrong token");
}

bool equals_rounded(double value, double published, double unit) {
    return value >= published - unit / 2 && value <= published + unit / 2;
}

}  // namespace

Checks structured_float_checks(const LanguageModel& model) {
    return {groups_check(model), rule_check(model), wrong_experts_check(model)};
}

Checks random_float_checks() {
    const auto routes = measure_float_routes(1, 3, kRandomSteps);
    const double median = routes.median_margin();
    const double under005 = 100 * routes.share_below(0.05);
    const double under015 = 100 * routes.share_below(0.15);
    const bool margins_ok = routes.margins.size() == routes.decisions &&
                            equals_rounded(median, kMarginMedian, 0.01) &&
                            equals_rounded(under005, kPercentUnder005, 0.1) &&
                            equals_rounded(under015, kPercentUnder015, 0.1);
    return {{"random_float_experts", routes.chosen == kExpertsChosen,
             fmt::format("experts chosen {} in {} decisions; published {}", listed(routes.chosen),
                         routes.decisions, listed(kExpertsChosen))},
            {"random_float_margins", margins_ok,
             fmt::format("median {:.2f}, {:.1f} % under 0.05, {:.1f} % under 0.15, published "
                         "{:.2f}, {:.1f} %, {:.1f} %",
                         median, under005, under015, kMarginMedian, kPercentUnder005,
                         kPercentUnder015)}};
}

}  // namespace capra::model
