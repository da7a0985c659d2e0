// The chapter suite: the curated mistakes of mutation/chapter.json, each patched into a copy of
// the project, rebuilt and judged.
#pragma once

#include "mutation/campaign.hpp"
#include "mutation/selection.hpp"

#include <string>
#include <vector>

namespace capra::mutation {

/// Ids of the curated mutants.
std::vector<std::string> chapter_ids(const std::string& source_dir);

/// Runs the selected ones in a temporary directory, which is removed at the end. Throws
/// BaselineFails.
CampaignResult run_chapter_campaign(const std::string& source_dir, const Selection& selection,
                                    unsigned jobs, const CampaignProgress& progress);

}  // namespace capra::mutation
