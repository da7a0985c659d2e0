#include "tools/capra/course.hpp"

#include "isa/error.hpp"
#include "isa/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>

namespace capra::tools {
namespace {

namespace fs = std::filesystem;

/// N of a folder named N-NAME.
std::optional<unsigned> number_of(const std::string& name) {
    unsigned number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error != std::errc{} || *end != '-') return std::nullopt;
    return number;
}

std::string title_of(const std::string& sheet, unsigned number) {
    const std::string text = read_file(sheet);
    const std::string start = fmt::format("# Exercise {}: ", number);
    const std::string heading = text.substr(0, text.find('\n'));
    if (!heading.starts_with(start))
        throw Error(
            fmt::format("{}: line 1: expected \"{}TITLE\", got \"{}\"", sheet, start, heading));
    return heading.substr(start.size());
}

std::string starter_extension(const fs::path& folder) {
    std::vector<std::string> found;
    for (const auto& file : fs::directory_iterator(folder))
        if (file.path().stem() == "starter") found.push_back(file.path().extension());
    if (found.size() != 1)
        throw Error(
            fmt::format("{}: expected one starter, found {}", folder.string(), found.size()));
    return found.front();
}

}  // namespace

std::vector<Exercise> exercises_in(const std::string& directory) {
    std::error_code error;
    const fs::directory_iterator folders(directory, error);
    if (error) throw Error(fmt::format("{}: {}", directory, error.message()));
    std::vector<Exercise> exercises;
    for (const auto& entry : folders) {
        const auto number = number_of(entry.path().filename());
        if (!number || !entry.is_directory()) continue;
        Exercise exercise{.number = *number, .folder = entry.path()};
        exercise.title = title_of(exercise.sheet(), *number);
        exercise.extension = starter_extension(entry.path());
        exercises.push_back(exercise);
    }
    std::ranges::sort(exercises, {}, &Exercise::number);
    return exercises;
}

const Exercise& exercise_by_number(const std::vector<Exercise>& exercises, unsigned number) {
    const auto found = std::ranges::find(exercises, number, &Exercise::number);
    if (found != exercises.end()) return *found;
    std::string numbers;
    for (const Exercise& exercise : exercises) numbers += fmt::format(" {}", exercise.number);
    throw Error(fmt::format("no exercise {}; there are:{}", number, numbers));
}

}  // namespace capra::tools
