#include "mutation/mutant.hpp"

#include "isa/error.hpp"

#include <fmt/format.h>

namespace capra::mutation {

std::string apply_mutant(std::string_view text, const Mutant& mutant) {
    const bool fits = mutant.begin <= mutant.end && mutant.end <= text.size() &&
                      text.substr(mutant.begin, mutant.end - mutant.begin) == mutant.original;
    if (!fits)
        throw Error(fmt::format("mutant {}: {} does not hold its original text at bytes {} to {}",
                                mutant.id, mutant.file, mutant.begin, mutant.end));
    std::string changed(text.substr(0, mutant.begin));
    changed += mutant.replacement;
    changed += text.substr(mutant.end);
    return changed;
}

}  // namespace capra::mutation
