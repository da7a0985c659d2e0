// The checker of the chapters can say no: on a page of its own, with one thing wrong at a time.
#include "isa/files.hpp"
#include "tests/docs_console.hpp"
#include "tests/docs_names.hpp"
#include "tests/temporary_directory.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace capra {
namespace {

using Strings = std::vector<std::string>;

class DocsChecker : public testing::Test {
  protected:
    /// What the checker says about a page with this console block.
    Strings failures(const std::string& block) {
        const Page page = parse_page("# Page\n\n```console\n" + block + "```\n");
        return failures_of("page.md", run_commands(commands_of(page), directory_.path()));
    }

    void write(const std::string& name, const std::string& text) {
        const std::filesystem::path path = directory_.path() + "/" + name;
        std::filesystem::create_directories(path.parent_path());
        write_file(path.string(), text);
    }

    Strings dead(const std::string& text) {
        write("page.md", text);
        return dead_links(directory_.path() + "/page.md", parse_page(text));
    }

    TemporaryDirectory directory_;
};

TEST_F(DocsChecker, takes_a_page_that_is_right) {
    EXPECT_EQ(failures("$ echo one; echo two\none\ntwo\n$ printf 'a\\n\\nb\\n'\na\n\nb\n"),
              Strings{});
}

TEST_F(DocsChecker, says_where_a_line_is_wrong) {
    EXPECT_EQ(failures("$ echo one; echo two\none\ntoo\n"),
              Strings{"page.md:4: $ echo one; echo two\noutput line 2\n"
                      "  expected \"too\"\n  got      \"two\""});
}

TEST_F(DocsChecker, sees_a_line_too_many_and_a_line_too_few) {
    EXPECT_EQ(failures("$ echo one\none\ntwo\n"),
              Strings{"page.md:4: $ echo one\noutput line 2\n  expected \"two\"\n"
                      "  got      the end"});
    EXPECT_EQ(failures("$ echo one; echo two\none\n"),
              Strings{"page.md:4: $ echo one; echo two\noutput line 2\n  expected the end\n"
                      "  got      \"two\""});
}

TEST_F(DocsChecker, sees_a_command_that_fails_though_it_prints_what_is_shown) {
    EXPECT_EQ(failures("$ echo one; exit 3\none\n"),
              Strings{"page.md:4: $ echo one; exit 3\nexit status 3"});
    EXPECT_EQ(failures("$ false; echo $?\n1\n"), Strings{});
}

TEST_F(DocsChecker, compares_standard_error_too) {
    EXPECT_EQ(failures("$ echo bad >&2\nbad\n"), Strings{});
    EXPECT_EQ(failures("$ echo bad >&2\n").size(), 1U);
}

TEST_F(DocsChecker, lets_dots_stand_for_any_number_of_lines) {
    EXPECT_EQ(failures("$ seq 5\n1\n...\n5\n"), Strings{});
    EXPECT_EQ(failures("$ seq 5\n1\n...\n3\n...\n5\n"), Strings{});
    EXPECT_EQ(failures("$ seq 5\n...\n"), Strings{});
    EXPECT_EQ(failures("$ echo one\none\n...\n"), Strings{});
    EXPECT_EQ(failures("$ seq 5\n1\n...\n6\n"),
              Strings{"page.md:4: $ seq 5\noutput line 6\n  expected \"6\"\n  got      the end"});
    EXPECT_EQ(failures("$ seq 5\n1\n...\n3\n5\n"),
              Strings{"page.md:4: $ seq 5\noutput line 4\n  expected \"5\"\n  got      \"4\""});
}

TEST_F(DocsChecker, joins_continued_commands) {
    EXPECT_EQ(failures("$ echo one \\\n    two \\\n    three\none two three\n"), Strings{});
}

TEST_F(DocsChecker, runs_commands_in_order_in_one_place) {
    EXPECT_EQ(failures("$ echo kept > file\n$ cat file\nkept\n"), Strings{});
    EXPECT_TRUE(std::filesystem::exists(directory_.path() + "/file"));
}

TEST_F(DocsChecker, reports_every_command_that_is_wrong) {
    EXPECT_EQ(failures("$ echo one\ntwo\n$ echo one\none\n$ false\n").size(), 2U);
}

TEST_F(DocsChecker, wants_a_command_before_its_output) {
    EXPECT_THROW(failures("one\n$ echo one\n"), std::runtime_error);
}

TEST_F(DocsChecker, runs_console_blocks_alone) {
    EXPECT_TRUE(commands_of(parse_page("```text\n$ false\n```\n\n$ false\n")).empty());
}

TEST_F(DocsChecker, writes_what_commands_print_now_where_the_page_shows_something_else) {
    const std::string before =
        "text\n```console\n$ echo one \\\n    two\n$ seq 3\n1\n2\n$ echo right\nright\n"
        "$ seq 9\n1\n...\n8\n$ true\nnothing\n```\n\n```text\n$ seq 3\n```\n";
    const std::string after =
        "text\n```console\n$ echo one \\\n    two\none two\n$ seq 3\n1\n2\n3\n$ echo right\nright\n"
        "$ seq 9\n1\n...\n8\n$ true\n```\n\n```text\n$ seq 3\n```\n";
    const auto results = run_commands(commands_of(parse_page(before)), directory_.path());
    EXPECT_EQ(with_output(before, results), after);
    const auto again = run_commands(commands_of(parse_page(after)), directory_.path());
    EXPECT_EQ(with_output(after, again), after);
    EXPECT_EQ(failures_of("page.md", again).size(), 1U) << "what is left out is left to a person";
}

TEST_F(DocsChecker, finds_dead_links) {
    write("other.md", "# A page\n\n## `capra run`: one program\n\n## Twice\n\n## Twice\n");
    EXPECT_EQ(dead("[a](other.md) [b](other.md#capra-run-one-program) [c](other.md#twice-1)\n"
                   "[d](https://example.org/x) [e](#here)\n\n# Here\n"),
              Strings{});
    const std::string page = directory_.path() + "/page.md";
    EXPECT_EQ(dead("text\n[a](another.md)\n"), Strings{page + ":2: no another.md"});
    EXPECT_EQ(dead("[a](other.md#twice-2)\n"), Strings{page + ":1: no other.md#twice-2"});
    EXPECT_EQ(dead("![a](picture.svg)\n"), Strings{page + ":1: no picture.svg"});
    EXPECT_EQ(dead("```text\n[a](another.md)\n```\n"), Strings{});
}

TEST_F(DocsChecker, takes_headings_outside_of_blocks) {
    const Page page = parse_page("# One\n```text\n# no heading\n```\n## `a.v`: `b c`\n#none\n");
    ASSERT_EQ(page.headings.size(), 2U);
    EXPECT_EQ(page.headings[0].text, "One");
    EXPECT_EQ(page.headings[1].level, 2U);
    EXPECT_EQ(page.headings[1].line, 5U);
    EXPECT_EQ(page.headings[1].names(), (Strings{"a.v", "b c"}));
    EXPECT_TRUE(parse_page("```text\nnever closed\n").open_fence);
    EXPECT_EQ(parse_page("# never `closed\n").headings[0].names(), Strings{});
    EXPECT_TRUE(parse_page("[never](closed\n").links.empty());
}

TEST_F(DocsChecker, knows_what_the_project_has) {
    const ProjectNames names(CAPRA_SOURCE, CAPRA_BIN);
    for (const char* there :
         {"control.v", "rtl/control.v", "ch17_run", "capra verify", "isagen manual", "exec_mm",
          "quantise", "memory_image", "ChipDecoder", "Shrinker", "lower_matmul", "shrink",
          "systolic_array", "mutrun", "examples/add.s"})
        EXPECT_TRUE(names.names_something(there)) << there;
    for (const char* missing :
         {"control.vhd", "tb/control.v", "ch17_ran", "capra certify", "isagen poem", "exec_nop",
          "Decoder", "return", "if", "lower_nothing", "make_pair", "capra run it", ""})
        EXPECT_FALSE(names.names_something(missing)) << missing;
}

TEST_F(DocsChecker, knows_which_commands_can_be_started) {
    const ProjectNames names(CAPRA_SOURCE, CAPRA_BIN);
    for (const char* there : {"make mutants", "build/bin/capra fuzz --programs 5",
                              "build/bin/mutrun --list", "scripts/wave.sh build"})
        EXPECT_TRUE(names.can_start(there)) << there;
    for (const char* missing : {"make money", "make", "build/bin/capra fizz", "build/bin/nothing",
                                "scripts/wave.py", "nothing at all", ""})
        EXPECT_FALSE(names.can_start(missing)) << missing;
}

TEST_F(DocsChecker, copies_a_project_without_what_was_built) {
    write("project/isa/a.cpp", "a");
    write("project/build/bin/tool", "b");
    write("project/build-asan/x", "x");
    write("project/.git/x", "x");
    write("benches/b", "b");
    const std::string copy = directory_.path() + "/copy";
    std::filesystem::create_directory(copy);
    copy_project(directory_.path() + "/project", directory_.path() + "/project/build/bin",
                 directory_.path() + "/benches", copy);
    EXPECT_EQ(read_file(copy + "/isa/a.cpp"), "a");
    EXPECT_EQ(read_file(copy + "/build/bin/tool"), "b");
    EXPECT_EQ(read_file(copy + "/build/tb/b"), "b");
    EXPECT_FALSE(std::filesystem::exists(copy + "/build-asan"));
    EXPECT_FALSE(std::filesystem::exists(copy + "/.git"));
    write_file(copy + "/isa/a.cpp", "changed");
    EXPECT_EQ(read_file(directory_.path() + "/project/isa/a.cpp"), "a");
}

}  // namespace
}  // namespace capra
