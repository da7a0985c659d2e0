// The C++ mutant schema: files that hold every mutant and behave as the original until one is
// selected through mutation/cxx_runtime.hpp.
//
// Operators become functions of their operands, so that a version which does not compile can be
// told and left out. Everything that must not be evaluated unless it is needed, or that depends on
// being a literal, becomes `selected ? version : original`; versions hold no further mutants.
// Every line keeps its number: a schema is compiled with `-include mutation/cxx_runtime.hpp`.
#pragma once

#include "mutation/mutant.hpp"
#include "mutation/source_text.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace capra::mutation::cxx {

struct Schema {
    std::vector<Mutant> mutants;  ///< ids depend on this file only
    std::string text;             ///< mutant i is selected by the number `first` + i
};

/// An Error for source text that the parser does not understand.
Schema make_schema(const SourceFile& source, std::uint32_t first);

}  // namespace capra::mutation::cxx
