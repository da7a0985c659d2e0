// capra_bench: how fast each engine simulates the routed decode of 24 steps, and how long compiling
// takes. Ratios between rows of one run are what to trust; they are printed at the end.
#include "model/chip_decoder.hpp"
#include "model/compiled_model.hpp"
#include "model/language_model.hpp"
#include "sim/machine.hpp"
#include "sim/model_engine.hpp"
#include "sim/replay.hpp"
#include "sim/verilated_core.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <unistd.h>

#include <map>
#include <string>
#include <vector>

namespace {

using namespace capra;

constexpr std::uint32_t kSteps = 24;

/// The 48 programs of the routed decode with the memory images they ran on.
struct RoutedDecode {
    RoutedDecode()
        : compiled(
              model::compile_model(model::structured_model(1), model::DecoderKind::routed, kSteps)),
          runs([this] {
              sim::ModelEngine engine(compiled.target);
              return model::decode(compiled, engine, kSteps, 0).runs;
          }()),
          jobs(model::jobs_of(runs)) {
        for (const sim::Job& job : jobs)
            decoded.push_back(sim::decode_program(*job.program, compiled.target));
    }

    model::CompiledModel compiled;
    std::vector<model::ProgramRun> runs;
    std::vector<sim::Job> jobs;
    std::vector<sim::DecodedProgram> decoded;
};

const RoutedDecode& routed_decode() {
    static const RoutedDecode decode;
    return decode;
}

void report(benchmark::State& state, std::uint64_t cycles) {
    state.counters["cycles_per_second"] =
        benchmark::Counter(static_cast<double>(cycles), benchmark::Counter::kIsRate);
}

/// Loading each program's memory image is part of it, as in the host loop.
void machine(benchmark::State& state) {
    const RoutedDecode& decode = routed_decode();
    sim::Machine chip(decode.compiled.target);
    std::uint64_t cycles = 0;
    for (auto _ : state)
        for (std::size_t i = 0; i < decode.jobs.size(); ++i) {
            chip.load_memory(decode.jobs[i].memory);
            chip.run(decode.decoded[i]);
            cycles += chip.counters().total;
        }
    benchmark::DoNotOptimize(chip.memories().ext.data());
    report(state, cycles);
}

void verilator_bare(benchmark::State& state) {
    const RoutedDecode& decode = routed_decode();
    const auto core = sim::make_verilated_core(decode.compiled.target);
    std::uint64_t cycles = 0;
    for (auto _ : state)
        for (std::size_t i = 0; i < decode.jobs.size(); ++i) {
            core->load(*decode.jobs[i].program, decode.jobs[i].memory);
            core->start(sim::cycle_limit(decode.decoded[i]));
            core->run_to_stop();
            cycles += core->counters().total;
        }
    report(state, cycles);
}

void replay(benchmark::State& state, const std::string& engine) {
    const RoutedDecode& decode = routed_decode();
    std::uint64_t cycles = 0;
    for (auto _ : state) {
        const sim::ReplayReport result = sim::replay(engine, decode.compiled.target, decode.jobs);
        if (!result.pass()) state.SkipWithError("the engines differ");
        cycles += result.cycles;
    }
    report(state, cycles);
}

void verilator_lockstep(benchmark::State& state) {
    replay(state, "verilator");
}
void icarus_replay(benchmark::State& state) {
    replay(state, "icarus");
}

/// Graphs to programs, calibration runs included: 24 A and 4 B_e, 24 dense, 24 single.
void compile_76_programs(benchmark::State& state) {
    const model::LanguageModel structured = model::structured_model(1);
    const model::LanguageModel tiny = model::tiny_model(1);
    std::size_t programs = 0;
    for (auto _ : state) {
        using model::DecoderKind;
        const auto routed = model::compile_model(structured, DecoderKind::routed, kSteps);
        const auto dense = model::compile_model(structured, DecoderKind::dense, kSteps);
        const auto single = model::compile_model(tiny, DecoderKind::single, kSteps);
        programs = routed.contexts.size() + routed.experts.size() + dense.contexts.size() +
                   single.contexts.size();
    }
    state.counters["programs"] = static_cast<double>(programs);
}

// Icarus is another process: only real time sees it, so every engine is measured in real time.
BENCHMARK(machine)->Unit(benchmark::kMicrosecond)->UseRealTime();
BENCHMARK(verilator_bare)->Unit(benchmark::kMillisecond)->MinTime(1.0)->UseRealTime();
BENCHMARK(verilator_lockstep)->Unit(benchmark::kMillisecond)->MinTime(1.0)->UseRealTime();
BENCHMARK(icarus_replay)->Unit(benchmark::kMillisecond)->Iterations(1)->UseRealTime();
BENCHMARK(compile_76_programs)->Unit(benchmark::kMillisecond);

/// The console table, and the median speeds kept for the ratios.
class Reporter : public benchmark::ConsoleReporter {
  public:
    Reporter() : ConsoleReporter(::isatty(STDOUT_FILENO) == 1 ? OO_Defaults : OO_Tabular) {}

    void ReportRuns(const std::vector<Run>& runs) override {
        ConsoleReporter::ReportRuns(runs);
        for (const Run& run : runs) {
            const auto rate = run.counters.find("cycles_per_second");
            if (run.aggregate_name == "median" && rate != run.counters.end())
                speeds[run.run_name.function_name] = rate->second;
        }
    }

    void print_ratio(const std::string& fast, const std::string& slow) const {
        if (!speeds.contains(fast) || !speeds.contains(slow)) return;
        fmt::print("{} / {} = {:.2f}\n", fast, slow, speeds.at(fast) / speeds.at(slow));
    }

    std::map<std::string, double> speeds;
};

}  // namespace

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    Reporter reporter;
    benchmark::RunSpecifiedBenchmarks(&reporter);
    fmt::print("\nRatios of medians, simulated cycles per second:\n");
    reporter.print_ratio("machine", "verilator_bare");
    reporter.print_ratio("machine", "verilator_lockstep");
    reporter.print_ratio("verilator_lockstep", "verilator_bare");
    reporter.print_ratio("verilator_lockstep", "icarus_replay");
    return 0;
}
