// The list of mutants that nothing can kill, each with the reason why.
//
//     {"equivalents": [{"file": "rtl/x.v", "line": "if (a < b) begin", "op": "relational",
//                       "original": "<", "replacement": "<=", "proof": "argument",
//                       "reason": "a never equals b: ..."}]}
//
// A mutant is found by the text of its line, so that an edit elsewhere moves nothing; `count` says
// how many it stands for when that is not one.
#pragma once

#include "mutation/proof.hpp"
#include "mutation/source_lines.hpp"
#include "mutation/trial.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace capra::mutation {

struct Equivalent {
    std::string file;
    std::string line;  ///< text of the line the span begins on, trimmed
    std::string op;
    std::string original;
    std::string replacement;
    std::size_t count = 1;  ///< mutants that match
    Proof proof = Proof::argument;
    std::string reason;
};

using Equivalents = std::vector<Equivalent>;

/// Read strictly; an Error names `file`, the place and the value.
Equivalents parse_equivalents(std::string_view text, const std::string& file);

/// True if the entry means this mutant.
bool matches(const Equivalent& entry, const Mutant& mutant, const SourceLines& lines);

/// Turns survivors and unreached mutants that are listed into equivalents. One line for each listed
/// mutant that was seen, and, where the trials are all mutants of their suites (`whole`), for each
/// entry of a file of theirs that matches more or fewer than it says: the list is wrong then.
/// Curated mutants have their reasons in a list of their own.
std::vector<std::string> apply_equivalents(std::vector<Trial>& trials,
                                           const Equivalents& equivalents, const SourceLines& lines,
                                           bool whole);

}  // namespace capra::mutation
