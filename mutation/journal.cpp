#include "mutation/journal.hpp"

#include "isa/error.hpp"
#include "isa/files.hpp"
#include "mutation/trial_json.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <sstream>

namespace capra::mutation {
namespace {

std::map<std::string, Trial> read_journal(const std::string& path) {
    std::map<std::string, Trial> known;
    std::istringstream lines(read_file(path));
    for (std::string line; std::getline(lines, line);) {
        try {
            Trial trial = trial_from_line(line, path);
            known[trial.mutant.id] = std::move(trial);
        } catch (const Error&) {
            // The line a killed run was writing.
        }
    }
    return known;
}

}  // namespace

Journal::Journal(const std::string& dir, std::string_view suite, std::string_view fingerprint) {
    if (dir.empty()) return;
    std::error_code error;
    std::filesystem::create_directories(dir, error);
    const std::string path = fmt::format("{}/{}-{}.jsonl", dir, suite, fingerprint);
    if (std::filesystem::exists(path, error)) known_ = read_journal(path);
    file_.open(path, std::ios::app);
    if (!file_) throw Error(fmt::format("{}: cannot be written", path));
    // Whatever a killed run left of its last line ends here.
    file_ << '\n';
}

const Trial* Journal::find(const Mutant& mutant) const {
    const auto found = known_.find(mutant.id);
    return found != known_.end() && found->second.mutant == mutant ? &found->second : nullptr;
}

void Journal::add(const Trial& trial) {
    if (file_.is_open()) file_ << to_line(trial) << std::endl;
}

}  // namespace capra::mutation
