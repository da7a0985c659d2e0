// The command line of mutrun. The suites come from outside, so that tests run the same code on
// suites of their own.
#pragma once

#include "mutation/suite.hpp"
#include "tools/mutrun/outcome.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace capra::tools {

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

/// Parses the command line, runs it, prints the report on standard output. Returns a MutrunStatus,
/// or 128 + the signal that ended the run.
int mutrun_main(int argc, const char* const* argv, const MutrunSetup& setup);

}  // namespace capra::tools
