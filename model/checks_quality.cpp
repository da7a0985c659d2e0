#include "model/checks.hpp"

#include <fmt/core.h>

namespace capra::model {
namespace {

constexpr double kLeastAgreement = 0.988;
constexpr double kLargestFlipMargin = 0.16;
constexpr double kLargestLogitError = 0.25;
constexpr std::uint32_t kPublishedAgrees = 569;                              // of 576, seeds 1-3
constexpr std::uint32_t kRandomDecisions = 30 * kVocabulary * kRandomSteps;  // seeds 1-30
static_assert(kRandomDecisions == 5760);

}  // namespace

Checks random_chip_checks(const Quality& seeds_1_to_3, const Quality& seeds_4_to_30) {
    Quality all = seeds_1_to_3;
    all += seeds_4_to_30;
    const Worst margin = all.worst_margin();
    const bool complete = all.decisions == kRandomDecisions;
    return {
        {"random_routes_agree_with_float", complete && all.agreement() >= kLeastAgreement,
         fmt::format("{} of {} decisions ({:.2f} %), needed {:.1f} % of {}; seeds 1-3: {} of {}, "
                     "published {}",
                     all.route_agrees, all.decisions, 100 * all.agreement(), 100 * kLeastAgreement,
                     kRandomDecisions, seeds_1_to_3.route_agrees, seeds_1_to_3.decisions,
                     kPublishedAgrees)},
        {"random_flips_are_near_ties", complete && margin.within(kLargestFlipMargin),
         fmt::format("{} flips, {} of them at a margin of {:.2f} or more, largest {:.3f}, "
                     "allowed {:.2f}; {} not finite",
                     all.flips.size(), all.flips_at_or_above(kNearTie), kNearTie, margin.value,
                     kLargestFlipMargin, margin.undefined)},
        {"random_logits_close_to_float",
         complete && all.route_agrees > 0 && all.logit_error.within(kLargestLogitError),
         fmt::format(
             "same route: logits within {:.1f} % (mean {:.1f} %), allowed {:.0f} %, {} not finite; "
             "tokens agree {} of {}; after a flip {} of {}",
             100 * all.logit_error.value, 100 * all.mean_logit_error(), 100 * kLargestLogitError,
             all.logit_error.undefined, all.token_agrees_same_route, all.route_agrees,
             all.token_agrees_flipped, all.flips.size())}};
}

}  // namespace capra::model
