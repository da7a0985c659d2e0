// Tasks in forked children: a task that crashes, hangs or corrupts memory takes only itself down.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>

namespace capra::mutation {

/// How a child ended.
struct ChildResult {
    bool completed = false;  ///< the task returned, and `text` is what it returned
    bool timed_out = false;  ///< it was killed for taking longer than the limit
    int signal = 0;          ///< it died of this signal
    std::string text;
};

using ForkTask = std::function<std::string(std::size_t index)>;
/// Called in the parent as each child ends, in the order in which they do.
using ForkDone = std::function<void(std::size_t index, const ChildResult& result)>;

/// Runs `task(0)` to `task(count - 1)`, each in a child forked from the process as it is then, at
/// most `jobs` at a time. Should `done` throw, or a signal be noted, the children that still
/// run are killed, and whatever they started. A child's
/// standard output and error go nowhere. The caller must have no other threads.
void run_forked(std::size_t count, unsigned jobs, std::chrono::seconds limit, const ForkTask& task,
                const ForkDone& done);

}  // namespace capra::mutation
