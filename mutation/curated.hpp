// Curated mutants: mistakes somebody chose, listed in a JSON file and found in the source by an
// anchor, so that they survive edits elsewhere in the file.
//
//     {"mutants": [{"id": "chapter/...", "file": "model/...", "anchor": "...",
//                   "replacement": "...", "what": "one sentence",
//                   "checks": ["ch17_run", "model_tests"], "expect": "killed"}],
//      "controls": [...]}
//
// `expect` is "killed" or "equivalent"; an equivalent needs a `reason`: why nothing can see it.
// "controls", a list of the same form, shows that the campaign itself can be trusted: one mutant
// that must be "killed", one that must have "survived", one that must be "not applied".
#pragma once

#include "mutation/mutant.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace capra::mutation {

/// A program that judges the project.
enum class CheckProgram : std::uint8_t {
    ch17_run,     ///< the laws of chapter 17 and the replays on the C++ machine
    model_tests,  ///< unit tests of the model room
    stem_run,     ///< the laws of the STEM family and the replays on the C++ machine
    stem_tests,   ///< unit tests of the stem room
};
inline constexpr std::array kCheckPrograms = {CheckProgram::ch17_run, CheckProgram::model_tests,
                                              CheckProgram::stem_run, CheckProgram::stem_tests};

/// As the file writes it: "ch17_run", "model_tests".
std::string_view check_name(CheckProgram check);
/// The target that builds it, which is also the program's name.
std::string_view target_of(CheckProgram check);
/// True for a program of unit tests, false for one of laws.
bool runs_tests(CheckProgram check);

struct CuratedMutant {
    std::string id;                    ///< chapter/lower_snake, each once
    std::string file;                  ///< relative to the project, inside it
    std::string anchor;                ///< text of the file, any number of lines
    std::string replacement;           ///< one line
    std::string what;                  ///< the mistake, in a sentence
    std::vector<CheckProgram> checks;  ///< in this order, each once, at least one
    Verdict expect = Verdict::killed;  ///< or equivalent; of a control also survived, not_applied
    std::string reason;                ///< of an equivalent, else empty
};

struct CuratedList {
    std::vector<CuratedMutant> mutants;
    std::vector<CuratedMutant> controls;  ///< one of each kind
};

/// Strict; an Error names `file`, the JSON path and the mutant.
CuratedList parse_curated(std::string_view text, const std::string& file);

struct Located {
    std::size_t matches = 0;  ///< of the anchor; the mutant applies only if it is one
    Mutant mutant;            ///< its span is that of the first match, if there is any
};

/// Where the mutant is in the text of its file. Matches may overlap.
Located locate(const CuratedMutant& curated, std::string_view text);

}  // namespace capra::mutation
