#include "mutation/curated.hpp"

#include "isa/error.hpp"
#include "isa/json_reader.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <set>

namespace capra::mutation {
namespace {

constexpr std::string_view kSuite = "chapter";
constexpr std::string_view kNoun = "mutant";

/// Text that is there, on one line.
const std::string& read_line(const JsonReader& reader) {
    const std::string& text = reader.string();
    if (text.empty() || text.find('\n') != std::string::npos) reader.expected("one line of text");
    return text;
}

const std::string& read_id(const JsonReader& reader) {
    const std::string& id = reader.string();
    const std::string prefix = std::string(kSuite) + "/";
    const auto snake = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    };
    if (!id.starts_with(prefix) || id.size() == prefix.size() ||
        !std::all_of(id.begin() + std::ptrdiff_t(prefix.size()), id.end(), snake))
        reader.expected(prefix + "lower_snake");
    return id;
}

/// A path that cannot leave the project.
const std::string& read_path(const JsonReader& reader) {
    const std::filesystem::path path = read_line(reader);
    if (path.is_absolute() || path != path.lexically_normal() || path.begin()->string() == "..")
        reader.expected("a path inside the project");
    return reader.string();
}

CheckProgram read_check(const JsonReader& reader) {
    for (const auto check : kCheckPrograms)
        if (check_name(check) == reader.string()) return check;
    reader.expected("the name of a check");
}

std::vector<CheckProgram> read_checks(const JsonReader& reader) {
    std::vector<CheckProgram> checks;
    for (std::size_t i = 0; i < reader.size(); ++i) {
        const auto check = read_check(reader.at(i));
        if (std::find(checks.begin(), checks.end(), check) != checks.end())
            reader.at(i).fail("this check is named twice");
        checks.push_back(check);
    }
    if (checks.empty()) reader.expected("at least one check");
    return checks;
}

Verdict read_expectation(const JsonReader& reader) {
    if (reader.string() == "killed") return Verdict::killed;
    if (reader.string() == "equivalent") return Verdict::equivalent;
    reader.expected("\"killed\" or \"equivalent\"");
}

CuratedMutant read_mutant(const JsonReader& reader) {
    reader.only_keys({"id", "file", "anchor", "replacement", "what", "checks", "expect", "reason"});
    CuratedMutant mutant{.id = read_id(reader.at("id")),
                         .file = read_path(reader.at("file")),
                         .anchor = reader.at("anchor").string(),
                         .replacement = read_line(reader.at("replacement")),
                         .what = read_line(reader.at("what")),
                         .checks = read_checks(reader.at("checks")),
                         .expect = read_expectation(reader.at("expect")),
                         .reason = {}};
    if (mutant.anchor.empty()) reader.at("anchor").expected("text of the file");
    if (mutant.anchor == mutant.replacement) reader.at("replacement").fail("this changes nothing");
    const auto reason = reader.find("reason");
    if (reason) mutant.reason = read_line(*reason);
    if (reason.has_value() != (mutant.expect == Verdict::equivalent))
        reader.fail("an equivalent has a reason, and nothing else has");
    return mutant;
}

std::size_t count_matches(std::string_view text, std::string_view anchor) {
    std::size_t matches = 0;
    for (std::size_t at = text.find(anchor); at != std::string_view::npos;
         at = text.find(anchor, at + 1))
        ++matches;
    return matches;
}

}  // namespace

std::string_view check_name(CheckProgram check) {
    switch (check) {
        case CheckProgram::ch17_run:
            return "ch17_run";
        case CheckProgram::model_tests:
            return "model_tests";
    }
    return "?";
}

std::vector<CuratedMutant> parse_curated(std::string_view text, const std::string& file) {
    const JsonDocument document = parse_strict_json(text, file, kNoun);
    const JsonReader root(document);
    root.only_keys({"mutants"});
    const JsonReader list = root.at("mutants");
    std::vector<CuratedMutant> mutants;
    std::set<std::string> ids;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const JsonReader id = list.at(i).at("id");
        const JsonLabel label{kNoun, id.string()};
        if (!ids.insert(id.string()).second) id.labelled(label).fail("this id is given twice");
        mutants.push_back(read_mutant(list.at(i).labelled(label)));
    }
    if (mutants.empty()) list.expected("at least one mutant");
    return mutants;
}

Located locate(const CuratedMutant& curated, std::string_view text) {
    Located located{.matches = count_matches(text, curated.anchor),
                    .mutant = {.id = curated.id,
                               .suite = std::string(kSuite),
                               .file = curated.file,
                               .op = "curated",
                               .original = curated.anchor,
                               .replacement = curated.replacement}};
    if (located.matches == 0) return located;
    Mutant& mutant = located.mutant;
    mutant.begin = text.find(curated.anchor);
    mutant.end = mutant.begin + curated.anchor.size();
    const std::string_view before = text.substr(0, mutant.begin);
    const auto lines = std::count(before.begin(), before.end(), '\n');
    const std::size_t last_end = before.rfind('\n');
    mutant.line = static_cast<std::uint32_t>(1 + lines);
    mutant.column = static_cast<std::uint32_t>(
        last_end == std::string_view::npos ? mutant.begin + 1 : mutant.begin - last_end);
    return located;
}

}  // namespace capra::mutation
