// Joining the shards of one campaign that ran on several machines.
#pragma once

#include "mutation/campaign.hpp"
#include "mutation/report.hpp"

#include <string>
#include <vector>

namespace capra::mutation {

struct Merged {
    CampaignResult result;
    Sources sources;
};

/// Reads what each shard wrote. An Error if a shard is missing or given twice, if the parts are of
/// different campaigns, or if they saw different sources.
Merged merge_results(const std::vector<std::string>& paths);

}  // namespace capra::mutation
