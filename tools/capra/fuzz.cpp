// capra fuzz.
#include "sim/fuzz.hpp"
#include "isa/assembler.hpp"
#include "isa/files.hpp"
#include "isa/program_file.hpp"
#include "tools/capra/commands.hpp"
#include "tools/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace capra::tools {
namespace {

struct Options {
    std::uint64_t seed = 1;
    std::uint64_t programs = 1000;
    std::vector<std::string> engines = {"model", "verilator"};
    std::string out = "fuzz-failure.json";
};

/// The seeds after it do not wrap.
constexpr std::uint64_t kMaxSeed = std::uint64_t{1} << 63;

/// Printed before it is written: a file that cannot be written must not lose the finding.
void report_failure(const Options& options, const sim::FuzzFailure& failure, std::string_view how) {
    fmt::print("DIFFERENT on {} (program of seed {}), {} {} instructions:\n{}\n", failure.engine,
               failure.seed, how, failure.program.code.size(), sim::to_string(failure.divergence));
    std::fflush(stdout);
    write_file(options.out, isa::program_to_json(failure.program));
    fmt::print("written to {}\n", options.out);
}

int run(const Options& options) {
    // External memory of a size that is no power of two: its bound is a run-time input.
    const isa::Target target = isa::reference_target(3000);
    Progress progress("fuzz");
    const sim::FuzzReport report = sim::fuzz(
        options.seed, options.programs, options.engines, target,
        [&](std::uint64_t done, std::uint64_t of) { progress.update(done, of); },
        [&](const sim::FuzzFailure& drawn) {
            progress.finish();
            report_failure(options, drawn, "drawn with");
            fmt::print("shrinking it\n\n");
            std::fflush(stdout);
        });
    progress.finish();
    if (report.failure) {
        const sim::FuzzFailure& failure = *report.failure;
        report_failure(options, failure, "shrunk to");
        fmt::print("\n{}\n", isa::disassemble(failure.program));
        fmt::print("replay: capra run '{}' --engine {} --check\n", options.out, failure.engine);
        return kCheckFailed;
    }
    fmt::print(
        "PASS {} programs (seeds {}..{}, {} of them trap) equal on {}: {} cycles, {} cells\n",
        report.programs, options.seed, options.seed + report.programs - 1, report.trapping,
        fmt::join(options.engines, ", "), report.cycles, report.cells);
    return kOk;
}

}  // namespace

void add_fuzz(CLI::App& app, int& status) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand(
        "fuzz",
        "Random programs on several engines, compared instruction by instruction\n\n"
        "Every retired instruction (pc, cycle, unit), every cell it wrote, the counters, the\n"
        "status and memory must equal the C++ machine's. The first difference is shrunk and\n"
        "written as a program file; exit status 1.");
    command->add_option("--seed", options->seed, "seed of the first program; the next are +1")
        ->capture_default_str()
        ->check(CLI::NonNegativeNumber)
        ->check(CLI::Range(std::uint64_t{0}, kMaxSeed));
    command->add_option("--programs", options->programs, "how many programs")
        ->capture_default_str()
        ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 40));
    command->add_option("--engines", options->engines, "engines to compare with the machine")
        ->delimiter(',')
        ->check(CLI::IsMember(sim::kEngineNames))
        ->capture_default_str();
    command->add_option("-o,--output", options->out, "where a failing program goes")
        ->capture_default_str();
    command->callback([options, &status] { status = run(*options); });
}

}  // namespace capra::tools
