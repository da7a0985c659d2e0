#include "mutation/rtl_campaign.hpp"

#include "isa/files.hpp"
#include "mutation/curated.hpp"
#include "mutation/fork_pool.hpp"
#include "mutation/patch_check.hpp"
#include "mutation/rebuild_lane.hpp"
#include "sim/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>

namespace capra::mutation {
namespace {

/// Checks that Icarus, a hundred times slower, gets: the chapter's programs and some random ones.
constexpr std::size_t kIcarusChecks = 60;
/// The first checks are the chapter's; the schema, slower still in Icarus, gets the random ones.
constexpr std::size_t kChapterChecks = 9;
/// Of the kills, one in so many is confirmed by a real patch.
constexpr std::size_t kConfirmOneIn = 20;
constexpr std::chrono::seconds kConfirmLimit{300};

std::span<const RtlCheck> icarus_checks(const RtlChecks& checks) {
    return std::span(checks.checks).first(std::min(kIcarusChecks, checks.checks.size()));
}

void require_baseline(const RtlCampaignOptions& options, const RtlChecks& checks) {
    std::vector<sim::Job> jobs;
    for (const RtlCheck& check : checks.checks) jobs.push_back({&check.program, check.memory});
    const sim::ReplayReport plain = sim::replay("verilator", checks.target, jobs);
    if (!plain.pass())
        throw BaselineFails("the unbroken RTL in Verilator: " + to_string(*plain.divergence));
    if (const std::string line = schema_baseline(checks); !line.empty())
        throw BaselineFails("the schema with no mutant selected, in Verilator: " + line);
    const auto few = icarus_checks(checks);
    if (run_design(options.source_dir, design_files(options.source_dir + "/rtl"), checks.target,
                   few) != DesignResult::equal)
        throw BaselineFails("the unbroken RTL differs from the C++ machine in Icarus");
    if (run_design(options.source_dir, design_files(CAPRA_SCHEMA_DIR), checks.target,
                   few.subspan(std::min(kChapterChecks, few.size()))) != DesignResult::equal)
        throw BaselineFails("the schema with no mutant selected differs in Icarus");
}

/// One mutant that must die, one that must survive, one whose anchor must not apply.
void run_controls(const RtlCampaignOptions& options, const RtlChecks& checks,
                  std::vector<std::string>& distrust) {
    const std::string file = "rtl/requant.v";
    const std::string text = read_file(options.source_dir + "/" + file);
    const auto control = [&](std::string anchor, std::string replacement) {
        return locate({.id = "control",
                       .file = file,
                       .anchor = std::move(anchor),
                       .replacement = std::move(replacement)},
                      text);
    };
    const auto expect = [&](const Located& located, DesignResult wanted, const char* what) {
        if (located.matches != 1 || run_patched(options.source_dir, located.mutant, checks.target,
                                                icarus_checks(checks)) != wanted)
            distrust.push_back(fmt::format("control: {}", what));
    };
    expect(control("$signed(prod_q) + half", "$signed(prod_q) - half"), DesignResult::different,
           "subtracting the half in requant.v must be seen, and is not");
    expect(control("$signed(prod_q) + half", "half + $signed(prod_q)"), DesignResult::equal,
           "swapping the operands of a sum in requant.v must not be seen, and is");
    if (control("$signed(prod_q) + quarter", "0").matches != 0)
        distrust.push_back("control: an anchor that is nowhere applies");
    SchemaCore core(checks.target);
    const SchemaMutant unused{.number = static_cast<std::uint32_t>(schema_mutants().size() + 1),
                              .mutant = {.id = "control/unused"}};
    const auto trials = try_rtl_mutants({&unused, 1}, checks, {}, {});
    if (trials[0].verdict != Verdict::not_reached)
        distrust.push_back("control: a selector that no mutant has must change nothing");
}

/// Checks that a real patch is asked about: those that killed, or the usual ones.
std::vector<RtlCheck> checks_for(const Trial& trial, const RtlChecks& checks) {
    const auto few = icarus_checks(checks);
    std::vector<RtlCheck> chosen(few.begin(), few.end());
    for (const RtlCheck& check : checks.checks)
        if (!trial.killers.empty() && check.name == trial.killers.front()) chosen = {check};
    return chosen;
}

bool was_seen(const Trial& trial) {
    return trial.verdict == Verdict::killed || trial.verdict == Verdict::timeout;
}

/// Every survivor, and one kill in so many.
std::vector<std::size_t> to_confirm(const std::vector<Trial>& trials, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < trials.size(); ++i)
        if (!was_seen(trials[i]) || random() % kConfirmOneIn == 0) chosen.push_back(i);
    return chosen;
}

void confirm(const RtlCampaignOptions& options, const RtlChecks& checks,
             const std::vector<Trial>& trials, const CampaignProgress& progress,
             std::vector<std::string>& distrust) {
    const auto chosen = to_confirm(trials, options.selection.seed);
    const auto task = [&](std::size_t i) {
        const Trial& trial = trials[chosen[i]];
        const DesignResult result =
            run_patched(options.source_dir, trial.mutant, checks.target, checks_for(trial, checks));
        return std::to_string(static_cast<int>(result));
    };
    std::size_t done = 0;
    run_forked(chosen.size(), options.jobs, kConfirmLimit, task,
               [&](std::size_t i, const ChildResult& child) {
                   const Trial& trial = trials[chosen[i]];
                   const auto wanted =
                       was_seen(trial) ? DesignResult::different : DesignResult::equal;
                   if (!child.completed || child.text != std::to_string(static_cast<int>(wanted)))
                       distrust.push_back(fmt::format("{}: {} in the schema, not as a patch",
                                                      trial.mutant.id,
                                                      was_seen(trial) ? "seen" : "not seen"));
                   progress("confirming", ++done, chosen.size());
               });
}

}  // namespace

std::vector<SchemaMutant> schema_mutants() {
    const std::string path = std::string(CAPRA_SCHEMA_DIR) + "/mutants.json";
    return parse_schema_mutants(read_file(path), path);
}

CampaignResult run_rtl_campaign(const RtlCampaignOptions& options,
                                const CampaignProgress& progress) {
    CampaignResult result;
    const RtlChecks checks = rtl_checks(options.fuzz_programs);
    progress("the unbroken project", 0, 1);
    require_baseline(options, checks);
    run_controls(options, checks, result.distrust);

    const std::vector<SchemaMutant> all = schema_mutants();
    std::vector<SchemaMutant> chosen;
    for (const std::size_t i : select(
             options.selection, all.size(), [&](std::size_t m) { return all[m].mutant.id; },
             [&](std::size_t m) { return all[m].mutant.file; }))
        chosen.push_back(all[i]);
    std::size_t done = 0;
    result.trials =
        try_rtl_mutants(chosen, checks, {.jobs = options.jobs, .full = options.full},
                        [&](const Trial&) { progress("RTL mutants", ++done, chosen.size()); });
    for (const std::string& id : apply_equivalents(result.trials, options.equivalents))
        result.distrust.push_back(id + ": listed as equivalent, and killed");
    confirm(options, checks, result.trials, progress, result.distrust);
    return result;
}

}  // namespace capra::mutation
