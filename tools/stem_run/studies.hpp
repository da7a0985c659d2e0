// What stem_run shows beside the decodes: the routed layer with its dial, and what dispatch by the
// host costs.
#pragma once

#include "stem/studies.hpp"
#include "tools/stem_run/family.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace capra::tools {

/// Routed layers that answer a third of the tokens each, so that the dial of a structured model has
/// a slope.
inline constexpr const char* kSlope = "*R*R*R";

/// One routed model, of the kind "structured" or "random".
struct RoutedStudy {
    std::string decoder;
    std::string kind;
    std::string layers;             ///< its pattern
    std::vector<model::Exact> own;  ///< capacity of each routed layer
    stem::AdmissionStudy admission;
    std::vector<stem::DialPoint> dial;  ///< empty if a study before has the same weights

    /// "1/2", or "1/2,1/4" where layers differ.
    [[nodiscard]] std::string capacities() const;
};

struct Studies {
    std::vector<RoutedStudy> routed;           ///< empty without a routed decoder
    std::vector<stem::DispatchCost> dispatch;  ///< by the host, on the chip; empty without on_chip

    /// True if all ways of dispatch decoded the same tokens.
    [[nodiscard]] bool same_tokens() const;
};

/// Studies of those of the members that have something to be studied. Models of seed 1, on 16
/// texts of 24 tokens: for structured models by their rule from every start, for random ones other
/// texts than those that thresholds are calibrated on. Beside a routed decoder stands `kSlope`.
Studies study_family(const std::vector<FamilyMember>& members, std::uint32_t steps,
                     std::uint32_t start, const FamilyProgress& progress);

/// The exit status: kOk if every check holds, every decode follows its rule, all engines agree, and
/// all ways of dispatch decode the same tokens.
int status_of(const model::Checks& checks, const FamilyDecodes& decodes,
              const std::vector<Replay>& replays, const Studies& studies);

}  // namespace capra::tools
