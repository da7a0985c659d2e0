// Every verdict of the rebuild lane, on a planted project of a few lines with the same two checks.
#include "isa/files.hpp"
#include "mutation/rebuild_lane.hpp"
#include "tests/mutation_planted_project.hpp"
#include "tests/temporary_directory.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <chrono>
#include <filesystem>
#include <memory>

namespace capra::mutation {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kShortestLimit(2000);
const std::vector<CheckProgram> kBoth = {CheckProgram::ch17_run, CheckProgram::model_tests};

CuratedMutant mutant(const std::string& anchor, const std::string& replacement) {
    return {.id = "chapter/m",
            .file = "rule/rule.cpp",
            .anchor = anchor,
            .replacement = replacement,
            .what = "A mistake.",
            .checks = kBoth,
            .reason = {}};
}

/// One lane for all tests: each finds the copy mended.
class Lane : public testing::Test {
  protected:
    static void SetUpTestSuite() {
        directory = std::make_unique<TemporaryDirectory>();
        plant(source(), kPlantedProject);
        plant(source(), {{".git/HEAD", "x"}, {"old/CMakeCache.txt", "x"}});
        plant(work(), {{"source/stale.txt", "x"}});
        ::setenv("GTEST_FILTER", "none", 1);
        lane = std::make_unique<RebuildLane>(source(), work(), kBoth,
                                             LaneOptions{.shortest_limit = kShortestLimit});
    }
    static void TearDownTestSuite() {
        ::unsetenv("GTEST_FILTER");
        lane.reset();
        directory.reset();
    }
    /// Blanks in the paths, and the copy inside of what is copied.
    static std::string source() { return directory->path() + "/a project"; }
    static std::string work() { return source() + "/a copy"; }

    static std::unique_ptr<TemporaryDirectory> directory;
    static std::unique_ptr<RebuildLane> lane;
};
std::unique_ptr<TemporaryDirectory> Lane::directory;
std::unique_ptr<RebuildLane> Lane::lane;

using Names = std::vector<std::string>;

TEST_F(Lane, the_copy_is_the_project_without_history_and_build_directories) {
    const fs::path copy = work() + "/source";
    for (const auto& [name, text] : kPlantedProject) EXPECT_EQ(read_file(copy / name), text);
    for (const auto* name : {".git", "old", "a copy", "stale.txt"})
        EXPECT_FALSE(fs::exists(copy / name)) << name;
}

TEST_F(Lane, a_mutant_every_check_sees_is_killed_by_name) {
    const auto trial = lane->run(mutant("x + 3", "x + 4"));
    EXPECT_EQ(trial.verdict, Verdict::killed);
    EXPECT_EQ(trial.killers, (Names{"ch17_run/rule_of_one", "ch17_run/replay_model_routed",
                                    "model_tests/Rule.of_two"}));
    EXPECT_EQ(trial.detail, "rule_of_one 9 of 8");
    EXPECT_EQ(trial.mutant.id, "chapter/m");
    EXPECT_EQ(trial.mutant.line, 3U);
    EXPECT_EQ(trial.mutant.column, 19U);
}

TEST_F(Lane, a_mutant_one_check_sees_is_killed_by_that_one) {
    const auto trial = lane->run(mutant("doubled(int x) { return 2", "doubled(int x) { return 3"));
    EXPECT_EQ(trial.verdict, Verdict::killed);
    EXPECT_EQ(trial.killers, Names{"model_tests/E/Rule.doubled/2"});
    EXPECT_EQ(trial.detail, "tests.cpp:8: Failure");
}

TEST_F(Lane, only_the_checks_of_the_mutant_run) {
    auto doubled = mutant("doubled(int x) { return 2", "doubled(int x) { return 3");
    doubled.checks = {CheckProgram::ch17_run};
    EXPECT_EQ(lane->run(doubled).verdict, Verdict::survived);
}

TEST_F(Lane, a_mutant_no_check_sees_survives_or_is_equivalent_for_its_reason) {
    auto unseen = mutant("unseen(int x) { return 2", "unseen(int x) { return 3");
    const auto survivor = lane->run(unseen);
    EXPECT_EQ(survivor.verdict, Verdict::survived);
    EXPECT_EQ(survivor.killers, Names{});
    EXPECT_EQ(survivor.detail, "");
    unseen.expect = Verdict::equivalent;
    unseen.reason = "Nobody calls it.";
    const auto equivalent = lane->run(unseen);
    EXPECT_EQ(equivalent.verdict, Verdict::equivalent);
    EXPECT_EQ(equivalent.detail, "Nobody calls it.");
}

TEST_F(Lane, an_equivalent_that_is_seen_is_killed) {
    auto seen = mutant("x + 3", "x + 4");
    seen.expect = Verdict::equivalent;
    seen.reason = "Wrong.";
    EXPECT_EQ(lane->run(seen).verdict, Verdict::killed);
}

TEST_F(Lane, an_anchor_that_does_not_match_once_is_not_applied) {
    const auto missing = lane->run(mutant("x + 30", "x"));
    EXPECT_EQ(missing.verdict, Verdict::not_applied);
    EXPECT_EQ(missing.detail, "the anchor matches 0 times");
    const auto twice = lane->run(mutant("return 2 * x", "return x"));
    EXPECT_EQ(twice.verdict, Verdict::not_applied);
    EXPECT_EQ(twice.detail, "the anchor matches 2 times");
    auto nowhere = mutant("x + 3", "x + 4");
    nowhere.file = "rule";
    EXPECT_EQ(lane->run(nowhere).verdict, Verdict::not_applied);
    EXPECT_EQ(lane->run(nowhere).detail, "there is no file rule");
}

TEST_F(Lane, a_mutant_that_does_not_compile_is_not_built) {
    const auto trial = lane->run(mutant("x + 3", "x + missing"));
    EXPECT_EQ(trial.verdict, Verdict::not_built);
    EXPECT_EQ(trial.killers, Names{});
    EXPECT_EQ(trial.detail.substr(0, 27), "rule/rule.cpp:3:23: error: ");
    EXPECT_NE(trial.detail.find("missing"), std::string::npos);
}

TEST_F(Lane, a_warning_does_not_stop_the_build) {
    EXPECT_EQ(lane->run(mutant("five * x + 3", "x + 3")).verdict, Verdict::killed);
}

TEST_F(Lane, a_mutant_that_does_not_end_is_a_timeout) {
    const auto trial =
        lane->run(mutant("return five", "for (volatile int i = 0;;) i = 1; return 5"));
    EXPECT_EQ(trial.verdict, Verdict::timeout);
    EXPECT_EQ(trial.killers, Names{});
    EXPECT_EQ(trial.detail.substr(0, 29), "ch17_run ran for longer than ");
}

TEST_F(Lane, a_mutant_that_one_check_sees_and_another_cannot_end_is_killed) {
    const auto trial =
        lane->run(mutant("return five", "for (volatile int i = x; i == 1;) i = 1; return 6"));
    EXPECT_EQ(trial.verdict, Verdict::killed);
    EXPECT_EQ(trial.killers, Names{"model_tests/Rule.of_two"});
}

TEST_F(Lane, a_check_that_breaks_down_kills_under_its_own_name) {
    const auto refused = lane->run(mutant("return five", "if (x == 1) return -1; return five"));
    EXPECT_EQ(refused.verdict, Verdict::killed);
    EXPECT_EQ(refused.killers, Names{"ch17_run"});
    EXPECT_EQ(refused.detail, "ch17_run: no rule");
    const auto crashed = lane->run(mutant("return five", "__builtin_trap(); return five"));
    EXPECT_EQ(crashed.killers, (Names{"ch17_run", "model_tests/Rule.of_two"}));
    EXPECT_EQ(crashed.detail.substr(0, 25), "ch17_run ended by signal ");
}

TEST_F(Lane, a_check_that_does_less_than_before_has_seen_the_mutant) {
    const auto trial =
        lane->run(mutant("int rule(int x) {", "#include <stdlib.h>\nint rule(int x) { exit(0);"));
    EXPECT_EQ(trial.verdict, Verdict::killed);
    EXPECT_EQ(trial.detail, "ch17_run ended well with only 0 laws or tests held");
}

TEST_F(Lane, the_project_itself_is_never_written) {
    EXPECT_EQ(lane->run(mutant("x + 3", "x + 4")).verdict, Verdict::killed);
    for (const auto& [name, text] : kPlantedProject) {
        EXPECT_EQ(read_file(source() + "/" + name), text);
        EXPECT_EQ(read_file(work() + "/source/" + name), text) << "mended";
    }
}

TEST_F(Lane, a_check_has_at_least_the_shortest_limit) {
    for (const auto check : kBoth) EXPECT_GE(lane->limit(check), kShortestLimit);
}

/// The message of BaselineFails for a project with one file of it replaced.
std::string baseline_error(const std::string& file, const std::string& text) {
    const TemporaryDirectory directory;
    plant(directory.path() + "/project", kPlantedProject);
    write_file(directory.path() + "/project/" + file, text);
    try {
        const RebuildLane lane(directory.path() + "/project", directory.path() + "/copy", kBoth,
                               {.shortest_limit = std::chrono::milliseconds(100)});
    } catch (const BaselineFails& error) {
        return error.what();
    }
    return "no error";
}

TEST(Baseline, a_project_that_fails_as_it_is_cannot_be_judged) {
    const std::string& rule = kPlantedProject.at("rule/rule.cpp");
    EXPECT_EQ(baseline_error("rule/rule.cpp",
                             "int rule(int x) { return 5 * x + 4; }\n"
                             "int doubled(int x) { return 2 * x; }\n"),
              "the unbroken project fails ch17_run/rule_of_one, ch17_run/replay_model_routed: "
              "rule_of_one 9 of 8");
    EXPECT_EQ(
        baseline_error("rule/rule.cpp", rule + "int missing() { return nothing; }\n").substr(0, 57),
        "the unbroken project does not build: rule/rule.cpp:7:24: ");
    EXPECT_EQ(baseline_error("CMakeLists.txt", "project(\n").substr(0, 43),
              "the unbroken project cannot be configured: ");
    EXPECT_EQ(baseline_error("tests.cpp", "int main() {}\n"), "model_tests checks nothing");
    EXPECT_EQ(baseline_error("laws.cpp", "int main() { for (volatile int i = 0;;) i = 1; }\n"),
              "the unbroken project: ch17_run ran for longer than 2000 ms");
}

TEST(Baseline, a_project_that_is_not_there_is_bad_input) {
    const TemporaryDirectory directory;
    EXPECT_THROW(RebuildLane(directory.path() + "/none", directory.path() + "/copy", kBoth), Error);
}

}  // namespace
}  // namespace capra::mutation
