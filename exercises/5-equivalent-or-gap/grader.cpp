// Grades exercise 5: verdicts on six mutants of the RTL, and the programs that prove the gaps. Each
// program runs on the mutant in Icarus and is compared with the C++ machine, instruction by
// instruction.
#include "exercises/verdict.hpp"
#include "isa/assembler.hpp"
#include "isa/files.hpp"
#include "isa/json_reader.hpp"
#include "mutation/curated.hpp"
#include "mutation/patch_check.hpp"
#include "sim/verify.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <vector>

namespace capra::exercise {
namespace {

constexpr const char* kMutants = CAPRA_SOURCE "/exercises/5-equivalent-or-gap/mutants.json";

/// What is known of each mutant: whether a program tells it, and a question that leads on.
struct Known {
    bool gap;
    const char* question;
};

constexpr std::array<Known, 6> kKnown = {{
    {true, "what does docs/isa.md promise of AMAX that is not about which value is largest?"},
    {false, "what does max_q hold after one equal score, and after the other?"},
    {true, "shift_i has six bits: which shifts does the change treat in another way?"},
    {false, "how is `negative` made, and which bit of v is it?"},
    {false, "what does the unit's state do while it is idle, with the clock and without?"},
    {true, "which k have a bit in k[11:5] and none in k[11:6], and what is t * scale then?"},
}};

struct Subject {
    std::size_t number;  ///< from 1
    mutation::Mutant mutant;

    [[nodiscard]] std::string name() const {
        return fmt::format("mutant {} ({}, line {})", number, mutant.file, mutant.line);
    }
    [[nodiscard]] const Known& known() const { return kKnown[number - 1]; }
};

std::string replaced(std::string line, const std::string& was, const std::string& is) {
    const std::size_t at = line.find(was);
    if (at == std::string::npos) throw Error(fmt::format("\"{}\" is not in \"{}\"", was, line));
    return line.replace(at, was.size(), is);
}

std::vector<Subject> read_subjects() {
    const JsonDocument document = parse_strict_json(read_file(kMutants), kMutants);
    const JsonReader list = JsonReader(document).at("mutants");
    std::vector<Subject> subjects;
    for (std::size_t i = 0; i < list.size(); ++i) {
        mutation::CuratedMutant curated;
        curated.file = list.at(i).at("file").string();
        curated.anchor = list.at(i).at("line").string();
        curated.replacement =
            replaced(curated.anchor, list.at(i).at("was").string(), list.at(i).at("is").string());
        const auto located = mutation::locate(curated, read_file(CAPRA_SOURCE "/" + curated.file));
        if (located.matches != 1) list.at(i).fail("this line is not in the file exactly once");
        subjects.push_back({i + 1, located.mutant});
    }
    return subjects;
}

/// The lines of a program as one text.
isa::Program read_program(const JsonReader& lines, const Subject& subject) {
    std::string text;
    for (std::size_t i = 0; i < lines.size(); ++i) text += lines.at(i).string() + "\n";
    return isa::assemble(text, fmt::format("program of mutant {}", subject.number));
}

std::optional<Verdict> grade_equivalent(const JsonReader& claim, const Subject& subject) {
    claim.only_keys({"verdict", "reason"});
    if (claim.at("reason").string().empty())
        return Verdict{.law = "An equivalent is listed with the reason why nothing can see it.",
                       .where = subject.name(),
                       .got = "no reason"};
    if (!subject.known().gap) return std::nullopt;
    return Verdict{.law = "A mutant is equivalent only if no program tells it from the original.",
                   .where = subject.name(),
                   .expected = "a program that does",
                   .got = "\"equivalent\"",
                   .hint = subject.known().question};
}

std::optional<Verdict> grade_gap(const JsonReader& claim, const Subject& subject) {
    claim.only_keys({"verdict", "program"});
    const isa::Target target = isa::reference_target();
    const isa::Program program = read_program(claim.at("program"), subject);
    const sim::Verification safety = sim::verify(program, target);
    if (!safety.ok())
        return Verdict{.law = "A witness is safe: `capra verify` finds nothing wrong with it.",
                       .where = fmt::format("{}: {}", subject.name(), safety.findings[0].text),
                       .hint = "a cell that nothing wrote differs from one run to the next anyway"};
    const mutation::RtlCheck check{"witness", program, isa::initial_memory(program), {}};
    const std::string source = CAPRA_SOURCE;
    const auto files = mutation::design_files(source + "/rtl");
    if (mutation::run_design(source, files, target, {&check, 1}) != mutation::DesignResult::equal)
        throw Error("the RTL itself does not run this program as the C++ machine does");
    const auto result = mutation::run_patched(source, subject.mutant, target, {&check, 1});
    if (result == mutation::DesignResult::different || result == mutation::DesignResult::hangs)
        return std::nullopt;
    if (result == mutation::DesignResult::not_built)
        throw Error(subject.name() + " does not build");
    return Verdict{.law = "The program of a gap runs otherwise on the mutant than on the original.",
                   .where = subject.name(),
                   .got = "the same: every cell, every cycle",
                   .hint = subject.known().question};
}

std::optional<Verdict> grade_claim(const JsonReader& claim, const Subject& subject) {
    const std::string& verdict = claim.at("verdict").string();
    if (verdict == "equivalent") return grade_equivalent(claim, subject);
    if (verdict == "gap") return grade_gap(claim, subject);
    claim.at("verdict").expected("\"equivalent\" or \"gap\"");
}

}  // namespace

Verdict grade_answer(const std::string& path) {
    const JsonDocument document = parse_strict_json(read_file(path), path);
    const JsonReader claims = JsonReader(document).at("mutants");
    const std::vector<Subject> subjects = read_subjects();
    if (claims.size() != subjects.size())
        claims.expected(fmt::format("{} verdicts", subjects.size()));
    for (const Subject& subject : subjects)
        if (const auto verdict = grade_claim(claims.at(subject.number - 1), subject))
            return *verdict;
    return {.passed = true,
            .law = fmt::format("{} mutants judged, every gap shown by a program", subjects.size())};
}

}  // namespace capra::exercise
