#include "mutation/fork_pool.hpp"

#include "isa/error.hpp"
#include "mutation/interrupt.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>
#include <vector>

namespace capra::mutation {
namespace {

using Clock = std::chrono::steady_clock;

struct Child {
    std::size_t index = 0;
    pid_t pid = 0;
    int pipe = -1;
    Clock::time_point deadline;
    ChildResult result;
};

void write_all(int descriptor, const std::string& text) {
    std::size_t at = 0;
    while (at < text.size()) {
        const ssize_t written = ::write(descriptor, text.data() + at, text.size() - at);
        if (written < 0 && errno != EINTR) return;
        if (written > 0) at += static_cast<std::size_t>(written);
    }
}

/// Never returns. Exit status 0 says that all of the text was handed over.
[[noreturn]] void run_child(std::size_t index, int pipe, const ForkTask& task) {
    // An interrupted campaign leaves no children behind, and a child none of its own.
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int nowhere = ::open("/dev/null", O_RDWR);
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nowhere, stream);
    try {
        write_all(pipe, task(index));
    } catch (...) {
        ::_exit(1);
    }
    ::_exit(0);
}

Child start(std::size_t index, std::chrono::seconds limit, const ForkTask& task) {
    std::array<int, 2> ends;
    if (pipe2(ends.data(), O_CLOEXEC) != 0)
        throw Error(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
    const pid_t pid = ::fork();
    if (pid < 0) throw Error(fmt::format("cannot fork: {}", std::strerror(errno)));
    if (pid == 0) {
        ::close(ends[0]);
        run_child(index, ends[1], task);
    }
    ::close(ends[1]);
    return {.index = index, .pid = pid, .pipe = ends[0], .deadline = Clock::now() + limit};
}

/// The child and the programs it started.
void kill_all_of(const Child& child) {
    ::kill(-child.pid, SIGKILL);
    ::kill(child.pid, SIGKILL);
}

/// Takes what the child has written; true once it is gone.
bool drain(Child& child) {
    std::array<char, 4096> buffer;
    const ssize_t got = ::read(child.pipe, buffer.data(), buffer.size());
    if (got > 0) child.result.text.append(buffer.data(), static_cast<std::size_t>(got));
    return got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN);
}

void reap(Child& child) {
    ::close(child.pipe);
    int status = 0;
    while (::waitpid(child.pid, &status, 0) < 0 && errno == EINTR) {
    }
    child.result.completed = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    child.result.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

/// Children that are killed and waited for when the caller gives up.
struct Children {
    Children() = default;
    Children(const Children&) = delete;
    Children& operator=(const Children&) = delete;
    ~Children() {
        for (Child& child : running) {
            kill_all_of(child);
            reap(child);
        }
    }
    std::vector<Child> running;
};

/// Waits a moment for any child; those that ended are handed to `done` and removed.
void collect(std::vector<Child>& children, const ForkDone& done) {
    std::vector<pollfd> polled;
    for (const Child& child : children) polled.push_back({child.pipe, POLLIN, 0});
    ::poll(polled.data(), polled.size(), 100);
    for (std::size_t i = children.size(); i-- > 0;) {
        Child& child = children[i];
        if (Clock::now() > child.deadline && !child.result.timed_out) {
            child.result.timed_out = true;
            kill_all_of(child);
        }
        if (polled[i].revents == 0 || !drain(child)) continue;
        reap(child);
        const Child ended = std::move(child);
        children.erase(children.begin() + static_cast<std::ptrdiff_t>(i));
        done(ended.index, ended.result);
    }
}

}  // namespace

void run_forked(std::size_t count, unsigned jobs, std::chrono::seconds limit, const ForkTask& task,
                const ForkDone& done) {
    Children children;
    std::size_t next = 0;
    while (next < count || !children.running.empty()) {
        while (next < count && children.running.size() < jobs) {
            children.running.push_back(start(next, limit, task));
            ++next;
        }
        collect(children.running, done);
        throw_if_interrupted();
    }
}

}  // namespace capra::mutation
