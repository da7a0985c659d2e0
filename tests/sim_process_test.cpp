// Other programs: what they print, how they end, and how long they may take.
#include "isa/error.hpp"
#include "sim/process.hpp"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <csignal>

namespace capra::sim {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr milliseconds kShort(100);
constexpr milliseconds kLong(60000);

ProcessResult shell(const std::string& script, std::optional<milliseconds> limit = std::nullopt) {
    return run_process({"sh", "-c", script}, {}, limit);
}

TEST(Process, output_and_errors_come_in_order_with_the_status) {
    const auto result = shell("echo a; echo b >&2; echo c; exit 3");
    EXPECT_EQ(result.output, "a\nb\nc\n");
    EXPECT_EQ(result.status, 3);
    EXPECT_FALSE(result.timed_out);
    EXPECT_EQ(shell("kill -9 $$").status, 128 + 9);
    EXPECT_THROW(run_process({"/no/such/program"}), Error);
}

/// Whoever ignores the ends of programs is not told how they ended.
TEST(Process, an_end_that_cannot_be_learned_is_not_a_success) {
    const auto before = std::signal(SIGCHLD, SIG_IGN);
    EXPECT_THROW(shell("exit 3"), Error);
    std::signal(SIGCHLD, before);
    EXPECT_EQ(shell("exit 3").status, 3);
}

TEST(Process, files_in_memory_are_read_and_written) {
    const MemoryFile in("text");
    const MemoryFile out;
    const std::array files = {in.descriptor(), out.descriptor()};
    run_process({"cp", inherited_path(0), inherited_path(1)}, files);
    EXPECT_EQ(out.read(), "text");
}

TEST(Process, one_that_ends_in_time_does_not_notice_the_limit) {
    const auto result = shell("echo a; exit 3", kLong);
    EXPECT_EQ(result.output, "a\n");
    EXPECT_EQ(result.status, 3);
    EXPECT_FALSE(result.timed_out);
}

/// Silent, talkative, or with its output closed: each is killed when its time is over, not before.
TEST(Process, one_that_does_not_end_is_killed_at_the_limit) {
    for (const std::string script :
         {"exec sleep 60", "while :; do echo a; done", "exec sleep 60 > /dev/null 2>&1"}) {
        const auto start = Clock::now();
        const auto result = shell(script, kShort);
        EXPECT_TRUE(result.timed_out) << script;
        EXPECT_EQ(result.status, 128 + 9) << script;
        EXPECT_GE(Clock::now() - start, kShort) << script;
        EXPECT_LT(Clock::now() - start, kLong / 2) << script;
    }
    EXPECT_EQ(shell("echo a; exec sleep 60", milliseconds(2000)).output, "a\n");
}

/// A program it started keeps the pipe open; nobody waits for that one.
TEST(Process, what_a_killed_program_started_is_not_waited_for) {
    const auto start = Clock::now();
    EXPECT_TRUE(shell("sleep 5 & wait", kShort).timed_out);
    EXPECT_LT(Clock::now() - start, milliseconds(4000));
}

TEST(Process, a_stream_hands_over_lines_as_they_come) {
    std::vector<std::string> lines;
    const auto start = Clock::now();
    milliseconds first = kLong;
    const int status = stream_process(
        {"sh", "-c", "echo a; sleep 0.3; echo; printf last; exit 3"}, {},
        [&](std::string_view line) {
            if (lines.empty())
                first = std::chrono::duration_cast<milliseconds>(Clock::now() - start);
            lines.emplace_back(line);
        });
    EXPECT_EQ(status, 3);
    EXPECT_EQ(lines, (std::vector<std::string>{"a", "", "last"}));
    EXPECT_LT(first, std::chrono::duration_cast<milliseconds>(Clock::now() - start));
}

/// Had it been waited for instead, this test would take a minute.
TEST(Process, a_stream_nobody_wants_is_cut_off_and_its_program_killed) {
    const auto start = Clock::now();
    EXPECT_THROW(stream_process({"sh", "-c", "echo a; exec sleep 60"}, {},
                                [](std::string_view) { throw Error("enough"); }),
                 Error);
    EXPECT_LT(Clock::now() - start, kLong);
}

}  // namespace
}  // namespace capra::sim
