// The parts of a campaign: selecting, forking, excusing, counting.
#include "isa/error.hpp"
#include "mutation/fork_pool.hpp"
#include "mutation/tally.hpp"
#include "sim/process.hpp"
#include "tests/temporary_directory.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <thread>

namespace capra::mutation {
namespace {

TEST(MutationForkPool, results_crashes_and_hangs_are_told_apart) {
    std::vector<ChildResult> results(4);
    const auto task = [](std::size_t i) -> std::string {
        if (i == 1) std::raise(SIGKILL);
        if (i == 2) std::this_thread::sleep_for(std::chrono::seconds(60));
        if (i == 3) throw std::runtime_error("no");
        return std::string(100000, 'x');
    };
    run_forked(4, 2, std::chrono::seconds(4), task,
               [&](std::size_t i, const ChildResult& result) { results[i] = result; });
    EXPECT_TRUE(results[0].completed);
    EXPECT_EQ(results[0].text.size(), 100000U) << "longer than a pipe holds";
    EXPECT_FALSE(results[1].completed);
    EXPECT_EQ(results[1].signal, SIGKILL);
    EXPECT_TRUE(results[2].timed_out);
    EXPECT_FALSE(results[2].completed);
    EXPECT_FALSE(results[3].completed);
    EXPECT_EQ(results[3].signal, 0);
}

TEST(MutationForkPool, a_caller_who_gives_up_leaves_no_child_behind) {
    const auto task = [](std::size_t i) -> std::string {
        if (i == 1) std::this_thread::sleep_for(std::chrono::seconds(60));
        return "";
    };
    const auto start = std::chrono::steady_clock::now();
    EXPECT_THROW(run_forked(2, 2, std::chrono::seconds(120), task,
                            [](std::size_t, const ChildResult&) { throw Error("enough"); }),
                 Error);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
    EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "there is no child to wait for";
}

/// A simulator that a mutant made loop for ever must not outlive its campaign.
TEST(MutationForkPool, what_a_killed_child_started_is_killed_too) {
    const TemporaryDirectory scratch;
    const std::string alive = scratch.path() + "/alive";
    const auto task = [&](std::size_t) -> std::string {
        sim::run_process({"sh", "-c", "while sleep 0.1; do date > '" + alive + "'; done"});
        return "";
    };
    run_forked(1, 1, std::chrono::seconds(1), task, [](std::size_t, const ChildResult&) {});
    ASSERT_TRUE(std::filesystem::exists(alive)) << "it has been running";
    std::filesystem::remove(alive);
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    EXPECT_FALSE(std::filesystem::exists(alive)) << "it still runs";
}

Trial trial(const std::string& id, Verdict verdict) {
    return {.mutant = {.id = id,
                       .suite = "rtl",
                       .file = "rtl/x.v",
                       .line = 3,
                       .column = 5,
                       .op = "constant",
                       .begin = 40,
                       .end = 44,
                       .original = "8'd1",
                       .replacement = "8'd2"},
            .verdict = verdict,
            .killers = verdict == Verdict::killed ? std::vector<std::string>{"A1", "fuzz-7"}
                                                  : std::vector<std::string>{},
            .detail = "a detail"};
}

std::vector<Trial> one_of_each() {
    std::vector<Trial> trials;
    for (std::size_t i = 0; i < kVerdicts; ++i)
        trials.push_back(trial("rtl/" + std::to_string(i), static_cast<Verdict>(i)));
    return trials;
}

TEST(MutationTally, the_raw_score_excuses_nothing_and_the_adjusted_one_the_listed) {
    std::vector<Trial> trials = one_of_each();
    trials.push_back(trial("rtl/8", Verdict::killed));
    const Tally all = tally(trials);
    EXPECT_EQ(all.planted(), 8U);
    // 3 seen of 6 that ran (not applied and not built did not); 5 without the equivalent.
    EXPECT_DOUBLE_EQ(all.raw_score(), 50.0);
    EXPECT_DOUBLE_EQ(all.adjusted_score(), 60.0);
    EXPECT_EQ(tally_by_file(trials).at("rtl/x.v").of(Verdict::killed), 2U);
    EXPECT_EQ(tally_by_operator(trials).at("constant").of(Verdict::survived), 1U);
}

}  // namespace
}  // namespace capra::mutation
