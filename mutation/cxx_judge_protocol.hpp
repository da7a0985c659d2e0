// What the judge of C++ mutants and the one who asks it say to each other.
//
// `cxx_judge --coverage FILE` runs every test on the unbroken project, each in a process of its
// own, and writes one Coverage. `cxx_judge --batch FILE` (`-` is standard input) reads one Order a
// line and writes one Answer a line to standard output as each is found, in any order. A process is
// forked per order: starting the judge costs as much as trying several mutants.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace capra::mutation::cxx {

/// What one test does when nothing is planted.
struct TestCoverage {
    std::string name;  ///< `Suite.test`, as GoogleTest filters take it
    bool passed = false;
    double milliseconds = 0;
    std::uint64_t steps = 0;             ///< places of mutants passed
    std::vector<std::uint32_t> reached;  ///< numbers of mutants whose place was passed, ascending
};

struct Coverage {
    std::vector<std::uint32_t> not_built;  ///< numbers of mutants that do not compile
    std::vector<TestCoverage> tests;
};

/// A test and the most steps it may take.
struct LimitedTest {
    std::string name;
    std::uint64_t step_limit = 0;
};

/// Plant one mutant and run these tests until one does not pass.
struct Order {
    std::uint32_t number = 0;
    /// Mutants of one group tend to die of the same tests: the judge runs the latest killers of the
    /// group first, then the others in the order given.
    std::string group;
    std::vector<LimitedTest> tests;
};

enum class Outcome : std::uint8_t {
    passed,   ///< all tests did
    failed,   ///< a test failed
    crashed,  ///< a test ended the process
    stopped,  ///< a test took more steps than it may, and no other failed
    /// A test took longer than any does without many steps, and no other failed; or the process was
    /// lost.
    hung,
};

struct Answer {
    std::uint32_t number = 0;
    Outcome outcome = Outcome::passed;
    std::string test;    ///< the one that did not pass
    std::string detail;  ///< one line
};

std::string to_json(const Coverage& coverage);
/// An Error names the file and what is wrong with it; so for the others.
Coverage coverage_from_json(std::string_view text, const std::string& file);

/// Lines end without a line break.
std::string to_line(const Order& order);
Order order_from_line(std::string_view line, const std::string& file);
std::string to_line(const Answer& answer);
Answer answer_from_line(std::string_view line, const std::string& file);

}  // namespace capra::mutation::cxx
