// Which mutants a campaign tries: draws, shards, and lines changed since a revision.
#include "isa/error.hpp"
#include "isa/files.hpp"
#include "mutation/changed_lines.hpp"
#include "mutation/selection.hpp"
#include "sim/process.hpp"
#include "tests/temporary_directory.hpp"

#include <gtest/gtest.h>

#include <set>

namespace capra::mutation {
namespace {

std::vector<std::size_t> pick(const Selection& selection) {
    return select(selection, 30, [](std::size_t) { return true; });
}

TEST(MutationSelection, everything_or_what_is_wanted) {
    EXPECT_EQ(pick({}).size(), 30U);
    EXPECT_EQ(select({}, 30, [](std::size_t i) { return i % 10 == 2; }),
              (std::vector<std::size_t>{2, 12, 22}));
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

Mutant at(const std::string& file, std::uint32_t line, const std::string& original = "x") {
    return {.file = file, .line = line, .original = original};
}

TEST(MutationChangedLines, a_diff_names_lines_of_the_new_side) {
    const ChangedLines changed = parse_diff(
        "diff --git a/rtl/a.v b/rtl/a.v\n--- a/rtl/a.v\n+++ b/rtl/a.v\n"
        "@@ -3 +4,2 @@ module\n-old\n+new\n+newer\n"
        "@@ -9,2 +11,0 @@\n-gone\n-gone\n"
        "diff --git a/b.v b/b.v\n--- /dev/null\n+++ b/b.v\n@@ -0,0 +1 @@\n+one\n"
        "--- a/c.v\n+++ /dev/null\n@@ -1,2 +0,0 @@\n");
    EXPECT_FALSE(changed.touches(at("rtl/a.v", 3)));
    EXPECT_TRUE(changed.touches(at("rtl/a.v", 4)));
    EXPECT_TRUE(changed.touches(at("rtl/a.v", 5)));
    EXPECT_FALSE(changed.touches(at("rtl/a.v", 6)));
    EXPECT_FALSE(changed.touches(at("rtl/a.v", 11)));
    EXPECT_TRUE(changed.touches(at("b.v", 1)));
    EXPECT_FALSE(changed.touches(at("c.v", 1)));
    EXPECT_TRUE(changed.touches(at("rtl/a.v", 2, "two\nlines\nmore")));
    EXPECT_FALSE(changed.touches(at("rtl/a.v", 2, "two\nlines")));
}

TEST(MutationChangedLines, since_a_revision_edits_and_new_files_count) {
    const TemporaryDirectory repository;
    const std::string dir = repository.path();
    const auto git = [&](std::vector<std::string> words) {
        words.insert(words.begin(), {"git", "-C", dir, "-c", "user.name=a", "-c", "user.email=a@b",
                                     "-c", "init.defaultBranch=main"});
        EXPECT_EQ(sim::run_process(words).status, 0) << words.back();
    };
    write_file(dir + "/a.v", "1\n2\n3\n");
    git({"init", "-q"});
    git({"add", "a.v"});
    git({"commit", "-q", "-m", "first"});
    write_file(dir + "/a.v", "1\nchanged\n3\n");
    write_file(dir + "/new.v", "1\n");
    const ChangedLines changed = changed_since(dir, "HEAD");
    EXPECT_FALSE(changed.touches(at("a.v", 1)));
    EXPECT_TRUE(changed.touches(at("a.v", 2)));
    EXPECT_TRUE(changed.touches(at("new.v", 1)));
    EXPECT_THROW(changed_since(dir, "no_such_revision"), Error);
    EXPECT_THROW(changed_since(dir, "--output=x"), Error);
}

}  // namespace
}  // namespace capra::mutation
