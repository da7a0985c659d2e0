#include "mutation/curated.hpp"

#include "isa/error.hpp"
#include "isa/json_reader.hpp"
#include "mutation/tally.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <span>

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

struct CheckRow {
    std::string_view name;
    std::string_view target;
    bool runs_tests;
};
constexpr std::array<CheckRow, kCheckPrograms.size()> kCheckRows = {{
    {"ch17_run", "ch17_run", false},
    {"model_tests", "capra_model_tests", true},
    {"stem_run", "stem_run", false},
    {"stem_tests", "capra_stem_tests", true},
}};

const CheckRow& row_of(CheckProgram check) {
    return kCheckRows.at(static_cast<std::size_t>(check));
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

constexpr std::array kOfMutants = {Verdict::killed, Verdict::equivalent};
constexpr std::array kOfControls = {Verdict::killed, Verdict::survived, Verdict::not_applied};

Verdict read_expectation(const JsonReader& reader, std::span<const Verdict> allowed) {
    std::vector<std::string> names;
    for (const Verdict verdict : allowed) {
        if (reader.string() == verdict_name(verdict)) return verdict;
        names.push_back(fmt::format("\"{}\"", verdict_name(verdict)));
    }
    reader.expected(fmt::format("{}", fmt::join(names, " or ")));
}

CuratedMutant read_mutant(const JsonReader& reader, std::span<const Verdict> allowed) {
    reader.only_keys({"id", "file", "anchor", "replacement", "what", "checks", "expect", "reason"});
    CuratedMutant mutant{.id = read_id(reader.at("id")),
                         .file = read_path(reader.at("file")),
                         .anchor = reader.at("anchor").string(),
                         .replacement = read_line(reader.at("replacement")),
                         .what = read_line(reader.at("what")),
                         .checks = read_checks(reader.at("checks")),
                         .expect = read_expectation(reader.at("expect"), allowed),
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

std::vector<CuratedMutant> read_mutants(const JsonReader& list, std::span<const Verdict> allowed,
                                        std::set<std::string>& ids) {
    std::vector<CuratedMutant> mutants;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const JsonReader id = list.at(i).at("id");
        const JsonLabel label{kNoun, id.string()};
        if (!ids.insert(id.string()).second) id.labelled(label).fail("this id is given twice");
        mutants.push_back(read_mutant(list.at(i).labelled(label), allowed));
    }
    if (mutants.empty()) list.expected("at least one mutant");
    return mutants;
}

}  // namespace

std::string_view check_name(CheckProgram check) {
    return row_of(check).name;
}

std::string_view target_of(CheckProgram check) {
    return row_of(check).target;
}

bool runs_tests(CheckProgram check) {
    return row_of(check).runs_tests;
}

CuratedList parse_curated(std::string_view text, const std::string& file) {
    const JsonDocument document = parse_strict_json(text, file, kNoun);
    const JsonReader root(document);
    root.only_keys({"mutants", "controls"});
    std::set<std::string> ids;
    CuratedList list{.mutants = read_mutants(root.at("mutants"), kOfMutants, ids),
                     .controls = read_mutants(root.at("controls"), kOfControls, ids)};
    const auto expects = [&](Verdict verdict) {
        return std::ranges::count(list.controls, verdict, &CuratedMutant::expect) == 1;
    };
    if (!std::ranges::all_of(kOfControls, expects))
        root.at("controls").expected("one control of each kind: killed, survived, not applied");
    return list;
}

Located locate(const CuratedMutant& curated, std::string_view text) {
    Located located{.matches = count_matches(text, curated.anchor),
                    .mutant = {.id = curated.id,
                               .suite = std::string(kSuite),
                               .file = curated.file,
                               .op = std::string(kCuratedOperator),
                               .original = curated.anchor,
                               .replacement = curated.replacement}};
    Mutant& mutant = located.mutant;
    mutant.line = mutant.column = 1;
    if (located.matches == 0) return located;
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
