// The list of equivalents: read strictly, found by the text of a line, never a free pass.
#include "isa/error.hpp"
#include "isa/files.hpp"
#include "mutation/equivalents.hpp"
#include "tests/temporary_directory.hpp"

#include <gtest/gtest.h>

namespace capra::mutation {
namespace {

std::string listed(const std::string& what = "", const std::string& by = "") {
    std::string text = R"({"file": "a.v", "line": "if (a < b) x = 1;", "op": "relational",)"
                       R"( "original": "<", "replacement": "<=", "proof": "argument",)"
                       R"( "reason": "never equal"})";
    if (!what.empty()) text.replace(text.find(what), what.size(), by);
    return text;
}

Equivalents parse(const std::string& entries) {
    return parse_equivalents(R"({"equivalents": [)" + entries + "]}", "e.json");
}

class Listed : public testing::Test {
  protected:
    void SetUp() override {
        write_file(project.path() + "/a.v", "x\n  if (a < b) x = 1;\ny\n  if (a < b) x = 1;\n");
    }
    Trial trial(std::uint32_t line, Verdict verdict, const std::string& replacement = "<=") const {
        return {.mutant = {.id = "a.v:" + std::to_string(line),
                           .file = "a.v",
                           .line = line,
                           .op = "relational",
                           .original = "<",
                           .replacement = replacement},
                .verdict = verdict};
    }
    std::vector<std::string> apply(std::vector<Trial>& trials, const std::string& entries,
                                   bool whole = true) const {
        return apply_equivalents(trials, parse(entries), SourceLines(project.path()), whole);
    }
    TemporaryDirectory project;
};

TEST_F(Listed, a_listed_survivor_is_excused_with_its_reason) {
    std::vector<Trial> trials = {trial(2, Verdict::survived)};
    EXPECT_TRUE(apply(trials, listed()).empty());
    EXPECT_EQ(trials[0].verdict, Verdict::equivalent);
    EXPECT_EQ(trials[0].detail, "argument: never equal");
}

TEST_F(Listed, another_change_and_another_line_are_not) {
    std::vector<Trial> trials = {trial(2, Verdict::survived, ">="), trial(3, Verdict::survived)};
    apply(trials, listed());
    EXPECT_EQ(trials[0].verdict, Verdict::survived);
    EXPECT_EQ(trials[1].verdict, Verdict::survived);
}

TEST_F(Listed, an_unreached_one_is_excused_and_a_seen_one_refutes_the_list) {
    std::vector<Trial> trials = {trial(2, Verdict::not_reached)};
    EXPECT_TRUE(apply(trials, listed()).empty());
    EXPECT_EQ(trials[0].verdict, Verdict::equivalent);
    for (const Verdict seen : {Verdict::killed, Verdict::timeout}) {
        trials = {trial(2, seen)};
        EXPECT_EQ(apply(trials, listed()),
                  std::vector<std::string>{"a.v:2: listed as equivalent, and seen"});
        EXPECT_EQ(trials[0].verdict, seen);
    }
}

TEST_F(Listed, an_entry_stands_for_as_many_as_it_says) {
    const std::vector<Trial> two = {trial(2, Verdict::survived), trial(4, Verdict::survived)};
    std::vector<Trial> trials = two;
    EXPECT_TRUE(apply(trials, listed("\"proof\"", R"("count": 2, "proof")")).empty());
    trials = two;
    EXPECT_EQ(apply(trials, listed()),
              std::vector<std::string>{"a.v: `if (a < b) x = 1;`, relational `<` -> `<=`: listed "
                                       "as equivalent for 1 mutants, matches 2"});
    trials = two;
    EXPECT_TRUE(apply(trials, listed(), /*whole=*/false).empty()) << "a sample counts nothing";
}

TEST_F(Listed, an_entry_that_matches_nothing_is_stale) {
    std::vector<Trial> trials = {trial(3, Verdict::killed)};
    EXPECT_EQ(apply(trials, listed()).size(), 1U);
    trials[0].mutant.file = "b.v";
    EXPECT_TRUE(apply(trials, listed()).empty()) << "files of other suites are theirs to judge";
    trials[0].mutant.file = "a.v";
    trials[0].mutant.op = kCuratedOperator;
    EXPECT_TRUE(apply(trials, listed()).empty()) << "so are curated changes of this file";
}

TEST(MutationEquivalents, the_list_is_read_strictly) {
    const Equivalents read = parse(listed());
    ASSERT_EQ(read.size(), 1U);
    EXPECT_EQ(read[0].line, "if (a < b) x = 1;");
    EXPECT_EQ(read[0].proof, Proof::argument);
    EXPECT_EQ(read[0].count, 1U);
    for (const std::string& bad :
         {listed("never equal", ""), listed("argument", "faith"), listed("\"op\"", "\"oops\""),
          listed("\"proof\"", R"("count": 0, "proof")"), listed() + "," + listed()})
        EXPECT_THROW(parse(bad), Error) << bad;
}

}  // namespace
}  // namespace capra::mutation
