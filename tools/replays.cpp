#include "tools/replays.hpp"

#include "tools/progress.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <thread>

namespace capra::tools {
namespace {

/// Longest first, so that no core is left with one long replay at the end: Icarus is by far the
/// slowest engine, then cycles count.
std::vector<std::size_t> longest_first(const std::vector<Replay>& replays,
                                       const std::vector<ReplayTask>& tasks) {
    const auto weight = [&](std::size_t i) {
        return std::make_pair(replays[i].engine == "icarus", tasks[i % tasks.size()].cycles);
    };
    std::vector<std::size_t> order(replays.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return weight(a) > weight(b); });
    return order;
}

/// Shows how many replays are done until all are.
void show_progress(const std::atomic<std::size_t>& done, std::size_t of) {
    Progress progress("replaying");
    while (done < of) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        progress.update(done, of);
    }
}

}  // namespace

std::vector<Replay> replay_all(const std::vector<ReplayTask>& tasks,
                               const std::vector<std::string>& engines) {
    std::vector<Replay> replays;
    for (const auto& engine : engines)
        for (const auto& task : tasks) replays.push_back({engine, task.decoder, {}});

    const auto order = longest_first(replays, tasks);
    std::vector<std::exception_ptr> errors(replays.size());
    std::atomic<std::size_t> next = 0;
    std::atomic<std::size_t> done = 0;
    const auto work = [&] {
        for (std::size_t i = next++; i < order.size(); i = next++) {
            Replay& replay = replays[order[i]];
            const ReplayTask& task = tasks[order[i] % tasks.size()];
            try {
                replay.report = sim::replay(replay.engine, task.target, task.jobs);
            } catch (...) {
                errors[order[i]] = std::current_exception();
            }
            ++done;
        }
    };
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < std::max(1U, std::thread::hardware_concurrency()); ++i)
        threads.emplace_back(work);
    show_progress(done, replays.size());
    threads.clear();  // joins
    for (const auto& error : errors)
        if (error) std::rethrow_exception(error);
    return replays;
}

bool all_agree(const std::vector<Replay>& replays) {
    return std::all_of(replays.begin(), replays.end(),
                       [](const auto& replay) { return replay.report.pass(); });
}

void add_engines(CLI::App& app, std::vector<std::string>& engines) {
    app.add_option("--engine", engines,
                   "engine to replay on: model, verilator or icarus; may be repeated; the default "
                   "is all three")
        ->check(CLI::IsMember(sim::kEngineNames))
        ->allow_extra_args(false);
}

std::vector<std::string> chosen_engines(const std::vector<std::string>& asked) {
    std::vector<std::string> engines;
    for (const std::string name : {"model", "icarus", "verilator"})
        if (asked.empty() || std::find(asked.begin(), asked.end(), name) != asked.end())
            engines.push_back(name);
    return engines;
}

}  // namespace capra::tools
