#include "mutation/changed_lines.hpp"

#include "isa/error.hpp"
#include "sim/process.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <sstream>

namespace capra::mutation {
namespace {

std::string git(const std::string& source_dir, std::vector<std::string> arguments) {
    std::vector<std::string> command = {"git", "-C", source_dir, "-c", "core.quotepath=off"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    sim::ProcessResult result = sim::run_process(command);
    if (result.status != 0)
        throw Error("--since: git says: " + result.output.substr(0, result.output.find('\n')));
    return std::move(result.output);
}

}  // namespace

void ChangedLines::add(const std::string& file, std::uint32_t first, std::uint32_t count) {
    if (count > 0) ranges_[file].push_back({first, first + (count - 1)});
}

bool ChangedLines::touches(const Mutant& mutant) const {
    const auto found = ranges_.find(mutant.file);
    if (found == ranges_.end()) return false;
    const auto breaks = std::ranges::count(mutant.original, '\n');
    const std::uint32_t last = mutant.line + static_cast<std::uint32_t>(breaks);
    return std::ranges::any_of(found->second, [&](const Range& range) {
        return range.first <= last && mutant.line <= range.last;
    });
}

ChangedLines parse_diff(std::string_view diff) {
    ChangedLines changed;
    std::string file;
    std::istringstream lines{std::string(diff)};
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("+++ ")) file = line.starts_with("+++ b/") ? line.substr(6) : "";
        // @@ -a,b +first,count @@; a count of one is not written.
        const std::size_t plus = line.starts_with("@@ ") ? line.find('+') : std::string::npos;
        if (plus == std::string::npos || file.empty()) continue;
        unsigned first = 0;
        unsigned count = 1;
        if (std::sscanf(line.c_str() + plus, "+%u,%u", &first, &count) > 0)
            changed.add(file, first, count);
    }
    return changed;
}

ChangedLines changed_since(const std::string& source_dir, const std::string& revision) {
    // A revision that begins with a dash would be an option.
    git(source_dir, {"rev-parse", "--verify", "--end-of-options", revision + "^{commit}"});
    ChangedLines changed = parse_diff(
        git(source_dir, {"diff", "--unified=0", "--no-color", "--no-ext-diff", "--no-renames",
                         "--src-prefix=a/", "--dst-prefix=b/", "--relative", revision, "--", "."}));
    std::istringstream unknown(git(source_dir, {"ls-files", "--others", "--exclude-standard"}));
    for (std::string file; std::getline(unknown, file);)
        changed.add(file, 1, std::numeric_limits<std::uint32_t>::max());
    return changed;
}

}  // namespace capra::mutation
