#include "mutation/patch_check.hpp"

#include "isa/files.hpp"
#include "mutation/curated.hpp"
#include "sim/process.hpp"
#include "sim/replay_file.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>

namespace capra::mutation {
namespace {

/// A mutant may loop without time passing in the simulation. On a busy machine the schema alone
/// takes more than a minute.
constexpr std::chrono::seconds kLimit{300};

/// `patch`, if it is given, is found at inherited_path(2).
DesignResult compile_and_run(const std::string& source_dir, const std::vector<std::string>& files,
                             const isa::Target& target, std::span<const RtlCheck> checks,
                             const sim::MemoryFile* patch) {
    std::vector<sim::Job> jobs;
    for (const RtlCheck& check : checks) jobs.push_back({&check.program, check.memory});
    const sim::MemoryFile program;
    const sim::MemoryFile replay(sim::make_replay(target, jobs, {.check = true}));
    const std::array inherited = {program.descriptor(), replay.descriptor(),
                                  patch != nullptr ? patch->descriptor() : replay.descriptor()};

    std::vector<std::string> command = {"iverilog",
                                        "-g2012",
                                        "-I" + source_dir + "/rtl",
                                        "-I" + source_dir + "/tb",
                                        "-s",
                                        "replay_tb",
                                        "-o",
                                        sim::inherited_path(0),
                                        source_dir + "/tb/replay_tb.v",
                                        source_dir + "/tb/ext_mem.v"};
    command.insert(command.end(), files.begin(), files.end());
    if (sim::run_process(command, inherited, kLimit).status != 0) return DesignResult::not_built;
    const sim::ProcessResult run =
        sim::run_process({"vvp", "-n", sim::inherited_path(0), "+replay=" + sim::inherited_path(1)},
                         inherited, kLimit);
    if (run.timed_out) return DesignResult::hangs;
    const bool passed = run.status == 0 && run.output.find("PASS programs=") != std::string::npos;
    return passed ? DesignResult::equal : DesignResult::different;
}

}  // namespace

std::vector<std::string> design_files(const std::string& rtl_dir) {
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(rtl_dir))
        if (entry.path().extension() == ".v") files.push_back(entry.path().string());
    std::sort(files.begin(), files.end());
    return files;
}

DesignResult run_design(const std::string& source_dir, const std::vector<std::string>& files,
                        const isa::Target& target, std::span<const RtlCheck> checks) {
    return compile_and_run(source_dir, files, target, checks, nullptr);
}

DesignResult run_patched(const std::string& source_dir, const Mutant& mutant,
                         const isa::Target& target, std::span<const RtlCheck> checks) {
    const std::string mutated_path = source_dir + "/" + mutant.file;
    const sim::MemoryFile patch(apply_mutant(read_file(mutated_path), mutant));
    std::vector<std::string> files = design_files(source_dir + "/rtl");
    std::replace(files.begin(), files.end(), mutated_path, sim::inherited_path(2));
    return compile_and_run(source_dir, files, target, checks, &patch);
}

}  // namespace capra::mutation
