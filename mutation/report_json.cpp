#include "isa/json_reader.hpp"
#include "mutation/report.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <limits>

namespace capra::mutation {
namespace {

using nlohmann::json;

/// The schema's names for our verdicts. It has none for an anchor that does not apply.
constexpr std::array<std::string_view, kVerdicts> kStatus = {
    "Killed", "Timeout", "Survived", "Ignored", "RuntimeError", "CompileError", "NoCoverage"};

struct Position {
    std::uint32_t line;
    std::uint32_t column;
};

/// Where a span that starts at `start` ends, one past its last character.
Position end_of(const Mutant& mutant) {
    Position at{mutant.line, mutant.column};
    for (const char c : mutant.original) {
        ++at.column;
        if (c == '\n') at = {at.line + 1, 1};
    }
    return at;
}

json mutant_json(const Trial& trial) {
    const Mutant& m = trial.mutant;
    const Position end = end_of(m);
    return {{"id", m.id},
            {"mutatorName", m.op},
            {"replacement", m.replacement},
            {"location",
             {{"start", {{"line", m.line}, {"column", m.column}}},
              {"end", {{"line", end.line}, {"column", end.column}}}}},
            {"status", kStatus[static_cast<std::size_t>(trial.verdict)]},
            {"statusReason", trial.detail},
            {"killedBy", trial.killers},
            // Not of the schema, which lets such members be: what merging needs.
            {"capra",
             {{"suite", m.suite}, {"begin", m.begin}, {"end", m.end}, {"original", m.original}}}};
}

std::string language_of(const std::string& file) {
    return file.ends_with(".v") ? "verilog" : "cpp";
}

Verdict verdict_of(const JsonReader& reader) {
    const auto found = std::find(kStatus.begin(), kStatus.end(), reader.string());
    if (found == kStatus.end()) reader.expected("a status of the mutation-testing-elements schema");
    return static_cast<Verdict>(found - kStatus.begin());
}

Trial trial_from(const JsonReader& reader, const std::string& file) {
    constexpr auto kMost = std::numeric_limits<std::uint32_t>::max();
    const JsonReader start = reader.at("location").at("start");
    const JsonReader ours = reader.at("capra");
    Trial trial;
    trial.mutant = {.id = reader.at("id").string(),
                    .suite = ours.at("suite").string(),
                    .file = file,
                    .line = static_cast<std::uint32_t>(start.at("line").integer(1, kMost)),
                    .column = static_cast<std::uint32_t>(start.at("column").integer(1, kMost)),
                    .op = reader.at("mutatorName").string(),
                    .begin = static_cast<std::size_t>(ours.at("begin").integer(0, kMost)),
                    .end = static_cast<std::size_t>(ours.at("end").integer(0, kMost)),
                    .original = ours.at("original").string(),
                    .replacement = reader.at("replacement").string()};
    trial.verdict = verdict_of(reader.at("status"));
    trial.detail = reader.at("statusReason").string();
    const JsonReader killers = reader.at("killedBy");
    for (std::size_t i = 0; i < killers.size(); ++i)
        trial.killers.push_back(killers.at(i).string());
    return trial;
}

}  // namespace

std::string report_json(std::span<const Trial> trials, const Sources& sources) {
    json files = json::object();
    for (const Trial& trial : trials) {
        json& file = files[trial.mutant.file];
        if (file.is_null())
            file = {{"language", language_of(trial.mutant.file)},
                    {"source", sources.contains(trial.mutant.file) ? sources.at(trial.mutant.file)
                                                                   : std::string()},
                    {"mutants", json::array()}};
        file["mutants"].push_back(mutant_json(trial));
    }
    const json document = {
        {"schemaVersion", "2"}, {"thresholds", {{"high", 100}, {"low", 90}}}, {"files", files}};
    return document.dump(1) + "\n";
}

std::vector<Trial> trials_from_json(std::string_view text, const std::string& file) {
    const JsonDocument document = parse_strict_json(text, file);
    const JsonReader files = JsonReader(document).at("files");
    std::vector<Trial> trials;
    for (const std::string& name : files.keys()) {
        const JsonReader mutants = files.at(name).at("mutants");
        for (std::size_t i = 0; i < mutants.size(); ++i)
            trials.push_back(trial_from(mutants.at(i), name));
    }
    return trials;
}

}  // namespace capra::mutation
