// Verdicts kept between runs.
#include "isa/files.hpp"
#include "mutation/cpp_suite.hpp"
#include "mutation/digest.hpp"
#include "mutation/journal.hpp"
#include "mutation/rtl_fingerprint.hpp"
#include "mutation/trial_json.hpp"
#include "tests/temporary_directory.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

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

/// What a verdict depends on: each file, each name, the program itself and its flags.
TEST(MutationFingerprint, of_rtl_it_changes_with_design_benches_program_and_flags) {
    const TemporaryDirectory dir;
    const auto write = [&](const std::string& name, const std::string& text) {
        const std::filesystem::path path = dir.path() + "/" + name;
        std::filesystem::create_directories(path.parent_path());
        write_file(path, text);
    };
    const auto fingerprint = [&](const std::string& flags = "") {
        return rtl_fingerprint(dir.path() + "/program", dir.path(), flags);
    };
    write("rtl/a.v", "a");
    write("tb/a_tb.v", "a check");
    write("program", "p");
    std::set<std::string> seen = {fingerprint()};
    EXPECT_EQ(fingerprint(), *seen.begin()) << "nothing has changed";
    seen.insert(fingerprint("full"));
    write("tb/a_tb.v", "no check");
    seen.insert(fingerprint());
    write("rtl/a.v", "b");
    seen.insert(fingerprint());
    write("program", "q");
    seen.insert(fingerprint());
    std::filesystem::rename(dir.path() + "/tb/a_tb.v", dir.path() + "/tb/b_tb.v");
    seen.insert(fingerprint());
    EXPECT_EQ(seen.size(), 6U);
}

TEST(MutationFingerprint, of_cpp_it_changes_with_the_judge) {
    const TemporaryDirectory dir;
    write_file(dir.path() + "/mutants.json", "[]");
    const CppSuite suite({.judge = dir.path() + "/judge", .mutants = dir.path() + "/mutants.json"});
    write_file(dir.path() + "/judge", "one");
    const std::string before = suite.fingerprint();
    EXPECT_EQ(suite.fingerprint(), before);
    write_file(dir.path() + "/judge", "two");
    EXPECT_NE(suite.fingerprint(), before);
}

}  // namespace
}  // namespace capra::mutation
