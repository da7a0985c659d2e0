#include "sim/process.hpp"

#include "isa/error.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <limits>
#include <thread>
#include <utility>

extern char** environ;

namespace capra::sim {
namespace {

/// Where the files of a program start, behind its standard streams.
constexpr int kFirstInherited = 3;
/// Our own descriptors stay clear of those numbers.
constexpr int kFirstOwn = 16;

[[noreturn]] void fail(const std::string& what) {
    throw Error(fmt::format("{}: {}", what, std::strerror(errno)));
}

/// Both ends of a pipe, closed in any case.
struct Pipe {
    Pipe() {
        // Close-on-exec: another thread's child must not hold our write end open.
        if (pipe2(ends.data(), O_CLOEXEC) != 0) fail("cannot make a pipe");
    }
    ~Pipe() {
        close_end(0);
        close_end(1);
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;

    void close_end(std::size_t i) {
        if (ends[i] >= 0) ::close(ends[i]);
        ends[i] = -1;
    }

    std::array<int, 2> ends = {-1, -1};
};

using Clock = std::chrono::steady_clock;
/// When a program is killed, if ever.
using Deadline = std::optional<Clock::time_point>;

bool is_over(const Deadline& deadline) {
    return deadline && Clock::now() >= *deadline;
}

/// Waits for something to read until the deadline comes; false if there is nothing yet.
bool can_read(int descriptor, const Deadline& deadline) {
    using std::chrono::milliseconds;
    constexpr milliseconds kLongest(std::numeric_limits<int>::max());
    milliseconds left(-1);  // poll: for ever
    if (deadline)
        left = std::clamp(std::chrono::ceil<milliseconds>(*deadline - Clock::now()),
                          milliseconds(0), kLongest);
    pollfd waiting{descriptor, POLLIN, 0};
    return ::poll(&waiting, 1, static_cast<int>(left.count())) > 0;
}

/// All there is until the other end closes or the deadline comes.
std::string read_all(int descriptor, const Deadline& deadline = std::nullopt) {
    std::string text;
    std::array<char, 65536> buffer;
    while (!is_over(deadline)) {
        if (!can_read(descriptor, deadline)) continue;
        const ssize_t got = ::read(descriptor, buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        text.append(buffer.data(), static_cast<std::size_t>(got));
    }
    return text;
}

/// Waits for the end of a program, or kills it at the deadline.
void finish(pid_t pid, const Deadline& deadline, ProcessResult& result) {
    constexpr auto kNap = std::chrono::milliseconds(1);
    int status = 0;
    for (;;) {
        const bool patient = !deadline || result.timed_out;
        const pid_t ended = ::waitpid(pid, &status, patient ? 0 : WNOHANG);
        if (ended == pid) break;
        if (ended < 0 && errno != EINTR) fail("cannot learn how a program ended");
        if (!patient && is_over(deadline)) {
            ::kill(pid, SIGKILL);
            result.timed_out = true;
        } else if (!patient) {
            std::this_thread::sleep_for(kNap);
        }
    }
    result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// What the child's descriptors become.
class Actions {
  public:
    Actions(int output, std::span<const int> files) {
        posix_spawn_file_actions_init(&actions_);
        posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&actions_, output, STDERR_FILENO);
        for (std::size_t i = 0; i < files.size(); ++i)
            posix_spawn_file_actions_adddup2(&actions_, files[i],
                                             kFirstInherited + static_cast<int>(i));
    }
    ~Actions() { posix_spawn_file_actions_destroy(&actions_); }
    Actions(const Actions&) = delete;
    Actions& operator=(const Actions&) = delete;

    [[nodiscard]] const posix_spawn_file_actions_t* get() const { return &actions_; }

  private:
    posix_spawn_file_actions_t actions_{};
};

/// Starts a program whose output goes into the pipe.
pid_t spawn(const std::vector<std::string>& command, std::span<const int> files, int output) {
    std::vector<char*> arguments;
    for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    pid_t pid = 0;
    const Actions actions(output, files);
    errno = posix_spawnp(&pid, arguments[0], actions.get(), nullptr, arguments.data(), environ);
    if (errno != 0) fail(fmt::format("cannot run {}", command[0]));
    return pid;
}

/// A program that is killed, unless it has been waited for.
class Running {
  public:
    explicit Running(pid_t pid) : pid_(pid) {}
    ~Running() {
        if (pid_ == 0) return;
        ::kill(pid_, SIGKILL);
        ProcessResult ignored;
        finish(pid_, std::nullopt, ignored);
    }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

    int wait() {
        ProcessResult result;
        finish(std::exchange(pid_, 0), std::nullopt, result);
        return result.status;
    }

  private:
    pid_t pid_;
};

}  // namespace

MemoryFile::MemoryFile(std::string_view text) {
    const int made = memfd_create("capra", MFD_CLOEXEC);
    if (made < 0) fail("cannot make a file in memory");
    descriptor_ = fcntl(made, F_DUPFD_CLOEXEC, kFirstOwn);
    ::close(made);
    if (descriptor_ < 0) fail("cannot make a file in memory");
    while (!text.empty()) {
        const ssize_t written = ::write(descriptor_, text.data(), text.size());
        if (written < 0 && errno != EINTR) fail("cannot fill a file in memory");
        if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
    }
}

MemoryFile::~MemoryFile() {
    ::close(descriptor_);
}

std::string MemoryFile::read() const {
    ::lseek(descriptor_, 0, SEEK_SET);
    return read_all(descriptor_);
}

std::string inherited_path(std::size_t i) {
    return fmt::format("/proc/self/fd/{}", kFirstInherited + static_cast<int>(i));
}

ProcessResult run_process(const std::vector<std::string>& command, std::span<const int> files,
                          std::optional<std::chrono::milliseconds> limit) {
    Pipe pipe;
    const pid_t pid = spawn(command, files, pipe.ends[1]);
    pipe.close_end(1);
    Deadline deadline;
    if (limit) deadline = Clock::now() + *limit;
    ProcessResult result;
    result.output = read_all(pipe.ends[0], deadline);
    finish(pid, deadline, result);
    return result;
}

int stream_process(const std::vector<std::string>& command, std::span<const int> files,
                   const std::function<void(std::string_view)>& on_line) {
    Pipe pipe;
    Running program(spawn(command, files, pipe.ends[1]));
    pipe.close_end(1);
    std::string pending;
    std::array<char, 65536> buffer;
    for (;;) {
        const ssize_t got = ::read(pipe.ends[0], buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        pending.append(buffer.data(), static_cast<std::size_t>(got));
        for (std::size_t end; (end = pending.find('\n')) != std::string::npos;) {
            on_line(std::string_view(pending).substr(0, end));
            pending.erase(0, end + 1);
        }
    }
    if (!pending.empty()) on_line(pending);
    return program.wait();
}

}  // namespace capra::sim
