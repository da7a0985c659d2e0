#include "tools/run_report.hpp"
#include "tools/stem_run/report.hpp"

#include <cmath>

namespace capra::tools {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint32_t kPublishedStep = 24;

Json decoder_json(const FamilyDecode& decode, const FamilyDecode& dense) {
    const auto& run = decode.run;
    const WorkPerToken work = decode.work();
    Json step24;  // null
    if (run.steps.size() >= kPublishedStep) step24 = run.step_cycles(kPublishedStep);
    return {{"weights_stored", decode.weights_stored()},
            {"weights_read", work.weights_read},
            {"macs", work.macs},
            {"programs", run.runs.size()},
            {"step1", run.step_cycles(1)},
            {"step24", step24},
            {"total", run.total().total},
            {"ratio", std::round(ratio_to(dense, decode) * 100) / 100},
            {"follows_rule", decode.follows_rule()},
            {"tokens", run.tokens}};
}

}  // namespace

std::string report_json(const model::Checks& checks, const FamilyDecodes& decodes,
                        const std::vector<Replay>& replays) {
    Json json;
    json["checks"] = checks_json(checks);
    for (const auto& decode : decodes)
        json["decoders"][decode->name] = decoder_json(*decode, *decodes.front());
    json["engines"] = engines_json(replays);
    return json.dump(1) + "\n";
}

}  // namespace capra::tools
