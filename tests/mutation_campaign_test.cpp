// The parts of a campaign: selecting, forking, excusing, counting, reporting.
#include "isa/error.hpp"
#include "mutation/equivalents.hpp"
#include "mutation/fork_pool.hpp"
#include "mutation/report.hpp"
#include "mutation/selection.hpp"
#include "mutation/tally.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <set>
#include <thread>

namespace capra::mutation {
namespace {

std::string id_of(std::size_t i) {
    return "m" + std::to_string(i);
}
std::string file_of(std::size_t i) {
    return i < 10 ? "a.v" : "b.v";
}

std::vector<std::size_t> pick(const Selection& selection) {
    return select(selection, 30, id_of, file_of);
}

TEST(MutationSelection, everything_one_file_or_one_mutant) {
    EXPECT_EQ(pick({}).size(), 30U);
    EXPECT_EQ(pick({.only = "a.v"}).size(), 10U);
    EXPECT_EQ(pick({.only = "m12"}), (std::vector<std::size_t>{12}));
    EXPECT_THROW(pick({.only = "m99"}), Error);
}

TEST(MutationSelection, a_sample_depends_on_its_seed_only) {
    const auto first = pick({.sample = 8, .seed = 5});
    EXPECT_EQ(first.size(), 8U);
    EXPECT_EQ(std::set(first.begin(), first.end()).size(), 8U);
    EXPECT_EQ(first, pick({.sample = 8, .seed = 5}));
    EXPECT_NE(first, pick({.sample = 8, .seed = 6}));
    EXPECT_EQ(pick({.sample = 100}).size(), 30U);
}

TEST(MutationSelection, shards_are_disjoint_complete_and_even) {
    std::set<std::size_t> seen;
    for (std::size_t k = 1; k <= 4; ++k) {
        const auto part = pick({.shard = k, .shards = 4});
        EXPECT_GE(part.size(), 7U);
        EXPECT_LE(part.size(), 8U);
        for (const std::size_t i : part) EXPECT_TRUE(seen.insert(i).second) << i;
    }
    EXPECT_EQ(seen.size(), 30U);
}

TEST(MutationSelection, a_shard_is_one_of_so_many) {
    Selection selection;
    parse_shard("2/3", selection);
    EXPECT_EQ(selection.shard, 2U);
    EXPECT_EQ(selection.shards, 3U);
    for (const char* bad : {"", "2", "0/3", "4/3", "a/3", "1/0", "1/2/3", "-1/2"})
        EXPECT_THROW(parse_shard(bad, selection), Error) << bad;
}

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

TEST(MutationEquivalents, only_a_listed_survivor_with_the_same_change_is_excused) {
    std::vector<Trial> trials = {trial("rtl/a", Verdict::survived),
                                 trial("rtl/b", Verdict::survived), trial("rtl/c", Verdict::killed),
                                 trial("rtl/d", Verdict::survived)};
    Equivalents listed;
    listed["rtl/a"] = {.original = "8'd1", .replacement = "8'd2", .reason = "because"};
    listed["rtl/b"] = {.original = "8'd1", .replacement = "8'd3", .reason = "of another change"};
    listed["rtl/c"] = {.original = "8'd1", .replacement = "8'd2", .reason = "wrong"};
    EXPECT_EQ(apply_equivalents(trials, listed), (std::vector<std::string>{"rtl/c"}));
    EXPECT_EQ(trials[0].verdict, Verdict::equivalent);
    EXPECT_EQ(trials[0].detail, "because");
    EXPECT_EQ(trials[1].verdict, Verdict::survived);
    EXPECT_EQ(trials[2].verdict, Verdict::killed);
    EXPECT_EQ(trials[3].verdict, Verdict::survived);
}

TEST(MutationEquivalents, the_list_is_read_strictly) {
    EXPECT_EQ(parse_equivalents(R"({"equivalents":[{"id":"a","original":"x","replacement":"y",
                                    "reason":"r"}]})",
                                "e.json")
                  .at("a")
                  .reason,
              "r");
    for (const char* bad :
         {R"({"equivalents":[{"id":"a","original":"x","replacement":"y","reason":""}]})",
          R"({"equivalents":[{"id":"a","original":"x","replacement":"y"}]})",
          R"({"equivalents":[{"id":"a","original":"x","replacement":"y","reason":"r"},
                             {"id":"a","original":"x","replacement":"y","reason":"r"}]})"})
        EXPECT_THROW(parse_equivalents(bad, "e.json"), Error) << bad;
}

TEST(MutationReport, json_reads_back_for_merging) {
    const std::vector<Trial> trials = one_of_each();
    const auto again = trials_from_json(report_json(trials, {{"rtl/x.v", "source"}}), "r.json");
    ASSERT_EQ(again.size(), trials.size());
    for (std::size_t i = 0; i < trials.size(); ++i) {
        EXPECT_EQ(again[i].mutant, trials[i].mutant);
        EXPECT_EQ(again[i].verdict, trials[i].verdict);
        EXPECT_EQ(again[i].killers, trials[i].killers);
        EXPECT_EQ(again[i].detail, trials[i].detail);
    }
}

TEST(MutationReport, text_names_what_was_not_seen_and_counts_everything) {
    const std::string text = report_text(one_of_each());
    EXPECT_NE(text.find("survived    rtl/2\n            rtl/x.v:3:5 constant: `8'd1` -> `8'd2`\n"),
              std::string::npos)
        << text;
    EXPECT_EQ(text.find("rtl/0\n"), std::string::npos) << "a kill is not listed";
    EXPECT_NE(text.find("score 40.00 % of all, 50.00 % without the listed equivalents\n"),
              std::string::npos)
        << text;
}

}  // namespace
}  // namespace capra::mutation
