// The unit tests that are linked into the judge, one at a time and in any order.
#pragma once

#include <string>
#include <vector>

namespace capra::mutation::cxx {

/// Readies GoogleTest and RapidCheck: no output, always the same random cases, no shrinking. Called
/// once, before any other function here.
void prepare_tests(int argc, char** argv);

/// `Suite.test` of every enabled test, in the order of the binary.
std::vector<std::string> test_names();

struct TestResult {
    bool passed = false;
    std::string failure;  ///< first line of the first failure
};

/// Runs one test; it ends at its first failure if that is an assertion. An Error for a test that
/// does not exist.
TestResult run_test(const std::string& name);

}  // namespace capra::mutation::cxx
