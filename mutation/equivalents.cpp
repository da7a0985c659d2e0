#include "mutation/equivalents.hpp"

#include "isa/json_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

namespace capra::mutation {
namespace {

constexpr std::array<std::string_view, 3> kProofs = {"argument", "miter", "object"};
constexpr std::int64_t kMostMutants = 65'535;

Equivalent read_entry(const JsonReader& entry) {
    entry.only_keys({"file", "line", "op", "original", "replacement", "count", "proof", "reason"});
    const auto text = [&](const char* key) { return entry.at(key).string(); };
    Equivalent equivalent{.file = text("file"),
                          .line = text("line"),
                          .op = text("op"),
                          .original = text("original"),
                          .replacement = text("replacement"),
                          .reason = text("reason")};
    if (const auto count = entry.find("count"))
        equivalent.count = static_cast<std::size_t>(count->integer(1, kMostMutants));
    const auto proof = std::ranges::find(kProofs, text("proof"));
    if (proof == kProofs.end()) entry.at("proof").expected("argument, miter or object");
    equivalent.proof = static_cast<Proof>(proof - kProofs.begin());
    if (equivalent.reason.empty()) entry.at("reason").expected("a reason");
    return equivalent;
}

auto key_of(const Equivalent& e) {
    return std::tie(e.file, e.line, e.op, e.original, e.replacement);
}

std::string described(const Equivalent& e) {
    return fmt::format("{}: `{}`, {} `{}` -> `{}`", e.file, e.line, e.op, e.original,
                       e.replacement);
}

}  // namespace

std::string_view proof_name(Proof proof) {
    return kProofs[static_cast<std::size_t>(proof)];
}

Equivalents parse_equivalents(std::string_view text, const std::string& file) {
    const JsonDocument document = parse_strict_json(text, file);
    const JsonReader root(document);
    root.only_keys({"equivalents"});
    const JsonReader list = root.at("equivalents");
    Equivalents equivalents;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const Equivalent entry = read_entry(list.at(i));
        for (const Equivalent& other : equivalents)
            if (key_of(other) == key_of(entry))
                list.at(i).fail("this mutant is listed twice: " + described(entry));
        equivalents.push_back(entry);
    }
    return equivalents;
}

bool matches(const Equivalent& entry, const Mutant& mutant, const SourceLines& lines) {
    return entry.file == mutant.file && entry.op == mutant.op &&
           entry.original == mutant.original && entry.replacement == mutant.replacement &&
           entry.line == lines.trimmed(mutant.file, mutant.line);
}

std::vector<std::string> apply_equivalents(std::vector<Trial>& trials,
                                           const Equivalents& equivalents, const SourceLines& lines,
                                           bool whole) {
    std::vector<std::string> wrong;
    std::set<std::string> files;
    for (const Trial& trial : trials)
        if (trial.mutant.op != kCuratedOperator) files.insert(trial.mutant.file);
    for (const Equivalent& entry : equivalents) {
        std::size_t found = 0;
        for (Trial& trial : trials) {
            if (!matches(entry, trial.mutant, lines)) continue;
            ++found;
            if (trial.verdict == Verdict::survived || trial.verdict == Verdict::not_reached) {
                trial.verdict = Verdict::equivalent;
                trial.detail = fmt::format("{}: {}", proof_name(entry.proof), entry.reason);
            } else if (trial.verdict != Verdict::equivalent) {
                wrong.push_back(trial.mutant.id + ": listed as equivalent, and seen");
            }
        }
        if (whole && files.contains(entry.file) && found != entry.count)
            wrong.push_back(fmt::format("{}: listed as equivalent for {} mutants, matches {}",
                                        described(entry), entry.count, found));
    }
    return wrong;
}

}  // namespace capra::mutation
