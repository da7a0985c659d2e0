#include "stem/stack.hpp"
#include "tools/stem_edit/report.hpp"

#include <nlohmann/json.hpp>

namespace capra::tools {

using Json = nlohmann::ordered_json;

namespace {

Json row(const EditOptions& options, std::uint32_t row) {
    if (row < stem::kVocabulary) return row;
    return row_name(options, row);
}

}  // namespace

std::string edit_json(const EditOptions& options, const EditStudy& study) {
    Json positions = Json::array();
    for (std::size_t i = 0; i < study.positions.size(); ++i) {
        const EditedPosition& p = study.positions[i];
        positions.push_back({{"position", i + 1},
                             {"token", p.token},
                             {"edited", study.span.contains(i)},
                             {"row_before", row(options, p.row_before)},
                             {"row_after", row(options, p.row_after)},
                             {"predicts_before", p.predicts_before},
                             {"predicts_after", p.predicts_after},
                             {"expected", p.expected},
                             {"logit_change", p.logit_change}});
    }
    const Collateral other = collateral(study);
    const Json json = {{"pattern", options.pattern},
                       {"seed", options.seed},
                       {"engine", options.engine},
                       {"text", options.text},
                       {"span", {study.span.first + 1, study.span.first + study.span.count}},
                       {"target", options.target},
                       {"mode", options.mode},
                       {"positions", std::move(positions)},
                       {"follows_target", study.follows_target()},
                       {"untouched",
                        {{"positions", other.positions},
                         {"predictions_changed", other.predictions},
                         {"mean_change", other.mean_change},
                         {"largest_change", other.largest_change}}}};
    return json.dump(1) + "\n";
}

}  // namespace capra::tools
