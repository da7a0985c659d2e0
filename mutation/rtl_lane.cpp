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

/// Runs checks in this order until one kills, or all of them.
Outcome try_selected(SchemaCore& core, const RtlChecks& checks,
                     const std::vector<std::size_t>& order, bool full) {
    Outcome outcome;
    sim::Lockstep lockstep(checks.target, core.core());
    sim::ReplayReport report;
    for (const std::size_t i : order) {
        const RtlCheck& check = checks.checks[i];
        std::optional<sim::Divergence> divergence;
        try {
            divergence = lockstep.run(i, {&check.program, check.memory}, report);
        } catch (const sim::CycleLimit& limit) {
            return {Verdict::timeout, {i}, to_string(lockstep.divergence_of(limit))};
        } catch (const sim::RtlFault& fault) {
            divergence = lockstep.divergence_of(fault);
        }
        if (!divergence) continue;
        if (outcome.killers.empty()) outcome.detail = to_string(*divergence);
        outcome.verdict = Verdict::killed;
        outcome.killers.push_back(i);
        if (!full) return outcome;
    }
    if (outcome.killers.empty() && !core.was_reached()) outcome.verdict = Verdict::not_reached;
    return outcome;
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
        core.select(mutants[index].number);
        return to_text(try_selected(core, checks, order.get(), options.full));
    };
    run_forked(mutants.size(), options.jobs, kWallLimit, task,
               [&](std::size_t index, const ChildResult& child) {
                   trials[index] = to_trial(mutants[index].mutant, child, checks, order);
                   if (done) done(trials[index]);
               });
    return trials;
}

std::string schema_baseline(const RtlChecks& checks) {
    SchemaCore core(checks.target);
    sim::Lockstep lockstep(checks.target, core.core());
    sim::ReplayReport report;
    for (std::size_t i = 0; i < checks.checks.size(); ++i) {
        const RtlCheck& check = checks.checks[i];
        if (const auto d = lockstep.run(i, {&check.program, check.memory}, report))
            return to_string(*d);
    }
    return "";
}

}  // namespace capra::mutation
