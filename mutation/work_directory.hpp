// A directory of one's own that is gone afterwards.
#pragma once

#include <optional>
#include <string>

namespace capra::mutation {

class WorkDirectory {
  public:
    /// Below the system's directory for temporary files. An Error if it cannot be made.
    WorkDirectory();
    ~WorkDirectory();
    WorkDirectory(const WorkDirectory&) = delete;
    WorkDirectory& operator=(const WorkDirectory&) = delete;

    [[nodiscard]] const std::string& path() const { return path_; }

  private:
    std::string path_;
};

/// While it lives, temporary files of this process and of the programs it starts are made in a
/// directory that is removed with it: also those of programs that were killed.
class TemporaryFilesHere {
  public:
    TemporaryFilesHere();
    ~TemporaryFilesHere();
    TemporaryFilesHere(const TemporaryFilesHere&) = delete;
    TemporaryFilesHere& operator=(const TemporaryFilesHere&) = delete;

  private:
    WorkDirectory directory_;
    std::optional<std::string> before_;  ///< of TMPDIR
};

}  // namespace capra::mutation
