// cxx_judge: the unit tests linked with the C++ schema, to measure what they reach and to run them
// on its mutants.
#include "isa/error.hpp"
#include "isa/files.hpp"
#include "mutation/cxx_judge_modes.hpp"
#include "mutation/cxx_judge_tests.hpp"
#include "mutation/cxx_runtime.hpp"
#include "mutation/work_directory.hpp"
#include "tools/tool_main.hpp"

#include <fmt/format.h>
#include <stdlib.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace capra::mutation::cxx;

struct Options {
    std::string coverage;
    std::string batch;
    std::uint32_t mutant = 0;
    std::string tests;
    std::uint64_t steps = 0;
    unsigned jobs = std::max(1U, std::thread::hardware_concurrency());
    unsigned limit_seconds = 300;
};

int run_coverage(const Options& options) {
    const Coverage coverage =
        measure_coverage(options.jobs, std::chrono::seconds(options.limit_seconds));
    capra::write_file(options.coverage, to_json(coverage));
    bool passed = true;
    for (const TestCoverage& test : coverage.tests) {
        if (test.passed) continue;
        fmt::print("failed {}\n", test.name);
        passed = false;
    }
    return passed ? capra::tools::kOk : capra::tools::kCheckFailed;
}

int run_batch(const Options& options) {
    const std::string text = options.batch == "-"
                                 ? std::string(std::istreambuf_iterator<char>(std::cin), {})
                                 : capra::read_file(options.batch);
    std::vector<Order> orders;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        if (end > begin)
            orders.push_back(order_from_line(text.substr(begin, end - begin), "order"));
        begin = end + 1;
    }
    carry_out(orders, options.jobs, std::chrono::seconds(options.limit_seconds),
              [](const Answer& answer) {
                  fmt::print("{}\n", to_line(answer));
                  std::fflush(stdout);
              });
    return capra::tools::kOk;
}

/// In this process, so that a debugger can look at it.
int run_mutant(const Options& options) {
    capra_mut::selected = options.mutant;
    bool passed = true;
    for (std::size_t begin = 0; begin < options.tests.size();) {
        const std::size_t end = std::min(options.tests.find(':', begin), options.tests.size());
        const std::string name = options.tests.substr(begin, end - begin);
        capra_mut::steps = 0;
        if (options.steps != 0) capra_mut::step_limit = options.steps;
        const TestResult result = run_test(name);
        if (!result.passed) fmt::print("killed {}\t{}\n", name, result.failure);
        std::fflush(stdout);
        passed = passed && result.passed;
        begin = end + 1;
    }
    return passed ? capra::tools::kOk : capra::tools::kCheckFailed;
}

/// What is computed before a mutant is selected is computed without it; a real patch would be in
/// it.
void require_nothing_computed() {
    const auto passed = std::ranges::find(capra_mut::reached, true);
    if (passed != std::end(capra_mut::reached))
        throw capra::Error(
            fmt::format("a constant of the tests is computed before any test runs, "
                        "by the code of mutant {}",
                        passed - std::begin(capra_mut::reached)));
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{"Runs the unit tests on the mutants of the C++ code.", "cxx_judge"};
    Options options;
    app.add_option("--coverage", options.coverage, "measure the unbroken project, write JSON here");
    app.add_option("--batch", options.batch, "carry out the orders in this file, - is stdin");
    app.add_option("--mutant", options.mutant, "plant this one and run --tests in this process");
    app.add_option("--tests", options.tests, "names separated by colons");
    app.add_option("--steps", options.steps, "most steps of a test, 0 for any number");
    app.add_option("--jobs", options.jobs, "processes at a time")->check(CLI::PositiveNumber);
    app.add_option("--limit", options.limit_seconds, "seconds after which a process is killed")
        ->check(CLI::PositiveNumber);
    return capra::tools::tool_main(app, argc, argv, [&] {
        prepare_tests(1, argv);
        require_nothing_computed();
        if (options.coverage.empty() && options.batch.empty()) return run_mutant(options);
        // What killed tests leave behind goes with this.
        const capra::mutation::WorkDirectory scratch;
        ::setenv("TMPDIR", scratch.path().c_str(), 1);
        ::setenv("TEST_TMPDIR", scratch.path().c_str(), 1);
        return options.batch.empty() ? run_coverage(options) : run_batch(options);
    });
}
