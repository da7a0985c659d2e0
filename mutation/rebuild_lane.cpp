#include "mutation/rebuild_lane.hpp"

#include "isa/files.hpp"
#include "mutation/check_output.hpp"
#include "mutation/source_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

namespace capra::mutation {
namespace {

namespace fs = std::filesystem;
using sim::ProcessResult;
using std::chrono::milliseconds;

constexpr int kLimitFactor = 20;
/// `env` could not start the command.
constexpr int kNotRunnable = 126;
constexpr int kNotFound = 127;

/// Where a program of laws writes what it found, in the directory for temporary files.
constexpr std::string_view kLawsFile = "laws.json";

std::vector<std::string_view> words_of(std::string_view line) {
    std::vector<std::string_view> words;
    for (std::size_t at = line.find_first_not_of(' '); at != std::string_view::npos;
         at = line.find_first_not_of(' ', at)) {
        const std::size_t end = std::min(line.find(' ', at), line.size());
        words.push_back(line.substr(at, end - at));
        at = end;
    }
    return words;
}

/// The first line that has one of these in it, in the order of the lines.
std::string_view line_with(std::string_view text, std::initializer_list<std::string_view> marks) {
    for (const auto line : lines_of(text))
        for (const auto mark : marks)
            if (line.find(mark) != std::string_view::npos) return line;
    return {};
}

std::string how_it_ended(int status) {
    return status > 128 ? fmt::format("ended by signal {}", status - 128)
                        : fmt::format("ended with status {}", status);
}

/// What a check that failed says about it.
std::string explained(const std::string& check, const ProcessResult& result,
                      const CheckOutput& said) {
    if (!said.first.empty()) return said.first;
    const auto message = line_with(result.output, {check + ": ", "Assertion", "what(): "});
    if (!message.empty()) return std::string(message);
    if (result.status != 0) return check + " " + how_it_ended(result.status);
    return fmt::format("{} ended well with only {} laws or tests held", check, said.held);
}

/// Not part of the project: its history, what was built of it, and the copy itself.
bool is_left_out(const fs::directory_entry& entry, const fs::path& work) {
    return entry.path().filename() == ".git" || entry.path() == work ||
           (entry.is_directory() && fs::exists(entry.path() / "CMakeCache.txt"));
}

void list_project(const fs::path& from, std::vector<std::string>& files) {
    for (const auto& entry : fs::directory_iterator(from)) {
        if (is_left_out(entry, {})) continue;
        if (entry.is_directory() && !entry.is_symlink())
            list_project(entry.path(), files);
        else if (entry.is_regular_file())
            files.push_back(entry.path().string());
    }
}

void copy_project(const fs::path& from, const fs::path& to, const fs::path& work) {
    fs::create_directories(to);
    for (const auto& entry : fs::directory_iterator(from)) {
        if (is_left_out(entry, work)) continue;
        const fs::path target = to / entry.path().filename();
        if (entry.is_symlink())
            fs::copy_symlink(entry.path(), target);
        else if (entry.is_directory())
            copy_project(entry.path(), target, work);
        else if (entry.is_regular_file())
            fs::copy_file(entry.path(), target);
    }
}

}  // namespace

std::vector<std::string> project_files(const fs::path& source_dir) {
    std::vector<std::string> files;
    list_project(source_dir, files);
    std::ranges::sort(files);
    return files;
}

RebuildLane::RebuildLane(const fs::path& source_dir, const fs::path& work_dir,
                         std::span<const CheckProgram> checks, LaneOptions options)
    : work_(fs::weakly_canonical(work_dir)), options_(options) {
    if (!fs::is_directory(source_dir))
        throw Error(fmt::format("{}: no such directory", source_dir.string()));
    try {
        for (const auto* part : {"source", "build", "tmp"}) fs::remove_all(work_ / part);
        copy_project(fs::canonical(source_dir), work_ / "source", work_);
        fs::create_directories(work_ / "tmp");
    } catch (const fs::filesystem_error& error) {
        throw Error(fmt::format("cannot copy the project: {}", error.what()));
    }
    configure();
    if (const auto error = build(checks); !error.empty())
        throw BaselineFails("the unbroken project does not build: " + error);
    for (const auto check : checks) measure(check);
}

/// Optimised little, for the compiler's time counts; asserts stay on, for they are checks too. No
/// warnings: a mutant that leaves a variable unused is one that builds.
void RebuildLane::configure() {
    const auto result =
        run_command({"cmake", "-S", work_ / "source", "-B", work_ / "build", "-G", "Ninja",
                     "-DCMAKE_BUILD_TYPE=None", "-DCMAKE_CXX_FLAGS=-O1 -w"});
    if (result.status == 0) return;
    const auto error = line_with(result.output, {"Error", "error"});
    throw BaselineFails("the unbroken project cannot be configured: " +
                        (error.empty() ? how_it_ended(result.status) : shortened(error)));
}

void RebuildLane::measure(CheckProgram check) {
    using Clock = std::chrono::steady_clock;
    const auto index = static_cast<std::size_t>(check);
    limits_[index] = options_.shortest_limit * kLimitFactor;
    const auto start = Clock::now();
    const auto outcome = run_check(check);
    const auto took = std::chrono::ceil<milliseconds>(Clock::now() - start);
    if (outcome.timed_out)
        throw BaselineFails(fmt::format("the unbroken project: {}", outcome.detail));
    if (!outcome.killers.empty())
        throw BaselineFails(fmt::format("the unbroken project fails {}: {}",
                                        fmt::join(outcome.killers, ", "), outcome.detail));
    if (outcome.held == 0) throw BaselineFails(fmt::format("{} checks nothing", check_name(check)));
    baseline_held_[index] = outcome.held;
    limits_[index] = std::max(took * kLimitFactor, options_.shortest_limit);
}

Trial RebuildLane::run(const CuratedMutant& curated) {
    mend();
    const std::string path = work_ / "source" / curated.file;
    const bool exists = fs::is_regular_file(path);
    const std::string pristine = exists ? read_file(path) : std::string();
    const Located located = locate(curated, pristine);
    Trial trial{.mutant = located.mutant, .verdict = Verdict::not_applied};
    if (located.matches != 1) {
        trial.detail = exists ? fmt::format("the anchor matches {} times", located.matches)
                              : fmt::format("there is no file {}", curated.file);
        return trial;
    }
    patch_ = Patch{path, pristine};
    write_file(path, apply_mutant(pristine, located.mutant));
    trial.detail = build(curated.checks);
    if (trial.detail.empty())
        judge(trial, curated);
    else
        trial.verdict = Verdict::not_built;
    mend();
    return trial;
}

void RebuildLane::mend() {
    if (patch_) write_file(patch_->path, patch_->pristine);
    patch_.reset();
}

/// The first of killed, timeout and survived that any check finds.
void RebuildLane::judge(Trial& trial, const CuratedMutant& curated) {
    trial.verdict = curated.expect == Verdict::equivalent ? Verdict::equivalent : Verdict::survived;
    trial.detail = curated.reason;
    for (const auto check : curated.checks) {
        const auto outcome = run_check(check);
        trial.killers.insert(trial.killers.end(), outcome.killers.begin(), outcome.killers.end());
        const auto verdict = !outcome.killers.empty() ? Verdict::killed
                             : outcome.timed_out      ? Verdict::timeout
                                                      : trial.verdict;
        if (verdict >= trial.verdict) continue;
        trial.verdict = verdict;
        trial.detail = outcome.detail;
    }
}

std::string RebuildLane::build(std::span<const CheckProgram> checks) {
    std::vector<std::string> command = {
        "cmake", "--build", work_ / "build", "-j", std::to_string(options_.jobs), "--target"};
    for (const auto check : checks) command.emplace_back(target_of(check));
    const auto result = run_command(command);
    if (result.status == 0) return {};
    const auto error = line_with(result.output, {"error:", "undefined reference"});
    return error.empty() ? "the build " + how_it_ended(result.status) : shortened(error);
}

RebuildLane::Outcome RebuildLane::run_check(CheckProgram check) {
    const std::string name(check_name(check));
    const fs::path laws = work_ / "tmp" / kLawsFile;
    fs::remove(laws);
    std::vector<std::string> command = {work_ / "build" / "bin" / target_of(check)};
    if (!runs_tests(check)) command.insert(command.end(), {"--engine", "model", "--json", laws});
    const auto result = run_command(command, limit(check));
    if (result.timed_out)
        return {.detail = fmt::format("{} ran for longer than {} ms", name, limit(check).count()),
                .timed_out = true};
    const CheckOutput said = runs_tests(check)  ? read_tests(result.output)
                             : fs::exists(laws) ? read_laws(read_file(laws), laws)
                                                : CheckOutput{};
    Outcome outcome{.held = said.held};
    for (const auto& failed : said.failed) outcome.killers.push_back(name + "/" + failed);
    // A check that ends well but has done less than on the unbroken project fails too.
    const std::size_t before = baseline_held_[static_cast<std::size_t>(check)];
    if (outcome.killers.empty() && (result.status != 0 || said.held < before))
        outcome.killers.push_back(name);
    if (!outcome.killers.empty()) outcome.detail = shortened(explained(name, result, said));
    return outcome;
}

/// Temporary files go to the work directory. ccache sees relative paths, so that lanes share its
/// results. Nothing in the environment picks or shards tests.
ProcessResult RebuildLane::run_command(std::vector<std::string> command,
                                       std::optional<milliseconds> limit) const {
    std::vector<std::string> full = {"env"};
    for (const auto* variable : {"GTEST_FILTER", "GTEST_TOTAL_SHARDS", "GTEST_COLOR"})
        full.insert(full.end(), {"-u", variable});
    for (const std::string& setting :
         {"TMPDIR=" + (work_ / "tmp").string(), "CCACHE_BASEDIR=" + work_.string(),
          std::string("CCACHE_NOHASHDIR=true")})
        full.push_back(setting);
    full.insert(full.end(), command.begin(), command.end());
    auto result = sim::run_process(full, {}, limit);
    if (result.status == kNotRunnable || result.status == kNotFound)
        throw Error(fmt::format("cannot run {}", command.front()));
    return result;
}

std::string RebuildLane::shortened(std::string_view line) const {
    std::string text = fmt::format("{}", fmt::join(words_of(line), " "));
    for (const std::string& prefix : {(work_ / "source").string() + "/", std::string("../source/")})
        for (auto at = text.find(prefix); at != std::string::npos; at = text.find(prefix))
            text.erase(at, prefix.size());
    return text;
}

}  // namespace capra::mutation
