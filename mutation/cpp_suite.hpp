// The C++ suite: mistakes made by rule in the instruction set's code, the machine, the compiler and
// the host loop. One build of the unit tests holds them all, the judge (cxx_judge_protocol.hpp); a
// mutant has to get past the tests that reach it.
#pragma once

#include "mutation/cpp_patch.hpp"
#include "mutation/curated.hpp"
#include "mutation/cxx_judge_protocol.hpp"
#include "mutation/suite.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace capra::mutation {

struct CppSuiteOptions {
    PatchToolchain toolchain;
    std::string judge;    ///< path of the program
    std::string mutants;  ///< path of the list that was made with its schema
    unsigned jobs = 1;
    bool full = false;  ///< every killer of a mutant, not the first only
};

/// The sum in sim/machine.cpp that the controls change, which has to be there once.
inline constexpr std::string_view kControlSum = "fetch_decode_cycles + unit_cycles";

class CppSuite : public Suite {
  public:
    explicit CppSuite(CppSuiteOptions options);

    [[nodiscard]] std::string_view name() const override { return "cpp"; }
    [[nodiscard]] const std::vector<Mutant>& mutants() const override { return mutants_; }
    [[nodiscard]] std::string fingerprint() const override;
    /// Every test must pass with nothing planted, in the schema and in a program built of the
    /// project as it is. Learns which tests reach which mutants.
    void require_baseline(const CampaignProgress& progress) override;
    std::vector<std::string> run_controls() override;
    void run(std::span<const std::size_t> chosen, const TrialDone& done) override;
    std::vector<std::string> confirm(std::span<const Trial> trials,
                                     const std::function<void(std::size_t)>& done) override;
    [[nodiscard]] bool proves(const Mutant& mutant, Proof proof) const override;

  private:
    /// A change of the machine, to see whether the campaign can be trusted.
    [[nodiscard]] Located control(const std::string& anchor, const std::string& replacement) const;
    /// Tests that pass the mutant's place, the quickest first.
    [[nodiscard]] std::vector<const cxx::TestCoverage*> tests_of(std::size_t index) const;
    [[nodiscard]] std::vector<std::string> tests_to_confirm(const Trial& trial) const;
    [[nodiscard]] std::vector<cxx::Order> orders_for(std::size_t index) const;
    /// The verdict on a mutant that no test can be asked about.
    [[nodiscard]] std::optional<Trial> without_trial(std::size_t index) const;
    void ask_judge(const std::string& orders,
                   const std::function<void(const cxx::Answer&)>& take) const;

    CppSuiteOptions options_;
    std::vector<Mutant> mutants_;
    cxx::Coverage coverage_;
    std::vector<std::string> telling_tests_;  ///< those that reach any mutant
};

}  // namespace capra::mutation
