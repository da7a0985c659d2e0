// Running another program, with files that exist only in memory.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace capra::sim {

/// A file without a place in any directory: it is gone with the process, however that ends.
class MemoryFile {
  public:
    explicit MemoryFile(std::string_view text = "");
    ~MemoryFile();
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;

    [[nodiscard]] int descriptor() const { return descriptor_; }
    /// All of it, as the other program left it.
    [[nodiscard]] std::string read() const;

  private:
    int descriptor_;
};

struct ProcessResult {
    int status = 0;          ///< exit status; 128 + signal when it was killed
    std::string output;      ///< standard output and error, in order
    bool timed_out = false;  ///< it ran for longer than it was given, and was killed
};

/// Runs `command[0]` with these arguments, no shell between, and waits. An Error if it cannot be
/// started. The program finds `files[i]` at `inherited_path(i)`. With a `limit` it is killed when
/// that time is over; what it started itself is not.
ProcessResult run_process(const std::vector<std::string>& command, std::span<const int> files = {},
                          std::optional<std::chrono::milliseconds> limit = std::nullopt);
std::string inherited_path(std::size_t i);

/// Runs a command like run_process, without limit, and hands over each line of its output as it
/// comes, without the line break. Returns the exit status. Should `on_line` throw, the program is
/// killed first.
int stream_process(const std::vector<std::string>& command, std::span<const int> files,
                   const std::function<void(std::string_view)>& on_line);

}  // namespace capra::sim
