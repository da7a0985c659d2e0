// Mutants as JSON.
#pragma once

#include "isa/json_reader.hpp"
#include "mutation/mutant.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace capra::mutation {

/// One key a member.
nlohmann::ordered_json mutant_json(const Mutant& mutant);

/// The inverse, from an object that may have other keys too; an Error says what is wrong with it.
Mutant mutant_from(const JsonReader& reader);

/// The list that is written beside a schema: an array of objects, `number` being the one that
/// selects the mutant, from 1 on.
std::string mutants_to_json(const std::vector<Mutant>& mutants);

/// The inverse, in the order of the numbers; an Error names `file` and what is wrong.
std::vector<Mutant> parse_mutants(std::string_view text, const std::string& file);

/// Throws BaselineFails if a mutated file has changed since the list beside a schema was written:
/// the schema is one of other sources then.
void require_built_from(const std::string& list, const std::string& source_dir,
                        const std::vector<Mutant>& mutants);

}  // namespace capra::mutation
