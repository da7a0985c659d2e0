// A planted project small enough to hold in the head: every mutant is a word that says what becomes
// of it.
#pragma once

#include "mutation/baseline.hpp"
#include "mutation/suite.hpp"

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace capra::mutation {

/// What a suite was asked to do.
struct PlantedRecord {
    std::vector<std::size_t> tried;
    std::set<std::string> confirmed;
};

class PlantedSuite : public Suite {
  public:
    /// One mutant a verdict, in the order they are given; line i + 1 of the file "plant.v".
    PlantedSuite(std::vector<Verdict> verdicts, PlantedRecord& record)
        : verdicts_(std::move(verdicts)), record_(&record) {
        for (std::size_t i = 0; i < verdicts_.size(); ++i)
            mutants_.push_back({.id = "plant.v:" + std::to_string(i + 1),
                                .suite = "planted",
                                .file = "plant.v",
                                .line = static_cast<std::uint32_t>(i + 1),
                                .column = 1,
                                .op = "constant",
                                .begin = 2 * i,
                                .end = 2 * i + 1,
                                .original = "a",
                                .replacement = "b"});
    }

    [[nodiscard]] std::string_view name() const override { return "planted"; }
    [[nodiscard]] const std::vector<Mutant>& mutants() const override { return mutants_; }
    [[nodiscard]] std::string fingerprint() const override { return fingerprint_text; }
    void require_baseline(const CampaignProgress&) override {
        if (baseline_fails) throw BaselineFails("the unbroken plant is broken");
    }
    std::vector<std::string> run_controls() override { return control_lines; }
    void run(std::span<const std::size_t> chosen, const TrialDone& done) override {
        for (const std::size_t i : chosen) {
            if (before_each) before_each();
            record_->tried.push_back(i);
            Trial trial{.mutant = mutants_[i], .verdict = verdicts_[i]};
            if (trial.verdict == Verdict::killed) trial.killers = {"a check"};
            if (trial.verdict == Verdict::timeout && !wall_timeouts) trial.killers = {"a check"};
            done(i, trial);
        }
    }
    std::vector<std::string> confirm(std::span<const Trial> trials,
                                     const std::function<void(std::size_t)>& done) override {
        std::vector<std::string> refuted;
        for (const Trial& trial : trials) {
            record_->confirmed.insert(trial.mutant.id);
            if (refuse.contains(trial.mutant.id)) refuted.push_back(trial.mutant.id + ": refuted");
            done(record_->confirmed.size());
        }
        return refuted;
    }

    [[nodiscard]] bool proves(const Mutant&, Proof proof) const override {
        return proof == provable;
    }

    Proof provable = Proof::argument;  ///< the only proof that holds
    std::string fingerprint_text = "f";
    bool baseline_fails = false;
    bool wall_timeouts = false;  ///< a timeout has no check to its name
    std::vector<std::string> control_lines;
    std::set<std::string> refuse;  ///< ids that a real patch does not confirm
    std::function<void()> before_each;

  private:
    std::vector<Verdict> verdicts_;
    PlantedRecord* record_;
    std::vector<Mutant> mutants_;
};

}  // namespace capra::mutation
