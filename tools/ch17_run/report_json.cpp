#include "report/collect.hpp"
#include "report/data_json.hpp"
#include "tools/ch17_run/report.hpp"
#include "tools/run_report.hpp"

#include <cmath>

#include <nlohmann/json.hpp>

namespace capra::tools {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint32_t kPublishedStep = 24;

Json decoder_json(const Decode& decode, std::uint64_t single_total) {
    const auto& run = decode.run;
    const auto total = run.total().total;
    const double ratio = static_cast<double>(total) / static_cast<double>(single_total);
    Json step24;  // null
    if (run.steps.size() >= kPublishedStep) step24 = run.step_cycles(kPublishedStep);
    Json json = {{"programs", run.runs.size()},
                 {"step1", run.step_cycles(1)},
                 {"step24", step24},
                 {"total", total},
                 {"ratio", std::round(ratio * 100) / 100},
                 {"follows_rule", decode.follows_rule()}};
    json.update(report::to_json(report::collect(decode.compiled, run)));
    return json;
}

const Decode& routed(const Decodes& decodes) {
    for (const auto& decode : decodes)
        if (decode->compiled.decoder == model::DecoderKind::routed) return *decode;
    return *decodes.front();
}

}  // namespace

std::string report_json(const model::Checks& checks, const Decodes& decodes,
                        const std::vector<Replay>& replays) {
    Json json;
    json["checks"] = checks_json(checks);
    json["routes"] = routed(decodes).run.routes;
    json["tokens"] = routed(decodes).run.tokens;
    const auto single_total = decodes.front()->run.total().total;
    for (const auto& decode : decodes)
        json["decoders"][decode->name()] = decoder_json(*decode, single_total);
    json["engines"] = engines_json(replays);
    return json.dump(1) + "\n";
}

}  // namespace capra::tools
