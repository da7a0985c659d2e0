#include "tools/stem_run/studies.hpp"

#include "stem/builders.hpp"
#include "stem/calibration.hpp"
#include "tools/status.hpp"

#include <algorithm>

namespace capra::tools {
namespace {

/// Random weights do not depend on the capacity.
bool is_dialled(const std::vector<RoutedStudy>& before, const std::string& kind) {
    return kind == "random" && std::any_of(before.begin(), before.end(), [](const auto& study) {
               return study.kind == "random";
           });
}

RoutedStudy study_routed(const std::string& decoder, const std::string& kind, bool dial) {
    const stem::Stack stack = stem::make_stack(decoder, kind, 1);
    const auto programs = stem::compile_stack(stack, stem::kCheckedSteps);
    const auto engine = sim::make_engine("model", programs.target);
    stem::Stack unseen = stack;  // of a random stack the seed draws the texts
    ++unseen.seed;
    const auto texts = stem::calibration_texts(unseen, stem::kCheckedSteps);
    RoutedStudy study{decoder,
                      kind,
                      stem::capacities_of(stack).front(),
                      stem::study_admission(programs, *engine, texts),
                      {}};
    if (dial) study.dial = stem::study_dial(programs, *engine, texts, stem::dial_capacities());
    return study;
}

}  // namespace

bool Studies::same_tokens() const {
    return std::all_of(dispatch.begin(), dispatch.end(), [&](const stem::DispatchCost& cost) {
        return cost.tokens == dispatch.front().tokens;
    });
}

Studies study_family(const std::vector<std::string>& decoders, std::uint32_t steps,
                     std::uint32_t start, const FamilyProgress& progress) {
    Studies studies;
    for (const std::string& decoder : decoders) {
        progress(decoder);
        if (decoder.starts_with("routed_"))
            for (const char* kind : {"structured", "random"})
                studies.routed.push_back(
                    study_routed(decoder, kind, !is_dialled(studies.routed, kind)));
        if (decoder == "on_chip")
            studies.dispatch =
                stem::study_dispatch(stem::make_stack(decoder, "structured", 1), steps, start);
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
