#include "mutation/patch_lane.hpp"

#include "isa/error.hpp"
#include "isa/files.hpp"
#include "mutation/fork_pool.hpp"
#include "mutation/patch_check.hpp"
#include "mutation/source_lines.hpp"
#include "mutation/work_directory.hpp"
#include "sim/process.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <sstream>

namespace capra::mutation {
namespace {

namespace fs = std::filesystem;

/// A bench runs for a moment; a mutant may loop without time passing in the simulation.
constexpr std::chrono::seconds kBenchLimit{20};
constexpr std::chrono::seconds kMutantLimit{300};

std::string module_of(const std::string& file) {
    return fs::path(file).stem().string();
}

/// A design on disk: the project's files, one of them perhaps patched.
struct Design {
    std::string source_dir;
    std::vector<std::string> files;
    std::string scratch_dir;  ///< for what is compiled from it
};

/// Icarus refuses it.
class DoesNotCompile : public Error {
  public:
    using Error::Error;
};

/// Only the clock stopped it: a mutant that hangs, or a machine that is too busy to tell.
class Hangs : public Error {
  public:
    using Error::Error;
};

sim::ProcessResult run_in_time(const std::vector<std::string>& command) {
    sim::ProcessResult result = sim::run_process(command, {}, kBenchLimit);
    if (result.timed_out) throw Hangs(command.front() + " does not end");
    return result;
}

// Each says what is wrong, or nothing.

std::string run_bench(const Design& design, const std::string& module) {
    const std::string program = fmt::format("{}/{}.vvp", design.scratch_dir, module);
    std::vector<std::string> compile = {"iverilog",
                                        "-g2012",
                                        "-I" + design.source_dir + "/rtl",
                                        "-I" + design.source_dir + "/tb",
                                        "-s",
                                        module + "_tb",
                                        "-o",
                                        program,
                                        design.source_dir + "/tb/ext_mem.v",
                                        fmt::format("{}/tb/{}_tb.v", design.source_dir, module)};
    compile.insert(compile.end(), design.files.begin(), design.files.end());
    if (const auto built = run_in_time(compile); built.status != 0)
        throw DoesNotCompile(built.output.substr(0, built.output.find('\n')));
    const auto run = run_in_time({"vvp", "-n", program});
    const std::string pass = fmt::format("PASS {} checks=", module);
    if (run.status == 0 && run.output.find(pass) != std::string::npos) return "";
    return run.output.empty() ? fmt::format("status {}", run.status) : run.output;
}

std::string run_lint(const Design& design, const std::string& module) {
    std::vector<std::string> command = {"verilator",
                                        "--lint-only",
                                        "-Wall",
                                        "-I" + design.source_dir + "/rtl",
                                        "--top-module",
                                        module,
                                        design.source_dir + "/rtl/capra.vlt"};
    command.insert(command.end(), design.files.begin(), design.files.end());
    const auto run = run_in_time(command);
    return run.status == 0 ? "" : run.output;
}

/// Verilator misses latches; the project's synthesis script refuses them.
std::string find_latches(const Design& design, const std::string& module) {
    const auto file = std::ranges::find(design.files, module, module_of);
    const std::string script =
        fmt::format("read_verilog -DSYNTHESIS -I{}/rtl {}; proc; select -assert-none t:$dlatch",
                    design.source_dir, *file);
    const auto run = run_in_time({"yosys", "-q", "-p", script});
    return run.status == 0 ? "" : run.output;
}

std::string run_replay(const Design& design, const RtlChecks& checks) {
    const DesignResult result =
        run_design(design.source_dir, design.files, checks.target, checks.brief());
    if (result == DesignResult::hangs) throw Hangs("the replay bench does not end");
    return result == DesignResult::equal ? "" : "differs from the C++ machine";
}

/// Runs the checks of a module until one fails; no replay without checks for it.
Trial judge(const Mutant& mutant, const Design& design, const RtlChecks* checks) {
    Trial trial{.mutant = mutant};
    const std::string module = module_of(mutant.file);
    const auto seen = [&](const std::string& name, const std::string& said) {
        if (said.empty()) return false;
        trial.verdict = Verdict::killed;
        trial.killers = {name};
        trial.detail = said.substr(0, said.find('\n'));
        return true;
    };
    try {
        for (const std::string& bench : benches_of(design.source_dir, module))
            if (seen(bench, run_bench(design, bench.substr(bench.find('/') + 1)))) return trial;
        seen("lint/verilator", run_lint(design, module)) ||
            seen("lint/yosys", find_latches(design, module)) ||
            (checks != nullptr && seen("bench/replay", run_replay(design, *checks)));
    } catch (const DoesNotCompile& error) {
        trial.verdict = Verdict::not_built;
        trial.detail = error.what();
    } catch (const Hangs& error) {
        trial.verdict = Verdict::timeout;  // without a killer: undecided
        trial.detail = error.what();
    }
    return trial;
}

Trial judge_patched(const std::string& source_dir, const Mutant& mutant, const RtlChecks& checks) {
    const WorkDirectory scratch;
    const std::string original = source_dir + "/" + mutant.file;
    const std::string patched = scratch.path() + "/" + fs::path(mutant.file).filename().string();
    write_file(patched, apply_mutant(read_file(original), mutant));
    Design design{source_dir, design_files(source_dir + "/rtl"), scratch.path()};
    std::replace(design.files.begin(), design.files.end(), original, patched);
    return judge(mutant, design, &checks);
}

/// True if a line of the text begins an instance of the module: `module #(` or `module u_name`.
bool instantiates(const std::string& text, const std::string& module) {
    return std::ranges::any_of(lines_of(text), [&](std::string_view line) {
        line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
        return line.starts_with(module + " #(") || line.starts_with(module + " u_");
    });
}

// What a child says: verdict, killer and detail, a line each.
std::string to_text(const Trial& trial) {
    return fmt::format("{}\n{}\n{}", static_cast<int>(trial.verdict),
                       trial.killers.empty() ? "" : trial.killers.front(), trial.detail);
}

Trial from_text(const Mutant& mutant, const std::string& text) {
    std::istringstream lines(text);
    std::string verdict;
    std::string killer;
    Trial trial{.mutant = mutant};
    std::getline(lines, verdict);
    std::getline(lines, killer);
    std::getline(lines, trial.detail);
    trial.verdict = static_cast<Verdict>(std::stoi(verdict));
    if (!killer.empty()) trial.killers = {killer};
    return trial;
}

}  // namespace

std::vector<std::string> benches_of(const std::string& source_dir, const std::string& module) {
    std::vector<std::string> benches;
    std::vector<std::string> modules = {module};
    for (std::size_t i = 0; i < modules.size(); ++i) {
        if (fs::exists(fmt::format("{}/tb/{}_tb.v", source_dir, modules[i])))
            benches.push_back("bench/" + modules[i]);
        for (const std::string& file : design_files(source_dir + "/rtl")) {
            const std::string parent = module_of(file);
            if (std::ranges::find(modules, parent) == modules.end() &&
                instantiates(read_file(file), modules[i]))
                modules.push_back(parent);
        }
    }
    return benches;
}

std::vector<Trial> try_patches(const std::string& source_dir, std::span<const Mutant> mutants,
                               const RtlChecks& checks, unsigned jobs, const TrialDone& done) {
    std::vector<Trial> trials(mutants.size());
    const auto task = [&](std::size_t i) {
        return to_text(judge_patched(source_dir, mutants[i], checks));
    };
    run_forked(mutants.size(), jobs, kMutantLimit, task,
               [&](std::size_t i, const ChildResult& child) {
                   if (!child.completed)
                       throw Error(mutants[i].id + ": it could not be tried as a patch");
                   trials[i] = from_text(mutants[i], child.text);
                   if (done) done(i, trials[i]);
               });
    return trials;
}

std::string patch_baseline(const std::string& source_dir, unsigned jobs) {
    const std::vector<std::string> files = design_files(source_dir + "/rtl");
    std::string failed;
    const auto task = [&](std::size_t i) {
        const WorkDirectory scratch;
        return to_text(judge({.file = files[i]}, {source_dir, files, scratch.path()}, nullptr));
    };
    run_forked(
        files.size(), jobs, kMutantLimit, task, [&](std::size_t i, const ChildResult& child) {
            const Trial trial =
                child.completed ? from_text({}, child.text) : Trial{.killers = {"its checks"}};
            if (!trial.killers.empty() || trial.verdict != Verdict::survived)
                failed += fmt::format("{}: {} {}\n", files[i], fmt::join(trial.killers, ""),
                                      trial.detail);
        });
    return failed;
}

}  // namespace capra::mutation
