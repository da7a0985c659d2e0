// The RTL suite from end to end: the unbroken project first, controls, the mutants, what is listed
// as equivalent, and a second opinion on survivors and a sample of the kills.
#pragma once

#include "mutation/campaign.hpp"
#include "mutation/equivalents.hpp"
#include "mutation/rtl_lane.hpp"
#include "mutation/selection.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace capra::mutation {

struct RtlCampaignOptions {
    std::string source_dir;  ///< the project
    Selection selection;
    unsigned jobs = 1;
    bool full = false;                ///< every killer of a mutant, not the first only
    std::uint64_t fuzz_programs = 0;  ///< beside the chapter's own
    Equivalents equivalents;
};

/// The mutants of the schema that was built with this program.
std::vector<SchemaMutant> schema_mutants();

/// Throws BaselineFails (rebuild_lane.hpp) when the unbroken project is not equal to the C++
/// machine, as it is or as the schema with nothing selected, in either simulator.
CampaignResult run_rtl_campaign(const RtlCampaignOptions& options,
                                const CampaignProgress& progress);

}  // namespace capra::mutation
