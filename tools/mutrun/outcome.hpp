// What is left to do when a campaign has ended: print it, write it, and say how it went.
#pragma once

#include "mutation/campaign.hpp"
#include "mutation/report.hpp"

#include <string>

namespace capra::tools {

/// Exit statuses; an interrupted run ends with 128 + the signal.
enum MutrunStatus : int {
    kAllSeen = 0,        ///< every mutant was seen, or is listed as equivalent
    kSurvivors = 1,      ///< some were not, or a curated one no longer fits the source
    kUsage = 2,          ///< bad arguments or bad input
    kBaselineFails = 3,  ///< the unbroken project fails
    kDistrusted = 4,     ///< a control misbehaved, or a verdict was not confirmed
    kUndecided = 5,      ///< a mutant hung beyond what is counted in cycles or steps
};

/// Files to write; an empty path is none.
struct Outputs {
    std::string json;
    std::string html;
    std::string markdown;
};

/// An Error, before the work, for a path that cannot be written.
void check_outputs(const Outputs& outputs);

/// Contents of every mutated file that is there.
mutation::Sources sources_of(const mutation::CampaignResult& result, const std::string& source_dir);

/// Prints the report, then writes the files. Returns the exit status.
int conclude(const mutation::CampaignResult& result, const mutation::Sources& sources,
             const Outputs& outputs);

}  // namespace capra::tools
