// mutant_bench: mutants tried in a minute, all of them in one schema against one build a mutant.
// The ratio of the two rows of one run is what to trust.
#include "mutation/rtl_suite.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace capra::mutation;

/// Every so many mutants one is tried as a patch: a build takes as long as hundreds in the schema.
constexpr std::size_t kPatchOneIn = 200;

RtlSuite& suite() {
    static const std::unique_ptr<RtlSuite> made = [] {
        auto rtl = std::make_unique<RtlSuite>(RtlSuiteOptions{
            .source_dir = CAPRA_SOURCE, .jobs = std::max(1U, std::thread::hardware_concurrency())});
        rtl->require_baseline([](std::string_view, std::size_t, std::size_t) {});
        return rtl;
    }();
    return *made;
}

/// Mutants of the schema that lock-step sees, with their verdicts.
const std::vector<Trial>& seen_in_schema() {
    static const std::vector<Trial> seen = [] {
        std::vector<Trial> trials;
        for (const Trial& trial : suite().try_in_schema())
            if (trial.verdict == Verdict::killed) trials.push_back(trial);
        return trials;
    }();
    return seen;
}

void report(benchmark::State& state, std::size_t mutants) {
    state.counters["mutants_per_minute"] =
        benchmark::Counter(60.0 * static_cast<double>(mutants), benchmark::Counter::kIsRate);
}

/// All of them, whatever becomes of them.
void schema(benchmark::State& state) {
    std::size_t tried = 0;
    for (auto _ : state) tried += suite().try_in_schema().size();
    report(state, tried);
}

/// Built for Icarus one by one, and given the check that sees it.
void patches(benchmark::State& state) {
    std::vector<Trial> sample;
    for (std::size_t i = 0; i < seen_in_schema().size(); i += kPatchOneIn)
        sample.push_back(seen_in_schema()[i]);
    std::size_t tried = 0;
    for (auto _ : state) {
        if (!suite().confirm(sample, [](std::size_t) {}).empty())
            state.SkipWithError("a patch behaves otherwise than the schema");
        tried += sample.size();
    }
    report(state, tried);
}

BENCHMARK(schema)->Unit(benchmark::kSecond)->UseRealTime();
BENCHMARK(patches)->Unit(benchmark::kSecond)->UseRealTime();

class Reporter : public benchmark::ConsoleReporter {
  public:
    Reporter() : ConsoleReporter(OO_Tabular) {}

    void ReportRuns(const std::vector<Run>& runs) override {
        ConsoleReporter::ReportRuns(runs);
        for (const Run& run : runs)
            if (const auto rate = run.counters.find("mutants_per_minute");
                rate != run.counters.end() && !run.error_occurred)
                rates[run.run_name.function_name] = rate->second;
    }

    std::map<std::string, double> rates;
};

}  // namespace

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    Reporter reporter;
    suite();
    seen_in_schema();
    benchmark::RunSpecifiedBenchmarks(&reporter);
    if (reporter.rates.size() == 2)
        fmt::print("\nschema / patches = {:.0f}\n",
                   reporter.rates["schema"] / reporter.rates["patches"]);
    return 0;
}
