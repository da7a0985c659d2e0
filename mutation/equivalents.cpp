#include "mutation/equivalents.hpp"

#include "isa/json_reader.hpp"

namespace capra::mutation {

Equivalents parse_equivalents(std::string_view text, const std::string& file) {
    const JsonDocument document = parse_strict_json(text, file);
    const JsonReader root(document);
    root.only_keys({"equivalents"});
    const JsonReader list = root.at("equivalents");
    Equivalents equivalents;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const JsonReader entry = list.at(i);
        entry.only_keys({"id", "original", "replacement", "reason"});
        const std::string id = entry.at("id").string();
        const Equivalent equivalent{.original = entry.at("original").string(),
                                    .replacement = entry.at("replacement").string(),
                                    .reason = entry.at("reason").string()};
        if (equivalent.reason.empty()) entry.at("reason").expected("a reason");
        if (!equivalents.emplace(id, equivalent).second)
            entry.at("id").fail("this mutant is listed twice");
    }
    return equivalents;
}

std::vector<std::string> apply_equivalents(std::vector<Trial>& trials,
                                           const Equivalents& equivalents) {
    std::vector<std::string> refuted;
    for (Trial& trial : trials) {
        const auto found = equivalents.find(trial.mutant.id);
        if (found == equivalents.end() || found->second.original != trial.mutant.original ||
            found->second.replacement != trial.mutant.replacement)
            continue;
        if (trial.verdict == Verdict::killed || trial.verdict == Verdict::timeout) {
            refuted.push_back(trial.mutant.id);
            continue;
        }
        trial.verdict = Verdict::equivalent;
        trial.detail = found->second.reason;
    }
    return refuted;
}

}  // namespace capra::mutation
