// What every grader prints, and how it guards itself against what it grades.
#include "exercises/verdict.hpp"
#include "isa/error.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>

namespace capra::exercise {
namespace {

TEST(Verdict, text_has_a_line_for_all_that_is_known_and_none_for_the_rest) {
    EXPECT_EQ(to_text({.passed = true, .law = "all of it"}), "PASSED: all of it\n");
    EXPECT_EQ(to_text({.passed = true, .law = "all", .got = "9"}), "PASSED: all\n  measured: 9\n");
    EXPECT_EQ(
        to_text(
            {.law = "a law", .where = "step 3", .expected = "1\n2", .got = "4", .hint = "read"}),
        "NOT PASSED: a law\n"
        "  where:    step 3\n"
        "  expected: 1\n"
        "            2\n"
        "  got:      4\n"
        "  hint:     read\n");
    EXPECT_EQ(to_text({.law = "a law", .got = "4"}), "NOT PASSED: a law\n  got:      4\n");
}

TEST(Verdict, lines_are_broken_at_80_columns_between_words_but_not_in_tables) {
    const std::string word(68, 'x');
    EXPECT_EQ(to_text({.law = "law", .got = word + " y"}),
              "NOT PASSED: law\n  got:      " + word + "\n            y\n");
    EXPECT_EQ(to_text({.law = "law", .got = word.substr(2) + " y z"}),
              "NOT PASSED: law\n  got:      " + word.substr(2) + " y\n            z\n");
    EXPECT_EQ(to_text({.law = "law", .got = word + word}),
              "NOT PASSED: law\n  got:      " + word + word + "\n");
    EXPECT_EQ(to_text({.law = "law", .got = " a " + word}),
              "NOT PASSED: law\n  got:       a " + word + "\n");
    EXPECT_EQ(to_text({.law = word + " y"}), "NOT PASSED: " + word + "\ny\n");
}

/// Grades in a process of its own, whose output is seen, and ends it with the status.
[[noreturn]] void graded(const std::function<Verdict()>& grade) {
    dup2(STDERR_FILENO, STDOUT_FILENO);
    std::exit(report(grade));
}

TEST(Verdict, status_is_0_for_passed_and_1_for_not_passed) {
    const auto passes = [] { return Verdict{.passed = true, .law = "fine"}; };
    const auto fails = [] { return Verdict{.law = "broken"}; };
    EXPECT_EXIT(graded(passes), testing::ExitedWithCode(0), "^PASSED: fine");
    EXPECT_EXIT(graded(fails), testing::ExitedWithCode(1), "NOT PASSED: broken");
}

TEST(Verdict, an_exception_of_the_answer_is_a_verdict) {
    const auto known = []() -> Verdict { throw std::runtime_error("no cell 99"); };
    const auto ours = []() -> Verdict { throw Error("answer.s: line 3"); };
    const auto unknown = []() -> Verdict { throw 3; };
    EXPECT_EXIT(graded(known), testing::ExitedWithCode(1), "exception.\n.*no cell 99");
    EXPECT_EXIT(graded(ours), testing::ExitedWithCode(1), "free of errors.\n.*answer.s: line 3");
    EXPECT_EXIT(graded(unknown), testing::ExitedWithCode(1), "exception.\n.*unknown type");
}

TEST(Verdict, grading_has_limits_of_processor_time_and_of_time) {
    const auto limits = [] {
        rlimit cpu{};
        getrlimit(RLIMIT_CPU, &cpu);
        const unsigned left = alarm(0);
        return Verdict{.passed = cpu.rlim_cur == kCpuSeconds && left > 0 && left <= kClockSeconds};
    };
    EXPECT_EXIT(graded(limits), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace capra::exercise
