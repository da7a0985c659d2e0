// A campaign's results for people and for other tools. Every report is a function of its arguments
// alone: the same trials give the same text.
#pragma once

#include "mutation/campaign.hpp"
#include "mutation/report_entries.hpp"

#include <span>
#include <string>
#include <string_view>

namespace capra::mutation {

/// For a terminal of 100 columns: one line a mutant that somebody has to look at, with its change;
/// a table by layer and one by operator; the score, raw and adjusted. Equivalents are only counted.
std::string report_text(std::span<const Trial> trials, const Sources& sources);

/// The same in Markdown, and every equivalent with the reason why nothing can see it. Headings are
/// of the third level, to be put into a longer text.
std::string report_markdown(const CampaignResult& result, const Sources& sources);

/// The mutation-testing-elements schema (version 2), which its public viewer opens. `killedBy`
/// holds the kill matrix and `testFiles` the checks it names. What the schema has no place for
/// stands in `config` and in the member `capra` of a mutant. Bytes that are not UTF-8 are replaced.
///
/// Statuses: killed "Killed", timeout "Timeout", survived "Survived", equivalent "Ignored", not
/// applied "Pending", not built "CompileError", not reached "NoCoverage".
std::string report_json(const CampaignResult& result, const Sources& sources);

/// The inverse, for merging the shards of one campaign: the trials are in the order of their files,
/// and for each file in the order they were given in. An Error names `file` and what is wrong.
CampaignResult result_from_json(std::string_view text, const std::string& file);

/// A score in percent to two decimals, rounded down: only what is complete is 100.00.
std::string score_text(double percent);

}  // namespace capra::mutation
