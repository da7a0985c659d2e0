// What campaigns change to see whether they can be trusted.
#include "isa/files.hpp"
#include "mutation/cpp_suite.hpp"

#include <gtest/gtest.h>

#include <string>

namespace capra::mutation {
namespace {

TEST(MutationControls, the_sum_that_they_change_is_in_the_machine_once) {
    const std::string machine = read_file(CAPRA_SOURCE "/sim/machine.cpp");
    const std::size_t found = machine.find(kControlSum);
    ASSERT_NE(found, std::string::npos);
    EXPECT_EQ(machine.find(kControlSum, found + 1), std::string::npos);
}

}  // namespace
}  // namespace capra::mutation
