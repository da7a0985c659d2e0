// Random programs on every engine. The seeds are fixed so that a failure repeats; `make fuzz` runs
// as many others as one likes.
#include "sim/fuzz.hpp"

#include "isa/assembler.hpp"

#include <gtest/gtest.h>

namespace capra::sim {
namespace {

void expect_equal(std::uint64_t seed, std::uint64_t programs,
                  const std::vector<std::string>& engines) {
    const FuzzReport report = fuzz(seed, programs, engines, isa::reference_target(3000));
    if (report.failure)
        FAIL() << report.failure->engine << ", seed " << report.failure->seed << ": "
               << to_string(report.failure->divergence) << "\n"
               << isa::disassemble(report.failure->program);
    EXPECT_EQ(report.programs, programs);
    EXPECT_GT(report.trapping, programs / 20);
}

TEST(FuzzEngines, twenty_thousand_programs_are_equal_on_the_machine_and_verilator) {
    expect_equal(1, 20000, {"verilator"});
}

TEST(FuzzEngines, five_hundred_programs_are_equal_on_all_three_engines) {
    expect_equal(100001, 500, {"model", "verilator", "icarus"});
}

}  // namespace
}  // namespace capra::sim
