// Verdicts kept between runs.
#include "isa/files.hpp"
#include "mutation/digest.hpp"
#include "mutation/journal.hpp"
#include "mutation/trial_json.hpp"
#include "tests/temporary_directory.hpp"

#include <gtest/gtest.h>

namespace capra::mutation {
namespace {

Trial trial() {
    return {.mutant = {.id = "a.v:1:2:constant:0",
                       .suite = "rtl",
                       .file = "a.v",
                       .line = 1,
                       .column = 2,
                       .op = "constant",
                       .begin = 1,
                       .end = 4,
                       .original = "\"\n1",
                       .replacement = "2"},
            .verdict = Verdict::killed,
            .killers = {"A1", "fuzz-7"},
            .detail = "one \x80 byte that is no UTF-8"};
}

TEST(MutationJournal, a_trial_is_one_line_and_reads_back) {
    const std::string line = to_line(trial());
    EXPECT_EQ(line.find('\n'), std::string::npos);
    const Trial again = trial_from_line(line, "j");
    EXPECT_EQ(again.mutant, trial().mutant);
    EXPECT_EQ(again.verdict, Verdict::killed);
    EXPECT_EQ(again.killers, trial().killers);
    EXPECT_EQ(again.detail, "one \xEF\xBF\xBD byte that is no UTF-8");
}

TEST(MutationJournal, it_remembers_the_same_change_of_the_same_place_only) {
    const TemporaryDirectory dir;
    Journal(dir.path(), "rtl", "f").add(trial());
    const Journal journal(dir.path(), "rtl", "f");
    ASSERT_NE(journal.find(trial().mutant), nullptr);
    EXPECT_EQ(journal.find(trial().mutant)->killers, trial().killers);
    Mutant other = trial().mutant;
    other.replacement = "3";
    EXPECT_EQ(journal.find(other), nullptr);
    EXPECT_EQ(Journal(dir.path(), "rtl", "g").find(trial().mutant), nullptr);
    EXPECT_EQ(Journal(dir.path(), "cpp", "f").find(trial().mutant), nullptr);
}

TEST(MutationJournal, a_line_cut_short_costs_that_line_only) {
    const TemporaryDirectory dir;
    const std::string line = to_line(trial());
    write_file(dir.path() + "/rtl-f.jsonl", line + "\n" + line.substr(0, line.size() / 2));
    Trial next = trial();
    next.mutant.id = "next";
    Journal(dir.path(), "rtl", "f").add(next);
    const Journal journal(dir.path(), "rtl", "f");
    EXPECT_NE(journal.find(trial().mutant), nullptr);
    EXPECT_NE(journal.find(next.mutant), nullptr);
}

TEST(MutationDigest, it_names_contents_not_places) {
    const TemporaryDirectory dir;
    write_file(dir.path() + "/a", "one");
    write_file(dir.path() + "/b", "one");
    write_file(dir.path() + "/c", "two");
    const auto of = [&](const char* name) { return digest({dir.path() + "/" + name}, "flags"); };
    EXPECT_EQ(of("a").size(), 16U);
    EXPECT_EQ(of("a"), of("b"));
    EXPECT_NE(of("a"), of("c"));
    EXPECT_NE(of("a"), digest({dir.path() + "/a"}, "other flags"));
}

}  // namespace
}  // namespace capra::mutation
