// mutrun from its command line to its exit status, on a planted project: every verdict, every
// status, what is kept and what is tried again.
#include "isa/files.hpp"
#include "tests/mutation_suite_support.hpp"
#include "tests/temporary_directory.hpp"
#include "tools/mutrun/cli.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <memory>

namespace capra::tools {
namespace {

using mutation::PlantedSuite;
using mutation::Verdict;
using Words = std::vector<std::string>;

constexpr const char* kEmptyList = R"({"equivalents": []})";

class Mutrun : public testing::Test {
  protected:
    void SetUp() override {
        std::filesystem::create_directories(project.path() + "/mutation");
        write_file(project.path() + "/plant.v", "a\na\na\na\na\na\na\na\n");
        list_equivalents(kEmptyList);
    }
    void list_equivalents(const std::string& text) const {
        write_file(project.path() + "/mutation/equivalents.json", text);
    }
    [[nodiscard]] std::string file(const std::string& name) const {
        return project.path() + "/" + name;
    }

    /// Runs mutrun on a suite with one mutant a verdict; `prepare` may break the suite.
    int run(const std::vector<Verdict>& verdicts, const Words& words = {},
            const std::function<void(PlantedSuite&)>& prepare = {}) {
        const MutrunSetup setup{.source_dir = project.path(),
                                .cache_dir = file("cache"),
                                .suites = {"planted"},
                                .make_suite = [&](std::string_view, const SuiteSettings&) {
                                    auto suite = std::make_unique<PlantedSuite>(verdicts, record);
                                    if (prepare) prepare(*suite);
                                    return std::unique_ptr<mutation::Suite>(std::move(suite));
                                }};
        std::vector<const char*> argv = {"mutrun"};
        for (const std::string& word : words) argv.push_back(word.c_str());
        record = {};
        testing::internal::CaptureStdout();
        testing::internal::CaptureStderr();
        const int status = mutrun_main(static_cast<int>(argv.size()), argv.data(), setup);
        std::fflush(stdout);
        output = testing::internal::GetCapturedStdout();
        error = testing::internal::GetCapturedStderr();
        return status;
    }

    TemporaryDirectory project;
    mutation::PlantedRecord record;
    std::string output;
    std::string error;
};

constexpr Verdict kKilled = Verdict::killed;
constexpr Verdict kSurvived = Verdict::survived;
constexpr Verdict kTimeout = Verdict::timeout;

TEST_F(Mutrun, nothing_unseen_is_0_and_a_timeout_in_cycles_is_seen) {
    EXPECT_EQ(run({kKilled, kTimeout, Verdict::equivalent, Verdict::not_built}), 0) << output;
    EXPECT_EQ(error, "");
}

TEST_F(Mutrun, what_no_check_saw_is_1) {
    for (const Verdict unseen : {kSurvived, Verdict::not_reached, Verdict::not_applied}) {
        EXPECT_EQ(run({kKilled, unseen}), 1) << output;
        EXPECT_NE(output.find("plant.v:2"), std::string::npos) << output;
    }
}

TEST_F(Mutrun, a_listed_equivalent_is_justified) {
    list_equivalents(
        R"({"equivalents": [{"file": "plant.v", "line": "a", "op": "constant", "original": "a",)"
        R"( "replacement": "b", "proof": "argument", "reason": "b is a here"}]})");
    EXPECT_EQ(run({kSurvived}), 0) << output;
    EXPECT_EQ(run({kKilled}), 4) << output;
    EXPECT_NE(output.find("listed as equivalent, and seen"), std::string::npos) << output;
}

TEST_F(Mutrun, an_entry_for_a_file_that_nobody_breaks_is_stale) {
    list_equivalents(
        R"({"equivalents": [{"file": "gone.v", "line": "a", "op": "constant", "original": "a",)"
        R"( "replacement": "b", "proof": "argument", "reason": "it was so once"}]})");
    EXPECT_EQ(run({kKilled}), 4);
    EXPECT_NE(output.find("NOT TRUSTED gone.v: listed as equivalent, but never broken\n"),
              std::string::npos)
        << output;
}

TEST_F(Mutrun, a_proof_is_checked_each_time) {
    list_equivalents(
        R"({"equivalents": [{"file": "plant.v", "line": "a", "op": "constant", "original": "a",)"
        R"( "replacement": "b", "proof": "miter", "reason": "b is a here"}]})");
    const auto provable = [](PlantedSuite& suite) { suite.provable = mutation::Proof::miter; };
    EXPECT_EQ(run({kSurvived}, {}, provable), 0) << output;
    EXPECT_EQ(run({kSurvived}), 4);
    EXPECT_NE(output.find("NOT TRUSTED plant.v:1: listed with a proof (miter) that fails\n"),
              std::string::npos)
        << output;
}

TEST_F(Mutrun, prove_says_which_proof_a_mutant_has) {
    const auto provable = [](PlantedSuite& suite) { suite.provable = mutation::Proof::object; };
    EXPECT_EQ(run({kSurvived, kSurvived}, {"prove", "plant.v:2"}, provable), 0);
    EXPECT_EQ(output, "plant.v:2: object\n");
    EXPECT_EQ(run({kSurvived}, {"prove", "plant.v:1"}), 0);
    EXPECT_EQ(output, "plant.v:1: no proof\n");
    EXPECT_EQ(run({kSurvived}, {"prove", "nothing"}), 2);
    EXPECT_TRUE(record.tried.empty());
}

TEST_F(Mutrun, bad_usage_is_2_and_one_line) {
    for (const Words& bad :
         {Words{"--suite", "none"}, Words{"--shard", "3/2"}, Words{"--only", "nothing"},
          Words{"--jobs", "0"}, Words{"--json", file("no/such/folder.json")}, Words{"merge"},
          Words{"merge", file("missing.json")}, Words{"--since", "HEAD"},
          Words{"--resume", "--no-cache"}, Words{"--sample", "-3"}, Words{"prove", "plant.v"},
          Words{"--seed", "2", "merge", file("missing.json")}}) {
        EXPECT_EQ(run({kKilled}, bad), 2) << bad[0];
        EXPECT_EQ(std::count(error.begin(), error.end(), '\n'), 1) << error;
        EXPECT_EQ(error.substr(0, 8), "mutrun: ") << error;
        EXPECT_TRUE(record.tried.empty()) << bad[0];
    }
}

TEST_F(Mutrun, an_unbroken_project_that_fails_is_3) {
    EXPECT_EQ(run({kKilled}, {}, [](PlantedSuite& suite) { suite.baseline_fails = true; }), 3);
    EXPECT_EQ(error, "mutrun: the unbroken plant is broken\n");
    EXPECT_TRUE(record.tried.empty());
}

TEST_F(Mutrun, a_control_that_misbehaves_is_4) {
    EXPECT_EQ(run({kKilled}, {},
                  [](PlantedSuite& suite) { suite.control_lines = {"control: it lived"}; }),
              4);
    EXPECT_NE(output.find("NOT TRUSTED control: it lived\n"), std::string::npos) << output;
}

TEST_F(Mutrun, a_verdict_that_a_patch_refutes_is_4) {
    const auto refuse = [](PlantedSuite& suite) { suite.refuse = {"plant.v:1"}; };
    EXPECT_EQ(run({kSurvived}, {}, refuse), 4) << "rather than 1";
    EXPECT_NE(output.find("NOT TRUSTED plant.v:1: refuted\n"), std::string::npos) << output;
}

TEST_F(Mutrun, a_timeout_that_only_the_clock_saw_is_5) {
    const auto wall = [](PlantedSuite& suite) { suite.wall_timeouts = true; };
    EXPECT_EQ(run({kKilled, kTimeout}, {}, wall), 5);
    EXPECT_EQ(run({kSurvived, kTimeout}, {"--no-cache"}, wall), 1) << "a survivor weighs more";
}

TEST_F(Mutrun, survivors_and_a_twentieth_of_the_kills_are_confirmed) {
    std::vector<Verdict> verdicts(400, kKilled);
    verdicts[7] = kSurvived;
    verdicts[9] = Verdict::not_reached;
    verdicts[11] = Verdict::not_applied;
    run(verdicts);
    EXPECT_TRUE(record.confirmed.contains("plant.v:8"));
    EXPECT_TRUE(record.confirmed.contains("plant.v:10"));
    EXPECT_FALSE(record.confirmed.contains("plant.v:12")) << "there is no patch to try";
    EXPECT_GE(record.confirmed.size(), 12U);
    EXPECT_LE(record.confirmed.size(), 32U);
}

TEST_F(Mutrun, kills_alone_are_kept) {
    const std::vector<Verdict> verdicts = {kKilled, kSurvived, kTimeout};
    EXPECT_EQ(run(verdicts), 1);
    EXPECT_EQ(record.tried, (std::vector<std::size_t>{0, 1, 2}));
    EXPECT_EQ(run(verdicts), 1);
    EXPECT_EQ(record.tried, (std::vector<std::size_t>{1, 2}));
    EXPECT_EQ(run(verdicts, {}, [](PlantedSuite& suite) { suite.fingerprint_text = "g"; }), 1);
    EXPECT_EQ(record.tried, (std::vector<std::size_t>{0, 1, 2})) << "the project has changed";
    EXPECT_EQ(run(verdicts, {"--no-cache"}), 1);
    EXPECT_EQ(record.tried, (std::vector<std::size_t>{0, 1, 2}));
}

TEST_F(Mutrun, an_interrupted_run_ends_with_128_and_the_signal_and_is_resumed) {
    const std::vector<Verdict> verdicts = {kKilled, kSurvived, kSurvived, kKilled};
    std::size_t done = 0;
    const auto temporary = [] {
        return std::string(std::getenv("TMPDIR") ? std::getenv("TMPDIR") : "");
    };
    const std::string before = temporary();
    std::string during;
    const auto interrupt = [&](PlantedSuite& suite) {
        suite.before_each = [&] {
            during = temporary();
            write_file(during + "/left_behind", "");
            if (++done == 3) std::raise(SIGINT);
        };
    };
    EXPECT_EQ(run(verdicts, {}, interrupt), 128 + SIGINT);
    EXPECT_EQ(error, "mutrun: interrupted; --resume carries on\n");
    EXPECT_EQ(output, "");
    EXPECT_FALSE(std::filesystem::exists(during)) << "what was in it is gone";
    EXPECT_EQ(temporary(), before);
    EXPECT_EQ(record.tried, (std::vector<std::size_t>{0, 1, 2}));
    EXPECT_EQ(run(verdicts, {"--resume"}), 1);
    EXPECT_EQ(record.tried, (std::vector<std::size_t>{2, 3})) << "what the signal hit says nothing";
    EXPECT_EQ(run(verdicts), 1);
    EXPECT_EQ(record.tried, (std::vector<std::size_t>{1, 2})) << "survivors deserve another try";
}

TEST_F(Mutrun, nothing_selected_is_no_score) {
    run({kKilled}, {"--sample", "1", "--shard", "2/2"});
    EXPECT_EQ(output, "no mutant is selected\n");
}

TEST_F(Mutrun, a_table_is_printed_even_if_a_file_cannot_be_written) {
    EXPECT_EQ(run({kKilled}, {"--json", "/dev/full"}), 2);
    EXPECT_NE(output.find("100.00 %"), std::string::npos) << output;
}

TEST_F(Mutrun, a_list_names_what_would_be_tried) {
    EXPECT_EQ(run({kKilled, kKilled, kKilled}, {"--list", "--shard", "2/2"}), 0);
    EXPECT_EQ(output, "plant.v:2\n");
    EXPECT_TRUE(record.tried.empty());
}

TEST_F(Mutrun, shards_merged_are_the_whole) {
    const std::vector<Verdict> verdicts = {kKilled,
                                           kTimeout,
                                           kSurvived,
                                           Verdict::equivalent,
                                           Verdict::not_applied,
                                           Verdict::not_built,
                                           Verdict::not_reached};
    EXPECT_EQ(run(verdicts, {"--json", file("whole.json")}), 1);
    const std::string whole = output;
    for (const char* shard : {"1/2", "2/2"})
        run(verdicts, {"--shard", shard, "--json", file(std::string(shard, 1) + ".json")});
    EXPECT_EQ(run({}, {"merge", file("2.json"), file("1.json"), "--md", file("m.md")}), 1);
    EXPECT_EQ(output.substr(output.find("planted")), whole.substr(whole.find("planted")));
    EXPECT_TRUE(std::filesystem::exists(file("m.md")));
    EXPECT_TRUE(record.tried.empty());
}

TEST_F(Mutrun, a_merge_wants_every_shard_once_of_one_source) {
    for (const char* shard : {"1/2", "2/2"})
        run({kKilled, kKilled},
            {"--shard", shard, "--json", file(std::string(shard, 1) + ".json")});
    const auto refused = [&](const Words& parts) {
        Words words = {"merge"};
        words.insert(words.end(), parts.begin(), parts.end());
        EXPECT_EQ(run({}, words), 2);
        return error;
    };
    EXPECT_EQ(refused({file("1.json")}), "mutrun: shard 2/2 is missing\n");
    EXPECT_NE(refused({file("1.json"), file("1.json")}).find("shard 1/2 is in"), std::string::npos);
    run({kKilled, kKilled}, {"--shard", "2/2", "--seed", "7", "--json", file("other.json")});
    EXPECT_NE(refused({file("1.json"), file("other.json")}).find("a part of another campaign"),
              std::string::npos)
        << error;
    write_file(project.path() + "/plant.v", "b\na\n");
    run({kKilled, kKilled}, {"--shard", "2/2", "--json", file("2.json")});
    EXPECT_NE(refused({file("1.json"), file("2.json")}).find("another part saw another source"),
              std::string::npos)
        << error;
}

TEST_F(Mutrun, a_part_that_was_not_trusted_is_not_trusted_merged) {
    run({kKilled, kKilled}, {"--shard", "1/2", "--json", file("1.json")},
        [](PlantedSuite& suite) { suite.control_lines = {"control: it lived"}; });
    run({kKilled, kKilled}, {"--shard", "2/2", "--json", file("2.json")});
    EXPECT_EQ(run({}, {"merge", file("1.json"), file("2.json")}), 4);
}

}  // namespace
}  // namespace capra::tools
