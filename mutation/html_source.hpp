// The parts of the HTML report that show single mutants: entries of a list, and files with their
// mutants on the lines they are planted in.
#pragma once

#include "mutation/report_entries.hpp"

#include <span>
#include <string>

namespace capra::mutation {

/// The class that the page's style sheet knows a verdict by: "not-reached".
std::string html_class(Verdict verdict);

/// One mutant: verdict, change, killers, and what is said of it. In a list apart from the source
/// its place is a link into the file.
std::string html_mutant(const Trial& trial, const Sources& sources, bool with_place);

/// One file, closed: its source, and on each line that carries mutants their counts by verdict,
/// which open to the mutants. Mutants without a place in the source stand in front of it. All
/// trials are the file's.
std::string html_file(const std::string& file, std::span<const Trial* const> trials,
                      const Sources& sources);

}  // namespace capra::mutation
