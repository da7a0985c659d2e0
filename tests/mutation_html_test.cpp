// The page that a campaign writes: complete, escaped, and in need of nothing else.
#include "mutation/html_report.hpp"
#include "mutation_report_support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

namespace capra::mutation {
namespace {

std::size_t count(std::string_view text, std::string_view what) {
    std::size_t found = 0;
    for (std::size_t at = text.find(what); at != std::string_view::npos;
         at = text.find(what, at + 1))
        ++found;
    return found;
}

bool holds(std::string_view text, std::string_view what) {
    return text.find(what) != std::string_view::npos;
}

TEST(MutationHtml, names_everything_that_somebody_has_to_look_at) {
    CampaignResult result{.trials = one_of_each(), .distrust = {"control: <x>"}};
    result.trials.push_back(unplaced());
    const std::string html = report_html(result, sources());
    const std::string list = html.substr(html.find("<h2>Seen by no check"));
    const std::string open = list.substr(0, list.find("</section>"));
    for (const char* verdict : {"survived", "not reached", "timeout", "not applied"})
        EXPECT_TRUE(holds(open, std::string("<b class=\"verdict\">") + verdict)) << verdict;
    EXPECT_FALSE(holds(open, ">killed")) << open;
    EXPECT_FALSE(holds(open, ">equivalent"));
    EXPECT_TRUE(holds(open, "<a href=\"#rtl/x.v:2\">rtl/x.v:2:9</a> relational"));
    EXPECT_TRUE(holds(html, " id=\"rtl/x.v:2\""));
    EXPECT_TRUE(holds(html, "40.00 %")) << "raw";
    EXPECT_TRUE(holds(html, "50.00 %")) << "adjusted";
    EXPECT_TRUE(holds(html, "<li>control: &lt;x&gt;</li>"));
}

TEST(MutationHtml, a_file_shows_its_source_and_counts_each_line_s_verdicts) {
    std::vector<Trial> trials = one_of_each();
    trials.push_back(planted(Verdict::killed));
    const std::string html = report_html({.trials = trials}, sources());
    const std::string file = html.substr(html.find("<details class=\"file\""));
    EXPECT_TRUE(holds(file, "<pre><i>1</i>module x;</pre>"));
    EXPECT_TRUE(holds(file, "<pre><i>3</i>endmodule</pre>"));
    const std::string line = file.substr(file.find("<details class=\"line survived\""));
    const std::string summary = line.substr(0, line.find("</summary>"));
    EXPECT_TRUE(holds(summary, "<i>2</i>  if (a &lt; b &amp;&amp; &quot;&lt;/script&gt;&quot;)"));
    EXPECT_TRUE(holds(summary, ">2 killed<"));
    EXPECT_TRUE(holds(summary, ">1 survived<"));
    EXPECT_TRUE(holds(summary, ">1 not reached<"));
    EXPECT_EQ(count(line, "<div class=\"mutant "), trials.size());
    EXPECT_TRUE(holds(line, "by A1, model_tests/Graphs.law</p>"));
    EXPECT_TRUE(holds(line, "<del>- if (a <u>&lt;</u> b"));
    EXPECT_TRUE(holds(line, "<ins>+ if (a <u>&lt;=</u> b"));
}

TEST(MutationHtml, no_text_of_a_campaign_becomes_markup) {
    Trial trial = planted(Verdict::survived);
    const std::string evil = "<b>&\"'</script><!--files-->";
    trial.mutant.file = trial.mutant.op = trial.mutant.suite = evil;
    trial.mutant.original = trial.mutant.replacement = trial.detail = evil;
    trial.killers = {evil};
    for (const Sources& text : {Sources{}, Sources{{evil, evil + "\n" + evil}}}) {
        const std::string html = report_html({.trials = {trial}, .distrust = {evil}}, text);
        EXPECT_FALSE(holds(html, "<b>&"));
        EXPECT_FALSE(holds(html, "\"'<"));
        EXPECT_EQ(count(html, "</script>"), 1U) << "the page's own";
        EXPECT_FALSE(holds(html, "<!--")) << "no placeholder is left, and none came in";
        EXPECT_TRUE(holds(html, "&lt;b&gt;&amp;&quot;&#39;&lt;/script&gt;&lt;!--files--&gt;"));
    }
}

TEST(MutationHtml, elements_that_are_opened_are_closed) {
    CampaignResult result{.trials = one_of_each(), .distrust = {"x"}, .parts = {{1, 2}}};
    result.trials.push_back(unplaced());
    const std::string html = report_html(result, sources());
    for (const std::string tag :
         {"html",  "head",  "body",  "main", "section", "div",  "details", "summary",  "table",
          "thead", "tbody", "tfoot", "tr",   "th",      "td",   "p",       "b",        "pre",
          "code",  "span",  "a",     "dl",   "ul",      "li",   "form",    "fieldset", "label",
          "del",   "ins",   "u",     "i",    "script",  "style"})
        EXPECT_EQ(count(html, "<" + tag + ">") + count(html, "<" + tag + " "),
                  count(html, "</" + tag + ">"))
            << tag;
}

TEST(MutationHtml, needs_no_network) {
    const std::string html = report_html({.trials = one_of_each()}, sources());
    for (const char* what : {"http://", "https://", " src=", "url(", "@import", "<link"})
        EXPECT_FALSE(holds(html, what)) << what;
    EXPECT_TRUE(holds(html, "default-src 'none'")) << "the browser enforces it";
}

TEST(MutationHtml, every_verdict_can_be_hidden) {
    const std::string html = report_html({.trials = one_of_each()}, sources());
    for (std::size_t i = 0; i < kVerdicts; ++i) {
        std::string name(verdict_name(static_cast<Verdict>(i)));
        std::ranges::replace(name, ' ', '-');
        EXPECT_TRUE(holds(html, "value=\"" + name + "\" checked")) << name;
        EXPECT_TRUE(holds(html, ".hide-" + name + " .mutant." + name)) << name;
        EXPECT_TRUE(holds(html, ".hide-" + name + " .count." + name)) << name;
    }
    EXPECT_TRUE(holds(html, "<form hidden>")) << "which takes the script";
}

TEST(MutationHtml, three_thousand_mutants_make_less_than_3_MB) {
    std::string text;
    for (int line = 0; line < 200; ++line)
        text += "    assign some_signal_" + std::to_string(line) + " = first_operand + second;\n";
    CampaignResult result;
    Sources many;
    for (int file = 0; file < 30; ++file)
        for (std::uint32_t m = 0; m < 100; ++m) {
            Trial trial = planted(Verdict::killed);
            const std::string name = "rtl/" + std::to_string(file) + ".v";
            many[name] = text;
            const std::size_t begin = text.find("first", std::size_t{m} * 100);
            trial.mutant.file = name;
            trial.mutant.begin = begin;
            trial.mutant.end = begin + 5;
            trial.mutant.original = "first";
            trial.mutant.line = static_cast<std::uint32_t>(
                1 +
                std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(begin), '\n'));
            trial.detail = "program 3 (A8): instruction 17, cycle 1201: expected 12, got -3";
            result.trials.push_back(trial);
        }
    EXPECT_LT(report_html(result, many).size(), 3'000'000U);
}

}  // namespace
}  // namespace capra::mutation
