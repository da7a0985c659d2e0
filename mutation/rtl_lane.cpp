#include "mutation/rtl_lane.hpp"

#include "isa/error.hpp"
#include "mutation/fork_pool.hpp"
#include "sim/lockstep.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <csignal>
#include <numeric>

namespace capra::mutation {
namespace {

/// A mutant that hangs the simulator itself, not the simulated core.
constexpr std::chrono::seconds kWallLimit{120};

/// What a child tells its parent.
struct Outcome {
    Verdict verdict = Verdict::survived;
    std::vector<std::size_t> killers;  ///< indices of checks
    std::string detail;
};

std::string to_text(const Outcome& outcome) {
    return nlohmann::json{static_cast<int>(outcome.verdict), outcome.killers, outcome.detail}
        .dump();
}

Outcome outcome_from(const std::string& text) {
    const auto json = nlohmann::json::parse(text);
    return {static_cast<Verdict>(json.at(0).get<int>()), json.at(1).get<std::vector<std::size_t>>(),
            json.at(2).get<std::string>()};
}

/// What lock-step sees of one check; a fault of the core is a difference as well.
struct Sight {
    std::optional<sim::Divergence> divergence;
    bool timed_out = false;
};

Sight look(sim::RtlCore& core, const RtlChecks& checks, std::size_t i) {
    sim::Lockstep lockstep(checks.target, core);
    sim::ReplayReport report;
    const RtlCheck& check = checks.checks[i];
    try {
        return {lockstep.run(i, {&check.program, check.memory}, report), false};
    } catch (const sim::CycleLimit& limit) {
        return {lockstep.divergence_of(limit), true};
    } catch (const sim::RtlFault& fault) {
        return {lockstep.divergence_of(fault), false};
    }
}

/// Runs one design, mutant `number`, through one check on a core that ran nothing before: what a
/// check sees does not depend on the order of the checks.
Sight look_at(std::uint32_t number, const RtlChecks& checks, std::size_t i) {
    const auto& power_up = checks.checks[i].power_up;
    SchemaCore core(checks.target, power_up.value_or(sim::ResetRandomness{}));
    core.select(number);
    return look(core.core(), checks, i);
}

/// All checks without a power-up of their own in a row on one core, where an earlier program has
/// left something behind; the first that sees it and what it sees.
std::optional<std::pair<std::size_t, Sight>> look_in_a_row(std::uint32_t number,
                                                           const RtlChecks& checks) {
    SchemaCore core(checks.target);
    core.select(number);
    for (std::size_t i = 0; i < checks.checks.size(); ++i) {
        if (checks.checks[i].power_up) continue;
        if (Sight sight = look(core.core(), checks, i); sight.divergence) return {{i, sight}};
    }
    return std::nullopt;
}

/// What a mutant was seen by so far; the first of each kind only, unless all are wanted.
class Sightings {
  public:
    explicit Sightings(bool full) : full_(full) {}

    void add(std::size_t check, const Sight& sight) {
        // A check that hangs is put aside: another may see the mutant end with a wrong result.
        Outcome& outcome = sight.timed_out ? hung_ : killed_;
        if (outcome.killers.empty()) outcome.detail = to_string(*sight.divergence);
        if (full_ || outcome.killers.empty()) outcome.killers.push_back(check);
    }
    [[nodiscard]] bool is_kill() const { return !killed_.killers.empty(); }
    [[nodiscard]] Outcome outcome() const {
        if (is_kill()) return killed_;
        if (!hung_.killers.empty()) return hung_;
        return {.verdict = SchemaCore::was_reached() ? Verdict::survived : Verdict::not_reached};
    }

  private:
    bool full_;
    Outcome killed_{.verdict = Verdict::killed};
    Outcome hung_{.verdict = Verdict::timeout};
};

/// Runs checks in this order until one kills, or all of them.
Outcome try_selected(std::uint32_t number, const RtlChecks& checks,
                     const std::vector<std::size_t>& order, bool full) {
    Sightings seen(full);
    for (const std::size_t i : order) {
        if (const Sight sight = look_at(number, checks, i); sight.divergence) seen.add(i, sight);
        if (seen.is_kill() && !full) break;
    }
    if (!seen.is_kill())
        if (const auto found = look_in_a_row(number, checks)) seen.add(found->first, found->second);
    return seen.outcome();
}

/// The order checks are run in: what killed last is likely to kill next.
class CheckOrder {
  public:
    explicit CheckOrder(std::size_t checks) : order_(checks) {
        std::iota(order_.begin(), order_.end(), std::size_t{0});
    }
    void killed_by(std::size_t check) {
        const auto found = std::find(order_.begin(), order_.end(), check);
        std::rotate(order_.begin(), found, found + 1);
    }
    [[nodiscard]] const std::vector<std::size_t>& get() const { return order_; }

  private:
    std::vector<std::size_t> order_;
};

Trial to_trial(const Mutant& mutant, const ChildResult& child, const RtlChecks& checks,
               CheckOrder& order) {
    Trial trial{.mutant = mutant};
    if (child.timed_out) {
        trial.verdict = Verdict::timeout;
        trial.detail = "the simulator itself hangs";
        return trial;
    }
    // Anything else than an abort is a failure of the campaign, not of the mutant.
    constexpr std::array kAborts = {SIGABRT, SIGSEGV, SIGFPE, SIGBUS, SIGILL};
    if (!child.completed && std::ranges::find(kAborts, child.signal) == kAborts.end())
        throw Error(fmt::format("{}: its trial broke down (signal {})", mutant.id, child.signal));
    if (!child.completed) {
        trial.verdict = Verdict::killed;
        trial.killers = {"assertion"};
        trial.detail = fmt::format("the simulation aborts (signal {})", child.signal);
        return trial;
    }
    const Outcome outcome = outcome_from(child.text);
    trial.verdict = outcome.verdict;
    trial.detail = outcome.detail;
    for (const std::size_t killer : outcome.killers)
        trial.killers.push_back(checks.checks[killer].name);
    if (!outcome.killers.empty()) order.killed_by(outcome.killers.front());
    return trial;
}

}  // namespace

std::vector<Trial> try_rtl_mutants(std::span<const SchemaMutant> mutants, const RtlChecks& checks,
                                   RtlLaneOptions options, const TrialDone& done) {
    std::vector<Trial> trials(mutants.size());
    CheckOrder order(checks.checks.size());
    const auto task = [&](std::size_t index) {
        SchemaCore::forget_reached();
        return to_text(try_selected(mutants[index].number, checks, order.get(), options.full));
    };
    run_forked(mutants.size(), options.jobs, kWallLimit, task,
               [&](std::size_t index, const ChildResult& child) {
                   trials[index] = to_trial(mutants[index].mutant, child, checks, order);
                   if (done) done(index, trials[index]);
               });
    return trials;
}

std::string schema_baseline(const RtlChecks& checks) {
    for (std::size_t i = 0; i < checks.checks.size(); ++i)
        if (const Sight sight = look_at(0, checks, i); sight.divergence)
            return to_string(*sight.divergence);
    if (const auto found = look_in_a_row(0, checks)) return to_string(*found->second.divergence);
    return "";
}

}  // namespace capra::mutation
