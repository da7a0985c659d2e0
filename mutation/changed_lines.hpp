// Lines of the project that differ from an older version of it.
#pragma once

#include "mutation/mutant.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace capra::mutation {

class ChangedLines {
  public:
    /// Marks `count` lines of a file, from `first`, numbered from 1.
    void add(const std::string& file, std::uint32_t first, std::uint32_t count);

    /// True if a line that the mutant's span lies on has changed.
    [[nodiscard]] bool touches(const Mutant& mutant) const;

  private:
    struct Range {
        std::uint32_t first;
        std::uint32_t last;
    };
    std::map<std::string, std::vector<Range>> ranges_;
};

/// Reads what `git diff --unified=0` prints.
ChangedLines parse_diff(std::string_view diff);

/// What differs from that revision, files that git does not know included. An Error with git's own
/// words if there is no such revision or no repository.
ChangedLines changed_since(const std::string& source_dir, const std::string& revision);

}  // namespace capra::mutation
