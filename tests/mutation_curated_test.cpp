// The list of curated mutants: read strictly, found by its anchors, applied to the byte.
#include "isa/error.hpp"
#include "isa/files.hpp"
#include "mutation/curated.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace capra::mutation {
namespace {

/// One mutant as the file writes it, with some of its text replaced.
std::string listed(const std::string& what = "", const std::string& by = "") {
    std::string text =
        R"({"id": "chapter/a", "file": "model/x.cpp", "anchor": "old", "replacement": "new",)"
        R"( "what": "A mistake.", "checks": ["ch17_run"], "expect": "killed"})";
    if (!what.empty()) text.replace(text.find(what), what.size(), by);
    return text;
}

/// The three controls a list has to have.
std::string controls() {
    const auto control = [](const std::string& id, const std::string& expect) {
        return R"({"id": "chapter/)" + id +
               R"(", "file": "x", "anchor": "a", "replacement": "b",)"
               R"( "what": "w", "checks": ["ch17_run"], "expect": ")" +
               expect + "\"}";
    };
    return control("dies", "killed") + "," + control("lives", "survived") + "," +
           control("nowhere", "not applied");
}

std::string file_of(const std::string& mutants, const std::string& control_list = controls()) {
    return R"({"mutants": [)" + mutants + R"(], "controls": [)" + control_list + "]}";
}

std::string error_of(const std::string& text) {
    try {
        parse_curated(text, "f");
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

CuratedMutant with_anchor(const std::string& anchor) {
    CuratedMutant mutant = parse_curated(file_of(listed()), "f").mutants.front();
    mutant.anchor = anchor;
    return mutant;
}

TEST(Curated, a_mutant_is_read_as_written) {
    const auto list =
        parse_curated(file_of(listed() + "," + listed("a\", \"file", "b\", \"file")), "f");
    const auto& mutants = list.mutants;
    ASSERT_EQ(mutants.size(), 2U);
    EXPECT_EQ(mutants[0].id, "chapter/a");
    EXPECT_EQ(mutants[0].file, "model/x.cpp");
    EXPECT_EQ(mutants[0].anchor, "old");
    EXPECT_EQ(mutants[0].replacement, "new");
    EXPECT_EQ(mutants[0].what, "A mistake.");
    EXPECT_EQ(mutants[0].checks, std::vector{CheckProgram::ch17_run});
    EXPECT_EQ(mutants[0].expect, Verdict::killed);
    EXPECT_EQ(mutants[1].id, "chapter/b");
}

TEST(Curated, an_equivalent_has_a_reason_and_nothing_else_has) {
    const auto equivalent = parse_curated(
        file_of(listed("\"killed\"", R"("equivalent", "reason": "Both are 0.")")), "f");
    EXPECT_EQ(equivalent.mutants.front().expect, Verdict::equivalent);
    EXPECT_EQ(equivalent.mutants.front().reason, "Both are 0.");
    const std::string error =
        "f: $.mutants[0]: mutant \"chapter/a\": an equivalent has a reason, and nothing else has";
    EXPECT_EQ(error_of(file_of(listed("\"killed\"", "\"equivalent\""))), error);
    EXPECT_EQ(error_of(file_of(listed("\"killed\"", R"("killed", "reason": "r")"))), error);
}

TEST(Curated, what_is_wrong_is_said_with_its_place) {
    const auto expect_refused = [](const std::string& what, const std::string& by,
                                   const std::string& path) {
        const std::string error = error_of(file_of(listed(what, by)));
        EXPECT_EQ(error.substr(0, 3 + path.size() + 2), "f: " + path + ": ") << error;
    };
    expect_refused("chapter/a", "rtl/a", "$.mutants[0].id");
    expect_refused("chapter/a", "chapter/", "$.mutants[0].id");
    expect_refused("chapter/a", "chapter/A", "$.mutants[0].id");
    expect_refused("model/x.cpp", "/model/x.cpp", "$.mutants[0].file");
    expect_refused("model/x.cpp", "../x.cpp", "$.mutants[0].file");
    expect_refused("model/x.cpp", "model/../../x.cpp", "$.mutants[0].file");
    expect_refused("model/x.cpp", "", "$.mutants[0].file");
    expect_refused("old", "", "$.mutants[0].anchor");
    expect_refused("new", "old", "$.mutants[0].replacement");
    expect_refused("new", "", "$.mutants[0].replacement");
    expect_refused("new", "a\\nb", "$.mutants[0].replacement");
    expect_refused("A mistake.", "", "$.mutants[0].what");
    expect_refused("\"ch17_run\"", "", "$.mutants[0].checks");
    expect_refused("\"ch17_run\"", "\"unit\"", "$.mutants[0].checks[0]");
    expect_refused("\"ch17_run\"", R"("ch17_run", "ch17_run")", "$.mutants[0].checks[1]");
    expect_refused("\"killed\"", "\"survived\"", "$.mutants[0].expect");
    expect_refused("\"what\"", "\"why\"", "$.mutants[0].why");
    expect_refused("\"expect\": \"killed\"", "\"expect\": 1", "$.mutants[0].expect");
}

TEST(Curated, an_empty_list_a_repeated_id_and_unknown_keys_are_refused) {
    EXPECT_EQ(error_of(file_of(listed())), "no error");
    EXPECT_NE(error_of(file_of("")).find("$.mutants"), std::string::npos);
    EXPECT_EQ(error_of(file_of(listed() + "," + listed())),
              "f: $.mutants[1].id: mutant \"chapter/a\": this id is given twice");
    EXPECT_NE(error_of(R"({"mutants": [], "controls": [], "more": 1})").find("more"),
              std::string::npos);
    EXPECT_NE(error_of(file_of(listed()) + "x"), "no error");
}

TEST(Curated, there_is_one_control_of_each_kind) {
    const std::string all = controls();
    const std::size_t second = all.find("},{") + 2;
    EXPECT_EQ(parse_curated(file_of(listed()), "f").controls.size(), 3U);
    EXPECT_EQ(error_of(file_of(listed(), all.substr(second))).substr(0, 13), "f: $.controls");
    EXPECT_EQ(
        error_of(file_of(listed(), all + "," + listed("chapter/a", "chapter/b"))).substr(0, 13),
        "f: $.controls")
        << "two that must die";
    EXPECT_NE(error_of(file_of(listed(), listed())).find("this id is given twice"),
              std::string::npos);
}

TEST(Curated, an_anchor_is_counted_wherever_it_is) {
    EXPECT_EQ(locate(with_anchor("ab"), "").matches, 0U);
    EXPECT_EQ(locate(with_anchor("ab"), "a b").matches, 0U);
    EXPECT_EQ(locate(with_anchor("ab"), "ab").matches, 1U);
    EXPECT_EQ(locate(with_anchor("ab"), "ab ab").matches, 2U);
    EXPECT_EQ(locate(with_anchor("aa"), "aaa").matches, 2U) << "overlapping";
}

TEST(Curated, a_mutant_knows_its_place) {
    const auto first = locate(with_anchor("ab"), "ab\n").mutant;
    EXPECT_EQ(first.id, "chapter/a");
    EXPECT_EQ(first.suite, "chapter");
    EXPECT_EQ(first.file, "model/x.cpp");
    EXPECT_EQ(first.original, "ab");
    EXPECT_EQ(first.replacement, "new");
    EXPECT_EQ(std::pair(first.line, first.column), (std::pair{1U, 1U}));
    EXPECT_EQ(std::pair(first.begin, first.end), (std::pair<std::size_t, std::size_t>{0, 2}));
    const auto later = locate(with_anchor("b\nc"), "\n xb\ncy\n").mutant;
    EXPECT_EQ(std::pair(later.line, later.column), (std::pair{2U, 3U}));
    EXPECT_EQ(std::pair(later.begin, later.end), (std::pair<std::size_t, std::size_t>{3, 6}));
}

TEST(Curated, a_mutant_replaces_its_span_and_nothing_else) {
    const std::string text = "\n xb\ncy\n";
    const auto mutant = locate(with_anchor("b\nc"), text).mutant;
    EXPECT_EQ(apply_mutant(text, mutant), "\n xnewy\n");
    EXPECT_THROW(apply_mutant("\n xB\ncy\n", mutant), Error);
    EXPECT_THROW(apply_mutant("\n xb\n", mutant), Error);
    EXPECT_THROW(apply_mutant("", mutant), Error);
}

/// The chapter's own list: sixteen mistakes and two listed apart, each in one place of the source.
TEST(ChapterMutants, all_apply_to_the_project) {
    const std::string list = CAPRA_SOURCE "/mutation/chapter.json";
    const auto mutants = parse_curated(read_file(list), list).mutants;
    EXPECT_EQ(mutants.size(), 29U);
    for (const auto& mutant : mutants) {
        const std::string text = read_file(CAPRA_SOURCE "/" + mutant.file);
        EXPECT_EQ(locate(mutant, text).matches, 1U) << mutant.id;
    }
}

}  // namespace
}  // namespace capra::mutation
