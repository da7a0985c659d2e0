#include "mutation/chapter_suite.hpp"

#include "isa/files.hpp"
#include "mutation/digest.hpp"
#include "mutation/interrupt.hpp"
#include "mutation/tally.hpp"
#include "sim/process.hpp"

#include <fmt/format.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <future>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

namespace capra::mutation {
namespace {

namespace fs = std::filesystem;

Mutant located(const CuratedMutant& curated, const std::string& source_dir) {
    const std::string path = source_dir + "/" + curated.file;
    return locate(curated, fs::is_regular_file(path) ? read_file(path) : std::string()).mutant;
}

/// Every check that some mutant is judged by.
std::vector<CheckProgram> checks_of(const CuratedList& list) {
    std::set<CheckProgram> checks;
    for (const auto* mutants : {&list.mutants, &list.controls})
        for (const CuratedMutant& mutant : *mutants)
            checks.insert(mutant.checks.begin(), mutant.checks.end());
    return {checks.begin(), checks.end()};
}

/// Trials handed from workers to the thread that waits for them.
class Results {
  public:
    /// Puts in what `make` returns, or what it throws.
    template <typename Make>
    void put(std::size_t index, Make make) {
        std::promise<Trial> promise;
        auto future = promise.get_future();
        try {
            promise.set_value(make());
        } catch (...) {
            promise.set_exception(std::current_exception());
        }
        const std::lock_guard lock(mutex_);
        ready_.emplace_back(index, std::move(future));
        changed_.notify_one();
    }
    std::pair<std::size_t, Trial> take() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return !ready_.empty(); });
        auto [index, future] = std::move(ready_.front());
        ready_.pop_front();
        return {index, future.get()};
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::pair<std::size_t, std::future<Trial>>> ready_;
};

}  // namespace

ChapterSuite::ChapterSuite(std::string source_dir, unsigned jobs, LaneOptions options)
    : source_dir_(std::move(source_dir)), jobs_(jobs), options_(options) {
    const std::string path = source_dir_ + "/mutation/chapter.json";
    curated_ = parse_curated(read_file(path), path);
    for (const CuratedMutant& mutant : curated_.mutants)
        mutants_.push_back(located(mutant, source_dir_));
}

std::string ChapterSuite::fingerprint() const {
    const std::string tools = sim::run_process({"c++", "--version"}).output +
                              sim::run_process({"cmake", "--version"}).output;
    const std::vector<std::string> files = project_files(source_dir_);
    std::string names;
    for (const std::string& file : files)
        names += fs::path(file).lexically_relative(source_dir_).string() + "\n";
    return digest(files, names + tools);
}

void ChapterSuite::require_baseline(const CampaignProgress& progress) {
    work_.emplace();
    // The first copy is compiled by all processors; ccache makes short work of the others.
    LaneOptions options = options_;
    for (unsigned i = 0; i < jobs_; ++i) {
        options.jobs = i == 0 ? jobs_ : 1;
        progress("chapter: building the unbroken project", i, jobs_);
        throw_if_interrupted();
        lanes_.push_back(std::make_unique<RebuildLane>(
            source_dir_, fmt::format("{}/{}", work_->path(), i), checks_of(curated_), options));
    }
}

std::vector<std::string> ChapterSuite::run_controls() {
    std::vector<const CuratedMutant*> controls;
    for (const CuratedMutant& control : curated_.controls) controls.push_back(&control);
    std::vector<std::string> misbehaved;
    try_all(controls, [&](std::size_t i, const Trial& trial) {
        throw_if_interrupted();
        if (trial.verdict != controls[i]->expect)
            misbehaved.push_back(fmt::format("control {}: expected {}, got {}", controls[i]->id,
                                             verdict_name(controls[i]->expect),
                                             verdict_name(trial.verdict)));
    });
    return misbehaved;
}

void ChapterSuite::run(std::span<const std::size_t> chosen, const TrialDone& done) {
    std::vector<const CuratedMutant*> mutants;
    for (const std::size_t index : chosen) mutants.push_back(&curated_.mutants[index]);
    try_all(mutants, [&](std::size_t i, const Trial& trial) { done(chosen[i], trial); });
}

void ChapterSuite::try_all(std::span<const CuratedMutant* const> mutants, const TrialDone& done) {
    Results results;
    std::atomic<std::size_t> next = 0;
    std::vector<std::jthread> workers;
    for (const auto& lane : lanes_)
        workers.emplace_back([&](const std::stop_token& stop) {
            for (std::size_t i = next++; i < mutants.size() && !stop.stop_requested(); i = next++)
                results.put(i, [&] { return lane->run(*mutants[i]); });
        });
    // Should `done` throw, the workers finish what they are at and are joined.
    for (std::size_t count = 0; count < mutants.size(); ++count) {
        const auto [index, trial] = results.take();
        done(index, trial);
    }
}

}  // namespace capra::mutation
