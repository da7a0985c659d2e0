#include "mutation/chapter_campaign.hpp"

#include "isa/error.hpp"
#include "isa/files.hpp"
#include "mutation/curated.hpp"
#include "mutation/rebuild_lane.hpp"

#include <fmt/format.h>
#include <stdlib.h>

#include <filesystem>

namespace capra::mutation {
namespace {

std::vector<CuratedMutant> chapter_mutants(const std::string& source_dir) {
    const std::string path = source_dir + "/mutation/chapter.json";
    return parse_curated(read_file(path), path);
}

class WorkDirectory {
  public:
    WorkDirectory() : path_(std::filesystem::temp_directory_path() / "capra-mutants-XXXXXX") {
        if (mkdtemp(path_.data()) == nullptr)
            throw Error(fmt::format("cannot make the directory {}", path_));
    }
    ~WorkDirectory() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    WorkDirectory(const WorkDirectory&) = delete;
    WorkDirectory& operator=(const WorkDirectory&) = delete;

    [[nodiscard]] const std::string& path() const { return path_; }

  private:
    std::string path_;
};

}  // namespace

std::vector<std::string> chapter_ids(const std::string& source_dir) {
    std::vector<std::string> ids;
    for (const CuratedMutant& mutant : chapter_mutants(source_dir)) ids.push_back(mutant.id);
    return ids;
}

CampaignResult run_chapter_campaign(const std::string& source_dir, const Selection& selection,
                                    unsigned jobs, const CampaignProgress& progress) {
    const std::vector<CuratedMutant> all = chapter_mutants(source_dir);
    const auto chosen = select(
        selection, all.size(), [&](std::size_t i) { return all[i].id; },
        [&](std::size_t i) { return all[i].file; });
    CampaignResult result;
    if (chosen.empty()) return result;
    progress("building the unbroken project", 0, chosen.size());
    const WorkDirectory work;
    RebuildLane lane(source_dir, work.path(), {.jobs = jobs});
    for (std::size_t done = 0; done < chosen.size(); ++done) {
        progress("chapter mutants", done, chosen.size());
        const CuratedMutant& mutant = all[chosen[done]];
        Trial& trial = result.trials.emplace_back(lane.run(mutant));
        if (mutant.expect == Verdict::equivalent && trial.verdict == Verdict::survived) {
            trial.verdict = Verdict::equivalent;
            trial.detail = mutant.reason;
        }
    }
    return result;
}

}  // namespace capra::mutation
