#include "isa/json_reader.hpp"
#include "mutation/report.hpp"
#include "mutation/source_text.hpp"
#include "mutation/tally.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <set>

namespace capra::mutation {
namespace {

using nlohmann::json;

constexpr auto kMost = std::numeric_limits<std::uint32_t>::max();

/// The schema's names for our verdicts. It has none for an anchor that does not apply; "Pending" is
/// its name for a mutant that has not been run.
constexpr std::array<std::string_view, kVerdicts> kStatus = {
    "Killed", "Timeout", "Survived", "Ignored", "Pending", "CompileError", "NoCoverage"};

/// Where the checks without a program of their own are declared.
constexpr std::string_view kPrograms = "programs";

/// The schema counts from 1; a mutant without a place is shown at the top.
Position start_of(const Mutant& mutant) {
    return {std::max(mutant.line, 1U), std::max(mutant.column, 1U)};
}

/// Where a mutant's span ends, one past its last character.
Position end_of(const Mutant& mutant) {
    Position at = start_of(mutant);
    if (mutant.line == 0) return at;
    for (const char c : mutant.original) {
        ++at.column;
        if (c == '\n') at = {at.line + 1, 1};
    }
    return at;
}

json position_json(Position at) {
    return {{"line", at.line}, {"column", at.column}};
}

json mutant_json(const Trial& trial) {
    const Mutant& m = trial.mutant;
    return {
        {"id", m.id},
        {"mutatorName", m.op},
        {"replacement", m.replacement},
        {"location", {{"start", position_json(start_of(m))}, {"end", position_json(end_of(m))}}},
        {"status", kStatus[static_cast<std::size_t>(trial.verdict)]},
        {"statusReason", trial.detail},
        {"killedBy", trial.killers},
        // Not of the schema, which lets such members be: what merging needs.
        {"capra",
         {{"suite", m.suite},
          {"line", m.line},
          {"column", m.column},
          {"begin", m.begin},
          {"end", m.end},
          {"original", m.original}}}};
}

std::string language_of(const std::string& file) {
    return file.ends_with(".v") ? "verilog" : "cpp";
}

json files_json(std::span<const Trial> trials, const Sources& sources) {
    json files = json::object();
    for (const Trial& trial : trials) {
        json& file = files[trial.mutant.file];
        if (file.is_null()) {
            const auto source = sources.find(trial.mutant.file);
            file = {{"language", language_of(trial.mutant.file)},
                    {"source", source == sources.end() ? std::string() : source->second},
                    {"mutants", json::array()}};
        }
        file["mutants"].push_back(mutant_json(trial));
    }
    return files;
}

/// Every check that killed, under the program it is part of: "ch17_run/a law" under "ch17_run".
json test_files_json(std::span<const Trial> trials) {
    std::map<std::string, std::set<std::string>> checks;
    for (const Trial& trial : trials)
        for (const std::string& killer : trial.killers) {
            const std::size_t slash = killer.find('/');
            checks[slash == std::string::npos ? std::string(kPrograms) : killer.substr(0, slash)]
                .insert(killer);
        }
    json files = json::object();
    for (const auto& [program, names] : checks) {
        json tests = json::array();
        for (const std::string& name : names) tests.push_back({{"id", name}, {"name", name}});
        files[program] = {{"tests", tests}};
    }
    return files;
}

json config_json(const CampaignResult& result) {
    std::set<std::string> suites;
    for (const Trial& trial : result.trials) suites.insert(trial.mutant.suite);
    json parts = json::array();
    for (const Part& part : result.parts) parts.push_back({part.shard, part.shards});
    return {{"suites", suites},
            {"shards", parts},
            {"selection", result.selection},
            {"distrust", result.distrust},
            {"reused", result.reused},
            {"seconds", result.seconds}};
}

Verdict verdict_of(const JsonReader& reader) {
    const auto found = std::find(kStatus.begin(), kStatus.end(), reader.string());
    if (found == kStatus.end()) reader.expected("a status that mutrun writes");
    return static_cast<Verdict>(found - kStatus.begin());
}

std::vector<std::string> strings_of(const JsonReader& reader) {
    std::vector<std::string> strings;
    for (std::size_t i = 0; i < reader.size(); ++i) strings.push_back(reader.at(i).string());
    return strings;
}

Trial trial_from(const JsonReader& reader, const std::string& file) {
    const JsonReader ours = reader.at("capra");
    const auto number = [&](const char* key) {
        return static_cast<std::uint32_t>(ours.at(key).integer(0, kMost));
    };
    return {.mutant = {.id = reader.at("id").string(),
                       .suite = ours.at("suite").string(),
                       .file = file,
                       .line = number("line"),
                       .column = number("column"),
                       .op = reader.at("mutatorName").string(),
                       .begin = number("begin"),
                       .end = number("end"),
                       .original = ours.at("original").string(),
                       .replacement = reader.at("replacement").string()},
            .verdict = verdict_of(reader.at("status")),
            .killers = strings_of(reader.at("killedBy")),
            .detail = reader.at("statusReason").string()};
}

Part part_from(const JsonReader& reader) {
    if (reader.size() != 2) reader.expected("a shard and the number of shards");
    Part part;
    part.shards = static_cast<std::size_t>(reader.at(1).integer(1, kMost));
    part.shard =
        static_cast<std::size_t>(reader.at(0).integer(1, static_cast<std::int64_t>(part.shards)));
    return part;
}

}  // namespace

std::string report_json(const CampaignResult& result, const Sources& sources) {
    const json document = {{"schemaVersion", "2"},
                           {"thresholds", {{"high", 100}, {"low", 90}}},
                           {"framework", {{"name", "mutrun"}}},
                           {"config", config_json(result)},
                           {"files", files_json(result.trials, sources)},
                           {"testFiles", test_files_json(result.trials)}};
    // What a broken program printed may be in a detail, and be anything.
    return document.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

CampaignResult result_from_json(std::string_view text, const std::string& file) {
    const JsonDocument document = parse_strict_json(text, file);
    const JsonReader root(document);
    CampaignResult result;
    const JsonReader files = root.at("files");
    for (const std::string& name : files.keys()) {
        const JsonReader mutants = files.at(name).at("mutants");
        for (std::size_t i = 0; i < mutants.size(); ++i)
            result.trials.push_back(trial_from(mutants.at(i), name));
    }
    const JsonReader config = root.at("config");
    result.distrust = strings_of(config.at("distrust"));
    result.selection = config.at("selection").string();
    const JsonReader parts = config.at("shards");
    for (std::size_t i = 0; i < parts.size(); ++i) result.parts.push_back(part_from(parts.at(i)));
    result.reused = static_cast<std::size_t>(config.at("reused").integer(0, kMost));
    result.seconds = config.at("seconds").number();
    return result;
}

}  // namespace capra::mutation
