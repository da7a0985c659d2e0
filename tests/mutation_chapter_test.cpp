// The chapter suite from its list to its verdicts, on a planted project, two copies side by side.
#include "isa/files.hpp"
#include "mutation/campaign.hpp"
#include "mutation/chapter_suite.hpp"
#include "tests/mutation_planted_project.hpp"
#include "tests/temporary_directory.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace capra::mutation {
namespace {

std::string listed(const std::string& id, const std::string& anchor, const std::string& replacement,
                   const std::string& expect = "killed") {
    return fmt::format(R"({{"id": "chapter/{}", "file": "rule/rule.cpp", "anchor": "{}",)"
                       R"( "replacement": "{}", "what": "w",)"
                       R"( "checks": ["ch17_run", "model_tests"], "expect": "{}"{}}})",
                       id, anchor, replacement, expect,
                       expect == "equivalent" ? R"(, "reason": "Nobody calls it.")" : "");
}

class ChapterCampaign : public testing::Test {
  protected:
    void SetUp() override {
        plant(project.path(), kPlantedProject);
        list(listed("dies", "x + 3", "x + 4"));
    }
    void list(const std::string& mutants, const std::string& must_die = "x + 4") const {
        plant(project.path(),
              {{"mutation/chapter.json",
                R"({"mutants": [)" + mutants + R"(], "controls": [)" +
                    listed("control_dies", "x + 3", must_die) + "," +
                    listed("control_lives", "unseen(int x) { return 2", "unseen(int x) { return 1",
                           "survived") +
                    "," + listed("control_nowhere", "y + 3", "x", "not applied") + "]}"}});
    }
    CampaignResult run() const {
        ChapterSuite suite(project.path(), 2, {.shortest_limit = std::chrono::seconds(2)});
        return run_campaign(suite, {.source_dir = project.path()},
                            [](std::string_view, std::size_t, std::size_t) {});
    }
    TemporaryDirectory project;
};

TEST_F(ChapterCampaign, every_verdict_in_the_order_of_the_list) {
    const std::string unseen = "unseen(int x) { return 2";
    list(listed("dies", "x + 3", "x + 4") + "," +
         listed("lives", unseen, "unseen(int x) { return 3") + "," +
         listed("excused", unseen, "unseen(int x) { return 4", "equivalent") + "," +
         listed("nowhere", "z + 3", "x") + "," + listed("broken", "x + 3", "x + missing") + "," +
         listed("hangs", "return five", "for (volatile int i = 0;;) i = 1; return 5"));
    const CampaignResult result = run();
    EXPECT_EQ(result.distrust, std::vector<std::string>{});
    std::vector<Verdict> verdicts;
    for (const Trial& trial : result.trials) verdicts.push_back(trial.verdict);
    EXPECT_EQ(verdicts, (std::vector{Verdict::killed, Verdict::survived, Verdict::equivalent,
                                     Verdict::not_applied, Verdict::not_built, Verdict::timeout}));
    EXPECT_EQ(result.trials[0].killers.front(), "ch17_run/rule_of_one");
    EXPECT_EQ(result.trials[2].detail, "Nobody calls it.");
}

TEST_F(ChapterCampaign, a_control_that_lives_is_told) {
    list(listed("dies", "x + 3", "x + 4"), "x + 3 + 0");
    EXPECT_EQ(run().distrust, std::vector<std::string>{
                                  "control chapter/control_dies: expected killed, got survived"});
}

TEST_F(ChapterCampaign, a_broken_project_is_told_apart) {
    write_file(project.path() + "/rule/rule.cpp", "int rule(int) { return 0; }\n");
    EXPECT_THROW(run(), BaselineFails);
}

TEST_F(ChapterCampaign, the_fingerprint_is_that_of_the_files) {
    const auto fingerprint = [&] { return ChapterSuite(project.path(), 1).fingerprint(); };
    const std::string before = fingerprint();
    EXPECT_EQ(before, fingerprint());
    write_file(project.path() + "/laws.cpp", "int main() {}\n");
    const std::string changed = fingerprint();
    EXPECT_NE(before, changed);
    std::filesystem::rename(project.path() + "/tests.cpp", project.path() + "/tests.off");
    EXPECT_NE(changed, fingerprint()) << "a test that is gone tests nothing";
}

}  // namespace
}  // namespace capra::mutation
