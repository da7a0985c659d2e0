// The commands of a page's console blocks, run in order, and what they print against what the page
// says they print.
#pragma once

#include "sim/process.hpp"
#include "tests/docs_markdown.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace capra {

/// `$ text`, on several lines where each but the last ends with a backslash; below it the lines it
/// prints, where `...` stands for any number of lines.
struct ConsoleCommand {
    std::size_t line = 0;    ///< of the `$`, from 1
    std::size_t output = 0;  ///< the line behind the command: its first line of output
    std::string text;
    std::vector<std::string> expected;
};

struct ConsoleResult {
    ConsoleCommand command;
    std::vector<std::string> got;
    int status = 0;
};

/// The commands of a page's `console` blocks, in order.
inline std::vector<ConsoleCommand> commands_of(const Page& page) {
    std::vector<ConsoleCommand> commands;
    for (const FencedBlock& block : page.blocks) {
        if (block.language != "console") continue;
        bool continued = false;
        for (std::size_t i = 0; i < block.lines.size(); ++i) {
            const std::string& line = block.lines[i];
            if (continued)
                commands.back().text += "\n" + line;
            else if (line.starts_with("$ "))
                commands.push_back({block.line + 1 + i, 0, line.substr(2), {}});
            else if (i == 0)
                throw std::runtime_error(
                    fmt::format("line {}: a console block begins with a command", block.line));
            else
                commands.back().expected.push_back(line);
            const bool of_command = continued || line.starts_with("$ ");
            if (of_command) commands.back().output = block.line + 2 + i;
            continued = of_command && line.ends_with('\\');
        }
    }
    return commands;
}

inline std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> result;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) result.push_back(line);
    return result;
}

/// True if lines [e..] of the pattern match lines [g..]; `furthest` is the longest prefix of
/// `expected` that matched anything, and the line of `got` it had reached.
class LineMatcher {
  public:
    LineMatcher(const std::vector<std::string>& expected, const std::vector<std::string>& got)
        : expected_(expected), got_(got) {}

    bool match(std::size_t e = 0, std::size_t g = 0) {
        if (e >= furthest_expected) {
            furthest_expected = e;
            furthest_got = g;
        }
        if (e == expected_.size()) return g == got_.size();
        if (expected_[e] == "...") {
            for (std::size_t skip = g; skip <= got_.size(); ++skip)
                if (match(e + 1, skip)) return true;
            return false;
        }
        return g < got_.size() && expected_[e] == got_[g] && match(e + 1, g + 1);
    }

    std::size_t furthest_expected = 0;
    std::size_t furthest_got = 0;

  private:
    const std::vector<std::string>& expected_;
    const std::vector<std::string>& got_;
};

/// The first line that is not as expected, as text for a person; empty if there is none.
inline std::optional<std::string> first_difference(const std::vector<std::string>& expected,
                                                   const std::vector<std::string>& got) {
    LineMatcher matcher(expected, got);
    if (matcher.match()) return std::nullopt;
    const auto line = [](const std::vector<std::string>& lines, std::size_t i) {
        return i < lines.size() ? "\"" + lines[i] + "\"" : std::string("the end");
    };
    return fmt::format("output line {}\n  expected {}\n  got      {}", matcher.furthest_got + 1,
                       line(expected, matcher.furthest_expected), line(got, matcher.furthest_got));
}

/// Runs the commands one after the other in a directory.
inline std::vector<ConsoleResult> run_commands(const std::vector<ConsoleCommand>& commands,
                                               const std::string& directory) {
    std::vector<ConsoleResult> results;
    for (const ConsoleCommand& command : commands) {
        const sim::ProcessResult run = sim::run_process(
            {"/bin/sh", "-c", "cd \"$0\" && eval \"$1\"", directory, command.text});
        results.push_back({command, lines_of(run.output), run.status});
    }
    return results;
}

/// One message for each command that printed something else than the page shows, or that ended
/// with a status other than 0.
inline std::vector<std::string> failures_of(const std::string& page,
                                            const std::vector<ConsoleResult>& results) {
    std::vector<std::string> failures;
    for (const auto& [command, got, status] : results) {
        const std::string where = fmt::format("{}:{}: $ {}\n", page, command.line, command.text);
        if (const auto difference = first_difference(command.expected, got))
            failures.push_back(where + *difference);
        if (status != 0) failures.push_back(fmt::format("{}exit status {}", where, status));
    }
    return failures;
}

/// The page with what its commands print now, where it shows something else. Output with `...` is
/// left as it is: which lines to leave out is for a person to say.
inline std::string with_output(const std::string& text, const std::vector<ConsoleResult>& results) {
    std::vector<std::string> lines = lines_of(text);
    // From the last to the first: what comes before keeps its line numbers.
    for (std::size_t i = results.size(); i-- > 0;) {
        const auto& [command, got, status] = results[i];
        const bool abridged = std::ranges::count(command.expected, "...") > 0;
        if (abridged || !first_difference(command.expected, got)) continue;
        const auto first = lines.begin() + static_cast<std::ptrdiff_t>(command.output - 1);
        const auto size = static_cast<std::ptrdiff_t>(command.expected.size());
        lines.insert(lines.erase(first, first + size), got.begin(), got.end());
    }
    return fmt::format("{}\n", fmt::join(lines, "\n"));
}

/// A copy of the project in `directory`, as a reader has it after `make tools`: the sources are
/// copies, so that no command can change the real ones; build/ is new, and what was built is linked
/// into it.
inline void copy_project(const std::string& source, const std::string& binaries,
                         const std::string& benches, const std::string& directory) {
    namespace fs = std::filesystem;
    for (const fs::directory_entry& entry : fs::directory_iterator(source)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with("build") || name.starts_with(".git")) continue;
        fs::copy(entry.path(), fs::path(directory) / name, fs::copy_options::recursive);
    }
    fs::create_directory(directory + "/build");
    fs::create_directory_symlink(binaries, directory + "/build/bin");
    fs::create_directory_symlink(benches, directory + "/build/tb");
}

}  // namespace capra
