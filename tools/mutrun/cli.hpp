// The command line of mutrun. The suites come from outside, so that tests run the same code on
// suites of their own.
#pragma once

#include "mutation/suite.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace capra::tools {

/// Exit statuses; an interrupted run ends with 128 + the signal.
enum MutrunStatus : int {
    kAllSeen = 0,        ///< every mutant was seen, or is listed as equivalent
    kSurvivors = 1,      ///< some were not, or a curated one no longer fits the source
    kUsage = 2,          ///< bad arguments or bad input
    kBaselineFails = 3,  ///< the unbroken project fails
    kDistrusted = 4,     ///< a control misbehaved, or a verdict was not confirmed
    kUndecided = 5,      ///< a mutant hung beyond what is counted in cycles or steps
};

struct SuiteSettings {
    unsigned jobs = 1;
    bool full = false;
    std::uint64_t fuzz_programs = 0;
};

struct MutrunSetup {
    std::string source_dir;  ///< the project
    std::string cache_dir;   ///< where verdicts are kept by default
    std::vector<std::string> suites;
    /// Makes one of them.
    std::function<std::unique_ptr<mutation::Suite>(std::string_view name, const SuiteSettings&)>
        make_suite;
};

/// Parses the command line, runs it, prints the report on standard output.
int mutrun_main(int argc, const char* const* argv, const MutrunSetup& setup);

}  // namespace capra::tools
