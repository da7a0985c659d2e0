// What the replay bench leaves behind, read back.
#include "sim/replay_file.hpp"

#include <gtest/gtest.h>

namespace capra::sim {
namespace {

TEST(SimReplayFile, progress_is_that_of_the_last_program_begun) {
    const auto progress = [](const char* text) {
        const ReplayProgress p = parse_replay_progress(text);
        return std::to_string(p.programs) + " " + std::to_string(p.retires) + " " +
               std::to_string(p.cycle);
    };
    EXPECT_EQ(progress(""), "0 0 0");
    EXPECT_EQ(progress("P 0\n"), "1 0 0");
    EXPECT_EQ(progress("P 0\nR 0 14 1\nR 1 24 3\n"), "1 2 24");
    EXPECT_EQ(progress("P 0\nR 0 14 1\nR 1 24"), "1 1 14") << "a line cut off";
    EXPECT_EQ(progress("P 0\nR 0 14 1\nS 2 0 1\nC 1 2 3 4 5\nM 1\n0000000f\nE\nP 1\nR 0 9 1\n"),
              "2 1 9");
}

}  // namespace
}  // namespace capra::sim
