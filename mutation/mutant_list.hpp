// Mutants from the changes that a language's generator proposes.
#pragma once

#include "mutation/mutant.hpp"
#include "mutation/source_text.hpp"

#include <string>
#include <vector>

namespace capra::mutation {

/// In the order of the changes. The id is FILE:LINE:COLUMN:OPERATOR:N, N telling apart what is the
/// same up to there.
std::vector<Mutant> mutants_of(const std::string& suite, const SourceFile& source,
                               const std::vector<Change>& changes);

}  // namespace capra::mutation
