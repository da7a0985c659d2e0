#include "mutation/cxx_judge_tests.hpp"

#include "isa/error.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

namespace capra::mutation::cxx {
namespace {

/// Keeps the first failure of the test that runs.
class FirstFailure : public testing::EmptyTestEventListener {
  public:
    std::string line;

  private:
    void OnTestPartResult(const testing::TestPartResult& part) override {
        if (!part.failed() || !line.empty()) return;
        const std::string text = part.summary();
        line = text.substr(0, text.find('\n'));
        if (line.empty()) line = "failed";
    }
};

/// GoogleTest owns it.
FirstFailure* first_failure = nullptr;

}  // namespace

void prepare_tests(int argc, char** argv) {
    ::setenv("RC_PARAMS", "seed=1 noshrink=1", 1);
    testing::InitGoogleTest(&argc, argv);
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    first_failure = new FirstFailure;
    listeners.Append(first_failure);
}

std::vector<std::string> test_names() {
    std::vector<std::string> names;
    const testing::UnitTest& unit = *testing::UnitTest::GetInstance();
    for (int s = 0; s < unit.total_test_suite_count(); ++s) {
        const testing::TestSuite& suite = *unit.GetTestSuite(s);
        for (int t = 0; t < suite.total_test_count(); ++t) {
            const std::string name = suite.GetTestInfo(t)->name();
            if (!name.starts_with("DISABLED_"))
                names.push_back(std::string(suite.name()) + "." + name);
        }
    }
    return names;
}

TestResult run_test(const std::string& name) {
    first_failure->line.clear();
    GTEST_FLAG_SET(filter, name);
    const bool passed = RUN_ALL_TESTS() == 0;
    if (testing::UnitTest::GetInstance()->test_to_run_count() != 1)
        throw Error("no test is named " + name);
    return {passed, first_failure->line};
}

}  // namespace capra::mutation::cxx
