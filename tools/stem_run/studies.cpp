#include "tools/stem_run/studies.hpp"

#include "stem/calibration.hpp"
#include "tools/status.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace capra::tools {
namespace {

RoutedStudy study_routed(const FamilyMember& member, const std::string& kind, bool dial) {
    const stem::Stack stack = member.stack(kind);
    const auto programs = stem::compile_stack(stack, stem::kCheckedSteps);
    const auto engine = sim::make_engine("model", programs.target);
    stem::Stack unseen = stack;  // of a random stack the seed draws the texts
    ++unseen.seed;
    const auto texts = stem::calibration_texts(unseen, stem::kCheckedSteps);
    RoutedStudy study{member.name,
                      kind,
                      stem::pattern_of(stack),
                      stem::capacities_of(stack),
                      stem::study_admission(programs, *engine, texts),
                      {}};
    if (dial) study.dial = stem::study_dial(programs, *engine, texts, stem::dial_capacities());
    return study;
}

/// Random weights do not depend on the capacity.
bool is_dialled(const std::vector<RoutedStudy>& before, const std::string& layers) {
    return std::any_of(before.begin(), before.end(), [&](const RoutedStudy& study) {
        return study.kind == "random" && study.layers == layers;
    });
}

void add_routed(std::vector<RoutedStudy>& studies, const FamilyMember& member) {
    const stem::Stack random = member.stack("random");
    if (stem::capacities_of(random).empty()) return;
    studies.push_back(study_routed(member, "structured", true));
    studies.push_back(
        study_routed(member, "random", !is_dialled(studies, stem::pattern_of(random))));
}

bool has_decoder(const std::vector<RoutedStudy>& studies, const FamilyMember& member) {
    return std::any_of(studies.begin(), studies.end(), [&](const RoutedStudy& study) {
        return study.decoder == member.name && study.own == member.capacities;
    });
}

}  // namespace

std::string RoutedStudy::capacities() const {
    if (std::equal(own.begin() + 1, own.end(), own.begin())) return to_string(own.front());
    std::vector<std::string> texts;
    for (const model::Exact& each : own) texts.push_back(to_string(each));
    return fmt::format("{}", fmt::join(texts, ","));
}

bool Studies::same_tokens() const {
    return std::all_of(dispatch.begin(), dispatch.end(), [&](const stem::DispatchCost& cost) {
        return cost.tokens == dispatch.front().tokens;
    });
}

Studies study_family(const std::vector<FamilyMember>& members, std::uint32_t steps,
                     std::uint32_t start, const FamilyProgress& progress) {
    Studies studies;
    for (const FamilyMember& member : members) {
        progress(member.name);
        add_routed(studies.routed, member);
        if (member.dispatch() == stem::Dispatch::on_chip)
            studies.dispatch = stem::study_dispatch(member.stack("structured"), steps, start);
    }
    const FamilyMember slope{kSlope, true, {{1, 2}}};
    if (!studies.routed.empty() && !has_decoder(studies.routed, slope)) {
        progress(slope.name);
        studies.routed.push_back(study_routed(slope, "structured", true));
    }
    return studies;
}

int status_of(const model::Checks& checks, const FamilyDecodes& decodes,
              const std::vector<Replay>& replays, const Studies& studies) {
    const bool follow = std::all_of(decodes.begin(), decodes.end(),
                                    [](const auto& decode) { return decode->follows_rule(); });
    const bool ok = model::all_ok(checks) && follow && all_agree(replays) && studies.same_tokens();
    return ok ? kOk : kCheckFailed;
}

}  // namespace capra::tools
