// What every report shows of single mutants: which ones, in which order, and the change of each on
// its line of source.
#pragma once

#include "mutation/trial.hpp"

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace capra::mutation {

/// Contents of every mutated file, by path.
using Sources = std::map<std::string, std::string>;

/// It timed out and no check can be named that it failed: nobody knows whether it would have ended.
bool is_undecided(const Trial& trial);

/// What somebody has to look at: survived, not reached, undecided, not applied, not built, in this
/// order, and by place within each. The trials must outlive the result.
std::vector<const Trial*> unresolved(std::span<const Trial> trials);

/// The equivalents by place.
std::vector<const Trial*> equivalents_of(std::span<const Trial> trials);

/// "rtl/x.v:41:17", or the file alone for a mutant that has no place in it.
std::string place_of(const Mutant& mutant);

/// The lines a mutant changes, joined to one: blanks at both ends are gone, and line ends with
/// the blanks around them have become one blank.
struct SourceChange {
    std::string head;  ///< in front of the change
    std::string original;
    std::string replacement;
    std::string tail;  ///< behind it

    [[nodiscard]] std::string before() const { return head + original + tail; }
    [[nodiscard]] std::string after() const { return head + replacement + tail; }
};

/// Head and tail are empty when the sources do not hold the mutant's original in its place.
SourceChange source_change(const Mutant& mutant, const Sources& sources);

/// The change with at most `width` characters before and after, "..." standing for what is cut. The
/// words that differ are kept before all others. `width` is at least 16.
SourceChange shortened(const SourceChange& change, std::size_t width);

}  // namespace capra::mutation
