#include "mutation/campaign.hpp"

#include "isa/error.hpp"
#include "mutation/fork_pool.hpp"
#include "mutation/interrupt.hpp"
#include "mutation/journal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <random>
#include <utility>

namespace capra::mutation {
namespace {

/// Of the kills, one in so many is confirmed by a real patch.
constexpr std::size_t kConfirmOneIn = 20;
constexpr std::chrono::seconds kProofLimit{300};

bool is_named(const Mutant& mutant, const std::string& only) {
    return only.empty() || mutant.id == only || mutant.file == only;
}

/// Everything that nothing saw, and one kill in so many.
std::vector<Trial> to_confirm(const std::vector<Trial>& trials, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<Trial> chosen;
    for (const Trial& trial : trials) {
        const bool drawn = random() % kConfirmOneIn == 0;
        const bool ran =
            trial.verdict != Verdict::not_applied && trial.verdict != Verdict::not_built;
        if (ran && (drawn || !was_seen(trial))) chosen.push_back(trial);
    }
    return chosen;
}

/// Tries the chosen mutants, but for those whose verdict is known.
std::vector<Trial> try_mutants(Suite& suite, const std::vector<std::size_t>& chosen,
                               Journal& journal, bool resume, const CampaignProgress& progress,
                               std::size_t& reused) {
    std::vector<Trial> trials(chosen.size());
    std::vector<std::size_t> unknown;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        const Mutant& mutant = suite.mutants()[chosen[i]];
        const Trial* known = journal.find(mutant);
        if (known != nullptr && (resume || known->verdict == Verdict::killed))
            trials[i] = *known;
        else
            unknown.push_back(chosen[i]);
    }
    reused = chosen.size() - unknown.size();
    const std::string phase = fmt::format("{} mutants", suite.name());
    std::size_t done = reused;
    progress(phase, done, chosen.size());
    suite.run(unknown, [&](std::size_t index, const Trial& trial) {
        // The signal may be what ended this trial.
        throw_if_interrupted();
        const auto at = std::ranges::lower_bound(chosen, index);
        trials[static_cast<std::size_t>(at - chosen.begin())] = trial;
        journal.add(trial);
        progress(phase, ++done, chosen.size());
    });
    return trials;
}

/// Checks the proofs of the equivalents among the trials anew. One line for each that does not
/// hold.
std::vector<std::string> check_proofs(const Suite& suite, const std::vector<Trial>& trials,
                                      const CampaignOptions& options,
                                      const CampaignProgress& progress) {
    const SourceLines lines(options.source_dir);
    std::vector<std::pair<const Mutant*, Proof>> claims;
    for (const Trial& trial : trials)
        for (const Equivalent& entry : options.equivalents)
            if (trial.verdict == Verdict::equivalent && entry.proof != Proof::argument &&
                matches(entry, trial.mutant, lines))
                claims.emplace_back(&trial.mutant, entry.proof);
    const auto task = [&](std::size_t i) {
        return std::string(suite.proves(*claims[i].first, claims[i].second) ? "holds" : "");
    };
    std::vector<std::string> unproved;
    std::size_t finished = 0;
    const std::string phase = fmt::format("{}: proofs of equivalents", suite.name());
    run_forked(
        claims.size(), options.jobs, kProofLimit, task,
        [&](std::size_t i, const ChildResult& child) {
            throw_if_interrupted();
            progress(phase, ++finished, claims.size());
            if (child.text != "holds")
                unproved.push_back(fmt::format("{}: listed with a proof ({}) that fails",
                                               claims[i].first->id, proof_name(claims[i].second)));
        });
    return unproved;
}

bool is_everything(const CampaignOptions& options) {
    const Selection& selection = options.selection;
    return selection.only.empty() && selection.sample == 0 && selection.shards == 1 &&
           !options.since;
}

}  // namespace

void require_named(const std::vector<std::unique_ptr<Suite>>& suites, const std::string& only) {
    const auto has_it = [&](const std::unique_ptr<Suite>& suite) {
        return std::ranges::any_of(suite->mutants(),
                                   [&](const Mutant& m) { return is_named(m, only); });
    };
    if (!std::ranges::any_of(suites, has_it))
        throw Error(fmt::format("no mutant and no mutated file is named '{}'", only));
}

std::vector<std::size_t> chosen_mutants(const Suite& suite, const CampaignOptions& options) {
    const std::vector<Mutant>& mutants = suite.mutants();
    return select(options.selection, mutants.size(), [&](std::size_t i) {
        return is_named(mutants[i], options.selection.only) &&
               (!options.since || options.since->touches(mutants[i]));
    });
}

CampaignResult run_campaign(Suite& suite, const CampaignOptions& options,
                            const CampaignProgress& progress) {
    const auto start = std::chrono::steady_clock::now();
    CampaignResult result;
    result.parts = {{options.selection.shard, options.selection.shards}};
    const std::vector<std::size_t> chosen = chosen_mutants(suite, options);
    if (chosen.empty()) return result;

    progress(fmt::format("{}: the unbroken project", suite.name()), 0, 1);
    suite.require_baseline(progress);
    throw_if_interrupted();
    progress(fmt::format("{}: controls", suite.name()), 0, 1);
    result.distrust = suite.run_controls();
    throw_if_interrupted();

    Journal journal(options.cache_dir, suite.name(), suite.fingerprint());
    result.trials = try_mutants(suite, chosen, journal, options.resume, progress, result.reused);
    std::ranges::move(apply_equivalents(result.trials, options.equivalents,
                                        SourceLines(options.source_dir), is_everything(options)),
                      std::back_inserter(result.distrust));

    std::ranges::move(check_proofs(suite, result.trials, options, progress),
                      std::back_inserter(result.distrust));

    const std::vector<Trial> asked = to_confirm(result.trials, options.selection.seed);
    const std::string phase = fmt::format("{}: confirming as patches", suite.name());
    std::ranges::move(suite.confirm(asked,
                                    [&](std::size_t done) {
                                        progress(phase, done, asked.size());
                                        throw_if_interrupted();
                                    }),
                      std::back_inserter(result.distrust));
    result.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return result;
}

void append(CampaignResult& result, CampaignResult part) {
    std::ranges::move(part.trials, std::back_inserter(result.trials));
    std::ranges::move(part.distrust, std::back_inserter(result.distrust));
    for (const Part& p : part.parts)
        if (std::ranges::find(result.parts, p) == result.parts.end()) result.parts.push_back(p);
    result.reused += part.reused;
    result.seconds += part.seconds;
}

}  // namespace capra::mutation
