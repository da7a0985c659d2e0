// The RTL suite: mistakes made by rule in every statement of the Verilog, held by one Verilated
// build and judged by lock-step with the C++ machine. What lock-step does not see, and what is
// fixed before a simulation begins, is tried as a patch: benches, lint, replay in Icarus.
#pragma once

#include "mutation/rtl_lane.hpp"
#include "mutation/suite.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace capra::mutation {

struct RtlSuiteOptions {
    std::string source_dir;  ///< the project
    unsigned jobs = 1;
    bool full = false;                ///< every killer of a mutant, not the first only
    std::uint64_t fuzz_programs = 0;  ///< beside the chapter's own
};

class RtlSuite : public Suite {
  public:
    /// The mutants are those of the schema that was built with this program, then those of
    /// constants.
    explicit RtlSuite(RtlSuiteOptions options);

    [[nodiscard]] std::string_view name() const override { return "rtl"; }
    [[nodiscard]] const std::vector<Mutant>& mutants() const override { return mutants_; }
    [[nodiscard]] std::string fingerprint() const override;
    /// The design as it is and the schema with nothing selected, each in both simulators, must be
    /// equal to the C++ machine.
    void require_baseline(const CampaignProgress& progress) override;
    std::vector<std::string> run_controls() override;
    void run(std::span<const std::size_t> chosen, const TrialDone& done) override;
    std::vector<std::string> confirm(std::span<const Trial> trials,
                                     const std::function<void(std::size_t)>& done) override;
    [[nodiscard]] bool proves(const Mutant& mutant, Proof proof) const override;

    /// Tries every mutant of the schema in lock-step, after the baseline: the fast part of `run`.
    [[nodiscard]] std::vector<Trial> try_in_schema() const;

  private:
    /// Checks that a real patch is asked about: the first that killed, or the brief ones.
    [[nodiscard]] std::vector<RtlCheck> checks_for(const Trial& trial) const;
    [[nodiscard]] bool is_confirmed(const Trial& trial) const;

    RtlSuiteOptions options_;
    std::vector<Mutant> mutants_;
    std::size_t in_schema_ = 0;  ///< the first ones
    RtlChecks checks_;           ///< made with the baseline
};

}  // namespace capra::mutation
