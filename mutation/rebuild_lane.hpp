// Trying mutants one by one on a copy of the project: patch, rebuild, run the checks.
#pragma once

#include "mutation/baseline.hpp"
#include "mutation/curated.hpp"
#include "mutation/trial.hpp"
#include "sim/process.hpp"

#include <array>
#include <chrono>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace capra::mutation {

struct LaneOptions {
    unsigned jobs = 1;  ///< compilers at a time
    /// A check has 20 times the time it took on the unbroken project, but at least this.
    std::chrono::milliseconds shortest_limit = std::chrono::seconds(60);
};

/// Files of the project in a directory, sorted: all but its history and what was built of it.
std::vector<std::string> project_files(const std::filesystem::path& source_dir);

/// A copy of the project that is broken and mended again and again. One lane is used by one
/// thread; several work side by side in directories of their own.
///
/// Nothing outside the work directory is written, but for ccache's own cache. Removing the
/// directory is the caller's business, as is putting it where it may be left behind.
class RebuildLane {
  public:
    /// Copies the project as it is on disk, without `.git` and build directories, builds it, and
    /// runs these checks, which are all that its mutants may name. Throws BaselineFails. The
    /// directory is created; what an earlier lane left in it is removed.
    RebuildLane(const std::filesystem::path& source_dir, const std::filesystem::path& work_dir,
                std::span<const CheckProgram> checks, LaneOptions options = {});

    /// Builds the project with this mutant and runs its checks, all of them: the killers are
    /// "ch17_run/NAME OF A LAW" and "model_tests/Suite.test", or the bare name of a check that
    /// broke down. A mutant that is seen by one check and hangs another is killed.
    Trial run(const CuratedMutant& curated);

    /// How long a check may take.
    [[nodiscard]] std::chrono::milliseconds limit(CheckProgram check) const {
        return limits_.at(static_cast<std::size_t>(check));
    }

  private:
    /// What one run of a check showed. It holds if it has no killers and did not time out.
    struct Outcome {
        std::size_t held = 0;  ///< laws or tests that held
        std::vector<std::string> killers;
        std::string detail;
        bool timed_out = false;
    };
    /// A file of the copy that holds a mutant, and what it held before.
    struct Patch {
        std::string path;
        std::string pristine;
    };

    void configure();
    void measure(CheckProgram check);
    void mend();
    /// Empty, or the first error.
    std::string build(std::span<const CheckProgram> checks);
    Outcome run_check(CheckProgram check);
    void judge(Trial& trial, const CuratedMutant& curated);
    sim::ProcessResult run_command(
        std::vector<std::string> command,
        std::optional<std::chrono::milliseconds> limit = std::nullopt) const;
    /// A line of a message without the directories of the copy.
    [[nodiscard]] std::string shortened(std::string_view line) const;

    std::filesystem::path work_;
    LaneOptions options_;
    std::array<std::chrono::milliseconds, kCheckPrograms.size()> limits_{};
    std::array<std::size_t, kCheckPrograms.size()> baseline_held_{};
    std::optional<Patch> patch_;
};

}  // namespace capra::mutation
