// The exercises of the course: folders N-NAME, each with a task sheet and a starter.
#pragma once

#include <string>
#include <vector>

namespace capra::tools {

struct Exercise {
    unsigned number = 0;
    std::string folder{};     ///< its path
    std::string title{};      ///< first heading of README.md, without "Exercise N: "
    std::string extension{};  ///< of starter and answer: ".cpp", ".s" or ".json"

    [[nodiscard]] std::string sheet() const { return folder + "/README.md"; }
    [[nodiscard]] std::string starter() const { return folder + "/starter" + extension; }
    /// The student's file; it may not exist yet.
    [[nodiscard]] std::string answer() const { return folder + "/answer" + extension; }
    /// True if the answer has to be compiled.
    [[nodiscard]] bool is_cxx() const { return extension == ".cpp"; }
};

/// The exercises in a directory, by number. Folders whose names do not start with a number and a
/// dash are left out. An Error names a directory that cannot be read, an exercise without exactly
/// one starter, and a task sheet that does not begin with `# Exercise N: TITLE`.
std::vector<Exercise> exercises_in(const std::string& directory);

/// The one with this number; an Error lists the numbers there are.
const Exercise& exercise_by_number(const std::vector<Exercise>& exercises, unsigned number);

}  // namespace capra::tools
