// Lines of the project's files, each file read once.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace capra::mutation {

/// The lines of a text, without their breaks.
std::vector<std::string_view> lines_of(std::string_view text);

class SourceLines {
  public:
    /// An empty directory holds no file.
    explicit SourceLines(std::string source_dir) : source_dir_(std::move(source_dir)) {}

    /// Without the white space at both ends; empty where the file or the line is not.
    [[nodiscard]] std::string trimmed(const std::string& file, std::uint32_t line) const;

  private:
    std::string source_dir_;
    mutable std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace capra::mutation
