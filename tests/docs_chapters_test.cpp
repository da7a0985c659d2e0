// The chapters in docs/: every command prints what the page shows, everything they name is there.
#include "isa/files.hpp"
#include "tests/docs_console.hpp"
#include "tests/docs_names.hpp"
#include "tests/temporary_directory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

namespace capra {
namespace {

namespace fs = std::filesystem;

class DocsChapter : public testing::TestWithParam<const char*> {
  protected:
    static std::string path() { return std::string(CAPRA_SOURCE "/docs/") + GetParam(); }
    static std::string text() { return read_file(path()); }
    static Page page() { return parse_page(text()); }
};

constexpr const char* kChapters[] = {
    "chapter-1-chip.md",   "chapter-2-matrix.md",  "chapter-3-compiler.md",
    "chapter-4-model.md",  "chapter-5-experts.md", "chapter-6-checks.md",
    "chapter-7-tables.md", "chapter-8-gates.md",   "chapter-9-dispatch.md"};

TEST_P(DocsChapter, prints_what_it_shows) {
    const TemporaryDirectory place;
    copy_project(CAPRA_SOURCE, CAPRA_BIN, CAPRA_BENCHES, place.path());
    const std::vector<ConsoleCommand> commands = commands_of(page());
    EXPECT_GE(commands.size(), 5U);
    for (const std::string& failure : failures_of(GetParam(), run_commands(commands, place.path())))
        ADD_FAILURE() << failure;
}

TEST_P(DocsChapter, shows_commands_only_where_they_are_run_or_named) {
    const ProjectNames names(CAPRA_SOURCE, CAPRA_BIN);
    const Page read = page();
    EXPECT_FALSE(read.open_fence);
    for (const FencedBlock& block : read.blocks) {
        const std::string at = std::string(GetParam()) + ":" + std::to_string(block.line);
        if (block.language == "sh") {
            for (const std::string& line : block.lines)
                EXPECT_TRUE(names.can_start(line)) << at << ": no such command: " << line;
            continue;
        }
        EXPECT_TRUE(block.language == "console" || block.language == "text")
            << at << ": what is " << block.language << "?";
        if (block.language == "console") continue;
        for (const std::string& line : block.lines)
            EXPECT_FALSE(line.starts_with("$ ") || line.starts_with("build/bin/")) << at << line;
    }
}

TEST_P(DocsChapter, has_sections_named_after_what_they_explain) {
    const ProjectNames names(CAPRA_SOURCE, CAPRA_BIN);
    std::size_t named = 0;
    for (const Heading& heading : page().headings) {
        for (const std::string& name : heading.names()) {
            EXPECT_TRUE(names.names_something(name))
                << GetParam() << ":" << heading.line << ": no " << name;
            ++named;
        }
        const bool of_the_frame = heading.text == "Check yourself" || heading.text == "Exercises";
        const bool needs_a_name = heading.level == 2 && !of_the_frame;
        EXPECT_FALSE(needs_a_name && heading.names().empty()) << GetParam() << ":" << heading.line;
    }
    EXPECT_GE(named, 4U);
}

TEST_P(DocsChapter, ends_with_questions_whose_answers_are_folded_and_exercises) {
    const std::vector<Heading> headings = page().headings;
    ASSERT_GE(headings.size(), 3U);
    EXPECT_EQ(headings.front().level, 1U);
    EXPECT_EQ((headings.end() - 2)->text, "Check yourself");
    EXPECT_EQ(headings.back().text, "Exercises");
    const std::vector<std::string> lines = lines_of(text());
    const auto count = [&](const std::string& line) {
        return std::count(lines.begin(), lines.end(), line);
    };
    EXPECT_GE(count("<details><summary>Answer</summary>"), 4);
    EXPECT_EQ(count("<details><summary>Answer</summary>"), count("</details>"));
}

TEST_P(DocsChapter, fits_a_page_of_100_columns) {
    const std::vector<std::string> lines = lines_of(text());
    EXPECT_GE(lines.size(), 150U);
    EXPECT_LE(lines.size(), 400U);
    std::set<std::size_t> printed;  // by a command, as wide as the tool makes it
    for (const FencedBlock& block : page().blocks)
        for (std::size_t i = 0; i < block.lines.size(); ++i)
            if (block.language == "console" && !block.lines[i].starts_with("$ "))
                printed.insert(block.line + i);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        EXPECT_LE(printed.contains(i) ? 0 : lines[i].size(), 100U) << GetParam() << ":" << i + 1;
        EXPECT_FALSE(lines[i].ends_with(' ')) << GetParam() << ":" << i + 1;
    }
}

TEST_P(DocsChapter, is_in_the_index) {
    const Page index = parse_page(read_file(CAPRA_SOURCE "/docs/README.md"));
    EXPECT_TRUE(std::any_of(index.links.begin(), index.links.end(),
                            [](const Link& link) { return link.target == GetParam(); }));
}

INSTANTIATE_TEST_SUITE_P(, DocsChapter, testing::ValuesIn(kChapters), [](const auto& chapter) {
    std::string name = chapter.param;
    name.resize(name.size() - 3);
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

TEST(DocsPages, every_chapter_is_tested) {
    std::vector<std::string> found;
    for (const fs::directory_entry& entry : fs::directory_iterator(CAPRA_SOURCE "/docs"))
        if (entry.path().filename().string().starts_with("chapter-"))
            found.push_back(entry.path().filename().string());
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found, std::vector<std::string>(std::begin(kChapters), std::end(kChapters)));
}

TEST(DocsPages, console_blocks_outside_the_chapters_print_what_they_show) {
    const TemporaryDirectory place;
    copy_project(CAPRA_SOURCE, CAPRA_BIN, CAPRA_BENCHES, place.path());
    for (const char* name : {"README.md", "docs/README.md"}) {
        const Page page = parse_page(read_file(std::string(CAPRA_SOURCE "/") + name));
        for (const std::string& failure :
             failures_of(name, run_commands(commands_of(page), place.path())))
            ADD_FAILURE() << failure;
    }
}

TEST(DocsPages, no_link_is_dead) {
    std::vector<std::string> pages{CAPRA_SOURCE "/README.md"};
    for (const fs::directory_entry& entry : fs::directory_iterator(CAPRA_SOURCE "/docs"))
        if (entry.path().extension() == ".md") pages.push_back(entry.path().string());
    for (const std::string& page : pages)
        for (const std::string& dead : dead_links(page, parse_page(read_file(page))))
            ADD_FAILURE() << dead;
}

}  // namespace
}  // namespace capra
