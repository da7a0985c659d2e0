// A campaign over one suite: the unbroken project first, controls, the mutants, what is listed as
// equivalent, and a second opinion on survivors and on a sample of the kills.
#pragma once

#include "mutation/changed_lines.hpp"
#include "mutation/equivalents.hpp"
#include "mutation/selection.hpp"
#include "mutation/suite.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace capra::mutation {

/// One part of a campaign that was split over several machines.
struct Part {
    std::size_t shard = 1;
    std::size_t shards = 1;

    friend bool operator==(const Part&, const Part&) = default;
};

struct CampaignResult {
    std::vector<Trial> trials;
    /// A control that misbehaved, a listed equivalent that was killed, a verdict that a real patch
    /// does not confirm: the campaign is not to be trusted. One line each.
    std::vector<std::string> distrust;
    std::vector<Part> parts;
    std::string selection;   ///< what was asked for, but for the shard; parts of one are alike
    std::size_t reused = 0;  ///< verdicts of earlier runs
    double seconds = 0;
};

struct CampaignOptions {
    std::string source_dir;  ///< the project
    Selection selection;
    std::optional<ChangedLines> since;  ///< only mutants on these lines
    unsigned jobs = 1;                  ///< proofs checked at a time
    std::string cache_dir;              ///< where verdicts are kept; empty: nowhere
    bool resume = false;                ///< take every verdict from there, not only kills
    Equivalents equivalents;
};

/// Indices of the suite's mutants that the options choose, ascending.
std::vector<std::size_t> chosen_mutants(const Suite& suite, const CampaignOptions& options);

/// Throws an Error if `only`, when it is not empty, is neither a mutant nor a mutated file of
/// these.
void require_named(const std::vector<std::unique_ptr<Suite>>& suites, const std::string& only);

/// Does nothing but return when the options choose no mutant. Throws BaselineFails.
CampaignResult run_campaign(Suite& suite, const CampaignOptions& options,
                            const CampaignProgress& progress);

/// Appends the results of another suite or of another shard of the same campaign.
void append(CampaignResult& result, CampaignResult part);

}  // namespace capra::mutation
