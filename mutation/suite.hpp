// One way of planting mistakes and of judging them. A campaign runs any suite.
#pragma once

#include "mutation/progress.hpp"
#include "mutation/proof.hpp"
#include "mutation/trial.hpp"

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace capra::mutation {

/// Told each trial as it ends, with the mutant's index, in any order.
using TrialDone = std::function<void(std::size_t index, const Trial& trial)>;

class Suite {
  public:
    Suite() = default;
    virtual ~Suite() = default;
    Suite(const Suite&) = delete;
    Suite& operator=(const Suite&) = delete;

    [[nodiscard]] virtual std::string_view name() const = 0;

    /// In an order that depends on the project alone; each id once in all suites.
    [[nodiscard]] virtual const std::vector<Mutant>& mutants() const = 0;

    /// Names everything that a verdict depends on beside the mutant: sources, tests, versions of
    /// tools, flags. Equal fingerprints mean equal verdicts.
    [[nodiscard]] virtual std::string fingerprint() const = 0;

    /// Judges the unbroken project. Throws BaselineFails. Called once, before all that follows.
    virtual void require_baseline(const CampaignProgress& progress) = 0;

    /// Tries one mutant that must die, one that must survive, and one that must not apply. One line
    /// for each that behaves otherwise.
    virtual std::vector<std::string> run_controls() = 0;

    /// Tries these mutants.
    virtual void run(std::span<const std::size_t> chosen, const TrialDone& done) = 0;

    /// Tries them again as real one-line patches of a clean copy. One line for each verdict that is
    /// not confirmed. `done` is told how many have been.
    virtual std::vector<std::string> confirm(std::span<const Trial> trials,
                                             const std::function<void(std::size_t)>& done) = 0;

    /// True if a proof of this kind shows that the mutant changes nothing; false says nothing.
    [[nodiscard]] virtual bool proves(const Mutant& mutant, Proof proof) const = 0;
};

}  // namespace capra::mutation
