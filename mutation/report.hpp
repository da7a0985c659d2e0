// A campaign's results for people and for other tools.
#pragma once

#include "mutation/tally.hpp"
#include "mutation/trial.hpp"

#include <map>
#include <span>
#include <string>

namespace capra::mutation {

/// Survivors and unreached mutants, one line each with the change, then tables per file and per
/// operator and the score, raw and adjusted.
std::string report_text(std::span<const Trial> trials);

/// The same tables in Markdown.
std::string report_markdown(std::span<const Trial> trials);

/// Contents of every mutated file, by path.
using Sources = std::map<std::string, std::string>;

/// The mutation-testing-elements schema (version 2), which its public viewer opens. `killedBy`
/// holds the kill matrix. Equivalents are "Ignored", with the reason.
std::string report_json(std::span<const Trial> trials, const Sources& sources);

/// The inverse, for merging the shards of one campaign; an Error names `file` and what is wrong.
std::vector<Trial> trials_from_json(std::string_view text, const std::string& file);

}  // namespace capra::mutation
