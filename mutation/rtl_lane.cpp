#include "mutation/rtl_lane.hpp"

#include "mutation/fork_pool.hpp"
#include "sim/lockstep.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
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

/// Runs one design, mutant `number`, through the checks. The core it is given runs one check after
/// the other; a check that asks for a power-up of its own gets a fresh one.
class Candidate {
  public:
    Candidate(SchemaCore& core, std::uint32_t number, const RtlChecks& checks)
        : core_(core), number_(number), checks_(checks) {
        core_.select(number);
    }

    Sight look_at(std::size_t i) {
        const auto& power_up = checks_.checks[i].power_up;
        SchemaCore* core = &core_;
        std::optional<SchemaCore> fresh;
        if (power_up) {
            core = &fresh.emplace(checks_.target, *power_up);
            core->select(number_);
        }
        return look(core->core(), checks_, i);
    }

  private:
    SchemaCore& core_;
    std::uint32_t number_;
    const RtlChecks& checks_;
};

/// Runs checks in this order until one kills, or all of them.
Outcome try_selected(SchemaCore& core, std::uint32_t number, const RtlChecks& checks,
                     const std::vector<std::size_t>& order, bool full) {
    Outcome killed{.verdict = Verdict::killed};
    Outcome hung{.verdict = Verdict::timeout};
    Candidate candidate(core, number, checks);
    for (const std::size_t i : order) {
        const Sight sight = candidate.look_at(i);
        if (!sight.divergence) continue;
        // A check that hangs is put aside: another may see the mutant end with a wrong result, and
        // the verdict must not depend on the order.
        Outcome& outcome = sight.timed_out ? hung : killed;
        if (outcome.killers.empty()) outcome.detail = to_string(*sight.divergence);
        outcome.killers.push_back(i);
        if (!full && !sight.timed_out) break;
    }
    if (!killed.killers.empty()) return killed;
    if (!hung.killers.empty()) return hung;
    return {.verdict = SchemaCore::was_reached() ? Verdict::survived : Verdict::not_reached};
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
    // Built once: every child starts from a copy of this core.
    SchemaCore core(checks.target);
    const auto task = [&](std::size_t index) {
        SchemaCore::forget_reached();
        return to_text(
            try_selected(core, mutants[index].number, checks, order.get(), options.full));
    };
    run_forked(mutants.size(), options.jobs, kWallLimit, task,
               [&](std::size_t index, const ChildResult& child) {
                   trials[index] = to_trial(mutants[index].mutant, child, checks, order);
                   if (done) done(index, trials[index]);
               });
    return trials;
}

std::string schema_baseline(const RtlChecks& checks) {
    SchemaCore core(checks.target);
    Candidate unbroken(core, 0, checks);
    for (std::size_t i = 0; i < checks.checks.size(); ++i)
        if (const Sight sight = unbroken.look_at(i); sight.divergence)
            return to_string(*sight.divergence);
    return "";
}

}  // namespace capra::mutation
