// Running another program, and a directory for its files.
#pragma once

#include <string>
#include <vector>

namespace capra::sim {

struct ProcessResult {
    int status = 0;      ///< exit status; 128 + signal when it was killed
    std::string output;  ///< standard output and error, in order
};

/// Runs `command[0]` with these arguments, no shell between, and waits. An Error if it cannot be
/// started.
ProcessResult run_process(const std::vector<std::string>& command);

/// A directory of its own that is removed with everything in it.
class TemporaryDirectory {
  public:
    TemporaryDirectory();
    ~TemporaryDirectory();
    TemporaryDirectory(const TemporaryDirectory&) = delete;
    TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

    [[nodiscard]] const std::string& path() const { return path_; }

  private:
    std::string path_;
};

}  // namespace capra::sim
