#include "mutation/trial_json.hpp"

#include "mutation/mutant_json.hpp"
#include "mutation/tally.hpp"

namespace capra::mutation {

std::string to_line(const Trial& trial) {
    auto line = mutant_json(trial.mutant);
    line["verdict"] = static_cast<int>(trial.verdict);
    line["killers"] = trial.killers;
    line["detail"] = trial.detail;
    return line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Trial trial_from_line(std::string_view line, const std::string& file) {
    const JsonDocument document = parse_strict_json(line, file);
    const JsonReader root(document);
    Trial trial{.mutant = mutant_from(root),
                .verdict = static_cast<Verdict>(root.at("verdict").integer(0, kVerdicts - 1)),
                .detail = root.at("detail").string()};
    const JsonReader killers = root.at("killers");
    for (std::size_t i = 0; i < killers.size(); ++i)
        trial.killers.push_back(killers.at(i).string());
    return trial;
}

}  // namespace capra::mutation
