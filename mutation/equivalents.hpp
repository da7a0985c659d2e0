// The list of mutants that nothing can kill, each with the reason why.
#pragma once

#include "mutation/trial.hpp"

#include <map>
#include <string>
#include <vector>

namespace capra::mutation {

struct Equivalent {
    std::string original;  ///< the span as it was when the argument was written
    std::string replacement;
    std::string reason;  ///< the written argument
};

/// By mutant id.
using Equivalents = std::map<std::string, Equivalent>;

/// {"equivalents":[{"id","original","replacement","reason"}]}, read strictly.
Equivalents parse_equivalents(std::string_view text, const std::string& file);

/// Turns survivors that are listed, with this original and replacement, into equivalents with their
/// reason. A listed mutant that was killed is not equivalent: its id is returned, for the list is
/// wrong then.
std::vector<std::string> apply_equivalents(std::vector<Trial>& trials,
                                           const Equivalents& equivalents);

}  // namespace capra::mutation
