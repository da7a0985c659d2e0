#include "sim/icarus_engine.hpp"

#include "isa/error.hpp"
#include "sim/place.hpp"
#include "sim/process.hpp"
#include "sim/replay_file.hpp"
#include "sim/rtl_core.hpp"
#include "sim/rtl_target.hpp"

#include <fmt/format.h>

#include <array>
#include <map>
#include <sstream>

namespace capra::sim {
namespace {

/// External memory of the replay bench; the large one has the ISA's 2^24 words and starts slowly.
constexpr std::uint32_t kUsualExtWords = 1U << 20;

/// The line of the bench's output that starts with this word, or an empty string.
std::string line_starting_with(const std::string& output, const std::string& word) {
    std::istringstream lines(output);
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with(word)) return line;
    return "";
}

/// `key=value` words of a bench line.
std::map<std::string, std::string> key_values(const std::string& line) {
    std::map<std::string, std::string> values;
    std::istringstream words(line);
    for (std::string word; words >> word;)
        if (const auto equals = word.find('='); equals != std::string::npos)
            values[word.substr(0, equals)] = word.substr(equals + 1);
    return values;
}

std::uint64_t number(const std::map<std::string, std::string>& values, const std::string& key,
                     const std::string& line) {
    const auto found = values.find(key);
    if (found == values.end() || found->second.empty() ||
        found->second.find_first_not_of("0123456789") != std::string::npos)
        throw Error(fmt::format("icarus: no number '{}' in the bench's line '{}'", key, line));
    return std::stoull(found->second);
}

Divergence parse_divergence(const std::string& line, std::span<const Job> jobs) {
    const auto values = key_values(line);
    Divergence d;
    d.program = number(values, "program", line);
    if (d.program >= jobs.size())
        throw Error(fmt::format("icarus: no program {} was replayed: '{}'", d.program, line));
    const isa::Program& program = *jobs[d.program].program;
    d.program_name = program.name;
    d.pc = static_cast<std::uint32_t>(number(values, "pc", line));
    d.instruction = instruction_at(program, d.pc);
    d.cycle = number(values, "cycle", line);
    d.what = values.contains("what") ? values.at("what") : "?";
    d.element = number(values, "element", line);
    d.expected = values.contains("expected") ? values.at("expected") : "?";
    d.got = values.contains("got") ? values.at("got") : "?";
    return d;
}

struct BenchRun {
    int status = 0;
    std::string output;  ///< what the bench printed
    std::string result;  ///< its result file
};

BenchRun run_bench(const isa::Target& target, const std::string& replay) {
    const char* bench = target.ext_words > kUsualExtWords ? CAPRA_REPLAY_BENCH "_large.vvp"
                                                          : CAPRA_REPLAY_BENCH ".vvp";
    const MemoryFile input(replay);
    const MemoryFile result;
    const ProcessResult process = run_process(
        {CAPRA_VVP, "-n", bench, "+replay=" + inherited_path(0), "+result=" + inherited_path(1)},
        std::array{input.descriptor(), result.descriptor()});
    return {process.status, process.output, result.read()};
}

/// The line in which the bench says that the core did what no core may do, or an empty string.
std::string fault_line(const BenchRun& run) {
    for (const char* word : {"ASSERT FAILED", "FAIL ext_mem"})
        if (std::string line = line_starting_with(run.output, word); !line.empty()) return line;
    return "";
}

[[noreturn]] void bench_failed(const BenchRun& run) {
    if (const std::string fault = fault_line(run); !fault.empty())
        throw RtlFault(fmt::format("icarus: {}", fault));
    std::string said = line_starting_with(run.output, "REPLAY ERROR");
    if (said.empty()) said = run.output.substr(0, run.output.find('\n'));
    throw Error(
        fmt::format("icarus: the replay bench failed with status {}: {}", run.status, said));
}

/// A fault in the instruction behind the last one in the result file, of the last program there.
Divergence fault_divergence(const std::string& fault, const std::string& result,
                            std::span<const Job> jobs) {
    const ReplayProgress progress = parse_replay_progress(result);
    if (progress.programs == 0 || progress.programs > jobs.size())
        throw RtlFault(fmt::format("icarus: {}", fault));
    const isa::Program& program = *jobs[progress.programs - 1].program;
    Divergence d;
    d.program = progress.programs - 1;
    d.program_name = program.name;
    d.pc = static_cast<std::uint32_t>(progress.retires);
    d.instruction = instruction_at(program, d.pc);
    d.cycle = progress.cycle;
    d.what = "fault";
    d.expected = "none";
    d.got = fault;
    return d;
}

}  // namespace

IcarusEngine::IcarusEngine(const isa::Target& target) : target_(target) {
    check_rtl_target(target);
}

std::vector<Result> IcarusEngine::run(std::span<const Job> jobs) {
    const BenchRun run =
        run_bench(target_, make_replay(target_, jobs, {.check = false, .dump = true}));
    if (run.status != 0) bench_failed(run);
    return parse_replay_result(run.result, jobs);
}

ReplayReport replay_icarus(const isa::Target& target, std::span<const Job> jobs) {
    check_rtl_target(target);
    const BenchRun run =
        run_bench(target, make_replay(target, jobs, {.check = true, .dump = true}));
    ReplayReport report{.engine = "icarus"};
    if (const std::string line = line_starting_with(run.output, "DIVERGE"); !line.empty()) {
        report.divergence = parse_divergence(line, jobs);
        return report;
    }
    if (const std::string fault = fault_line(run); !fault.empty()) {
        report.divergence = fault_divergence(fault, run.result, jobs);
        return report;
    }
    const std::string pass = line_starting_with(run.output, "PASS");
    if (run.status != 0 || pass.empty()) bench_failed(run);
    const auto values = key_values(pass);
    if (number(values, "programs", pass) != jobs.size())
        throw Error(fmt::format("icarus: the bench ran another number of programs than {}: '{}'",
                                jobs.size(), pass));
    report.retires = number(values, "retires", pass);
    report.cells = number(values, "cells", pass);
    for (const Result& result : parse_replay_result(run.result, jobs)) {
        report.counters.push_back(result.counters);
        report.cycles += result.counters.total;
    }
    return report;
}

}  // namespace capra::sim
