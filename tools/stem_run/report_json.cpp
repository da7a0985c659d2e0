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
            {"compiled", decode.checked.programs.programs.size()},
            {"step1", run.step_cycles(1)},
            {"step24", step24},
            {"total", run.total().total},
            {"ratio", std::round(ratio_to(dense, decode) * 100) / 100},
            {"follows_rule", decode.follows_rule()},
            {"tokens", run.tokens}};
}

Json model_json(const RoutedStudy& study, const std::string& capacity) {
    return {{"decoder", study.decoder}, {"kind", study.kind}, {"capacity", capacity}};
}

/// Null where all tokens are admitted.
Json thresholds_json(const std::vector<double>& thresholds) {
    Json list = Json::array();
    for (const double each : thresholds) list.push_back(std::isfinite(each) ? Json(each) : Json());
    return list;
}

Json admission_json(const std::vector<RoutedStudy>& studies) {
    Json list = Json::array();
    for (const RoutedStudy& study : studies) {
        Json entry = model_json(study, study.capacities());
        entry["by_choice"] = study.admission.by_choice;
        entry["by_threshold"] = study.admission.by_threshold;
        entry["same_admissions"] = study.admission.admissions.same;
        entry["same_predictions"] = study.admission.predictions.same;
        entry["tokens"] = study.admission.predictions.all;
        list.push_back(std::move(entry));
    }
    return list;
}

Json dial_json(const std::vector<RoutedStudy>& studies) {
    Json list = Json::array();
    for (const RoutedStudy& study : studies)
        for (const stem::DialPoint& point : study.dial) {
            Json entry = model_json(study, to_string(point.capacity));
            entry["thresholds"] = thresholds_json(point.thresholds);
            entry["admitted"] = point.admitted.same;
            entry["right"] = point.right.all > 0 ? Json(point.right.same) : Json();
            entry["logit_distance"] = point.logit_distance;
            entry["cycles"] = point.cycles;
            entry["tokens"] = point.admitted.all;
            list.push_back(std::move(entry));
        }
    return list;
}

Json dispatch_json(const Studies& studies) {
    if (studies.dispatch.empty()) return {};
    Json json;
    for (const stem::DispatchCost& cost : studies.dispatch)
        json[std::string(stem::dispatch_name(cost.dispatch))] = {
            {"programs", cost.programs},     {"instructions", cost.instructions},
            {"step1", cost.step_1_cycles},   {"last_step", cost.last_step_cycles},
            {"total", cost.cycles},          {"words_moved", cost.words_moved},
            {"host_words", cost.host_words}, {"tokens", cost.tokens}};
    json["same_tokens"] = studies.same_tokens();
    return json;
}

}  // namespace

std::string report_json(const model::Checks& checks, const FamilyDecodes& decodes,
                        const std::vector<Replay>& replays, const Studies& studies) {
    Json json;
    json["checks"] = checks_json(checks);
    for (const auto& decode : decodes)
        json["decoders"][decode->name()] = decoder_json(*decode, *decodes.front());
    json["engines"] = engines_json(replays);
    json["admission"] = admission_json(studies.routed);
    json["dial"] = dial_json(studies.routed);
    json["dispatch"] = dispatch_json(studies);
    return json.dump(1) + "\n";
}

}  // namespace capra::tools
