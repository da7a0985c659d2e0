// capra grade.
#include "isa/error.hpp"
#include "isa/files.hpp"
#include "sim/process.hpp"
#include "tools/capra/commands.hpp"
#include "tools/capra/course.hpp"

#include <fmt/format.h>

#include <csignal>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <sstream>
#include <string>

namespace capra::tools {
namespace {

namespace fs = std::filesystem;

/// An answer that prints more than this is taken to print for ever.
constexpr std::size_t kMostLines = 2000;

struct Options {
    std::optional<unsigned> number;
    std::string exercises = CAPRA_SOURCE "/exercises";
    std::string build = CAPRA_BUILD;
};

struct EndlessOutput {};

/// Paths below the current directory are shown without it.
std::string shown(const std::string& path) {
    const std::string here = fs::current_path().string() + "/";
    return path.starts_with(here) ? path.substr(here.size()) : path;
}

/// The answer that passed last; while it equals the student's file, the exercise is passed.
std::string passed_copy(const Options& options, const Exercise& exercise) {
    return fmt::format("{}/exercises/passed-{}{}", options.build, exercise.number,
                       exercise.extension);
}

std::string state(const Options& options, const Exercise& exercise) {
    if (!fs::exists(exercise.answer())) return "not begun";
    const std::string copy = passed_copy(options, exercise);
    const bool passed = fs::exists(copy) && read_file(copy) == read_file(exercise.answer());
    return passed ? "passed" : "begun";
}

int list(const Options& options) {
    for (const Exercise& exercise : exercises_in(options.exercises))
        fmt::print("{:>3}  {:<10}  {}\n{:17}{}\n", exercise.number, state(options, exercise),
                   exercise.title, "", shown(exercise.sheet()));
    return kOk;
}

/// The student's own file is made from the starter once, and never touched again.
void begin(const Exercise& exercise) {
    if (fs::exists(exercise.answer())) return;
    write_file(exercise.answer(), read_file(exercise.starter()));
    fmt::print("{} is yours to edit; it was copied from the starter\n", shown(exercise.answer()));
}

/// The path of the answer as the compiler prints it, from the build directory, becomes one that can
/// be opened from here.
std::string with_shown_path(std::string line, const Options& options, const Exercise& exercise) {
    const std::string from_build = fs::relative(exercise.answer(), options.build);
    const auto at = line.find(from_build);
    if (at != std::string::npos) line.replace(at, from_build.size(), shown(exercise.answer()));
    return line;
}

/// What the compiler said, without the build tool's own lines and the command.
std::string compiler_messages(const std::string& output, const Options& options,
                              const Exercise& exercise) {
    std::istringstream lines(output);
    std::string messages;
    bool command = false;
    for (std::string line; std::getline(lines, line);) {
        const bool skipped = command || line.starts_with("[") || line.starts_with("ninja: ") ||
                             line.starts_with("-- ");
        command = line.starts_with("FAILED: ");
        if (!skipped && !command) messages += with_shown_path(line, options, exercise) + "\n";
    }
    return messages;
}

std::string grader_path(const Options& options, const Exercise& exercise) {
    return fmt::format("{}/bin/exercise_{}", options.build, exercise.number);
}

/// The first line of what a failed build said beside its own progress.
std::string first_line(const std::string& messages) {
    return messages.empty() ? "it said nothing" : messages.substr(0, messages.find('\n'));
}

bool build(const Options& options, const Exercise& exercise) {
    if (!fs::exists(grader_path(options, exercise)))
        fmt::print("building the grader, which takes a while the first time\n");
    std::fflush(stdout);
    const sim::ProcessResult result =
        sim::run_process({CAPRA_CMAKE, "--build", options.build, "--target",
                          fmt::format("exercise_{}", exercise.number)});
    if (result.status == 0) return true;
    const std::string messages = compiler_messages(result.output, options, exercise);
    if (messages.find(shown(exercise.answer())) != std::string::npos) {
        fmt::print("{}NOT PASSED: {} does not build.\n", messages, shown(exercise.answer()));
        return false;
    }
    if (result.output.find("undefined reference to `capra::exercise::") != std::string::npos) {
        fmt::print("NOT PASSED: {} does not define the function `answer` of exercise.hpp.\n",
                   shown(exercise.answer()));
        return false;
    }
    throw Error(fmt::format("{}: the grader does not build, which is no fault of the answer: {}",
                            options.build, first_line(messages)));
}

/// How a grader ended that did not end by itself.
std::string prose_of_signal(int signal) {
    if (signal == SIGXCPU || signal == SIGALRM)
        return "Your answer did not end: look for a loop that runs for ever.";
    return fmt::format("Your answer crashed ({}): look for an index out of range.",
                       strsignal(signal));
}

int run_grader(const Options& options, const Exercise& exercise) {
    const std::string grader = grader_path(options, exercise);
    std::size_t count = 0;
    bool passed = false;
    bool judged = false;  // not if the answer ended the grader, with whatever status
    int status = kCheckFailed;
    try {
        status = sim::stream_process({grader, exercise.is_cxx() ? "answer" : exercise.answer()}, {},
                                     [&](std::string_view line) {
                                         if (++count > kMostLines) throw EndlessOutput{};
                                         passed = passed || line.starts_with("PASSED: ");
                                         judged =
                                             passed || judged || line.starts_with("NOT PASSED: ");
                                         fmt::print("{}\n", line);
                                     });
    } catch (const EndlessOutput&) {
        fmt::print("NOT PASSED: Your answer printed {} lines and went on; it was stopped.\n",
                   kMostLines);
        return kCheckFailed;
    }
    if (status > 128)
        fmt::print("NOT PASSED: {}\n", prose_of_signal(status - 128));
    else if (!judged)
        fmt::print("NOT PASSED: Your answer ended the whole grader: it has to return, not exit.\n");
    return status == 0 && passed ? kOk : kCheckFailed;
}

int run(const Options& options) {
    if (!options.number) return list(options);
    const auto exercises = exercises_in(options.exercises);
    const Exercise& exercise = exercise_by_number(exercises, *options.number);
    fmt::print("Exercise {}: {}\n", exercise.number, exercise.title);
    begin(exercise);
    if (!build(options, exercise)) return kCheckFailed;
    const int status = run_grader(options, exercise);
    if (status == kOk) {
        fs::create_directories(options.build + "/exercises");
        write_file(passed_copy(options, exercise), read_file(exercise.answer()));
    } else {
        fmt::print("  task:     {}\n", shown(exercise.sheet()));
    }
    return status;
}

}  // namespace

void add_grade(CLI::App& app, int& status) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand(
        "grade",
        "Grade your answer to an exercise, or list the exercises\n\n"
        "The first `capra grade N` copies the exercise's starter to answer.cpp, answer.s or\n"
        "answer.json beside it: your file, which git ignores. From then on it is built and run\n"
        "against the exercise's laws; the first that does not hold is printed. Exit status 1 if\n"
        "the answer does not pass.");
    command->add_option("N", options->number, "exercise; without it all are listed");
    command->add_option("--exercises", options->exercises, "folder of the exercises")
        ->capture_default_str();
    command->add_option("--build", options->build, "build directory that makes the graders")
        ->capture_default_str();
    command->callback([options, &status] { status = run(*options); });
}

}  // namespace capra::tools
