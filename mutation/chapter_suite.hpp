// The chapter suite: the curated mistakes of mutation/chapter.json, each patched into a copy of
// the project, rebuilt and judged.
#pragma once

#include "mutation/curated.hpp"
#include "mutation/rebuild_lane.hpp"
#include "mutation/suite.hpp"
#include "mutation/work_directory.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace capra::mutation {

class ChapterSuite : public Suite {
  public:
    /// Reads the list; an Error says what is wrong with it. `jobs` mutants are tried at a time,
    /// each in a copy of its own.
    ChapterSuite(std::string source_dir, unsigned jobs, LaneOptions options = {});

    [[nodiscard]] std::string_view name() const override { return "chapter"; }
    [[nodiscard]] const std::vector<Mutant>& mutants() const override { return mutants_; }
    [[nodiscard]] std::string fingerprint() const override;
    /// Builds the copies, in a temporary directory that lives as long as the suite.
    void require_baseline(const CampaignProgress& progress) override;
    std::vector<std::string> run_controls() override;
    void run(std::span<const std::size_t> chosen, const TrialDone& done) override;
    /// Every trial was a real patch already.
    std::vector<std::string> confirm(std::span<const Trial>,
                                     const std::function<void(std::size_t)>&) override {
        return {};
    }
    [[nodiscard]] bool proves(const Mutant&, Proof) const override { return false; }

  private:
    /// Tries them on all lanes; `done` is called from this thread, with the index of the mutant.
    void try_all(std::span<const CuratedMutant* const> mutants, const TrialDone& done);

    std::string source_dir_;
    unsigned jobs_;
    LaneOptions options_;
    CuratedList curated_;
    std::vector<Mutant> mutants_;
    std::optional<WorkDirectory> work_;
    std::vector<std::unique_ptr<RebuildLane>> lanes_;
};

}  // namespace capra::mutation
