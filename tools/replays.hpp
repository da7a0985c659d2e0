// Decodes replayed on the engines: what ch17_run and stem_run share.
#pragma once

#include "isa/target.hpp"
#include "sim/engine.hpp"
#include "sim/replay.hpp"

#include <CLI/CLI.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace capra::tools {

/// The programs of one decode, to be run again. The jobs point into it.
struct ReplayTask {
    std::string decoder;
    isa::Target target;
    std::vector<sim::Job> jobs;
    std::uint64_t cycles = 0;  ///< of all of them: how long a replay takes, compared with others
};

struct Replay {
    std::string engine;
    std::string decoder;
    sim::ReplayReport report;
};

/// Every decode on every engine, on as many threads as there are cores. In the order of `engines`,
/// then of `tasks`. Rethrows the first Error of a replay.
std::vector<Replay> replay_all(const std::vector<ReplayTask>& tasks,
                               const std::vector<std::string>& engines);

/// True if no engine differed from the C++ machine.
bool all_agree(const std::vector<Replay>& replays);

/// The option --engine, which may be repeated.
void add_engines(CLI::App& app, std::vector<std::string>& engines);
/// The engines asked for, each once, in the order in which they are shown; all when none was named.
std::vector<std::string> chosen_engines(const std::vector<std::string>& asked);

}  // namespace capra::tools
