// The page of a report: complete without a script, escaped, and in need of nothing else.
#include "isa/files.hpp"
#include "report/page.hpp"
#include "report_support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

namespace capra::report {
namespace {

bool holds(std::string_view text, std::string_view what) {
    return text.find(what) != std::string_view::npos;
}

std::size_t count(std::string_view text, std::string_view what) {
    std::size_t found = 0;
    for (std::size_t at = text.find(what); at != std::string_view::npos;
         at = text.find(what, at + 1))
        ++found;
    return found;
}

Data all() {
    return {"a/out.json",
            {single(), routed()},
            {{"law", true, "2 of 2"}, {"other_law", false, "1 of 2"}},
            {diverged(), passed()}};
}

/// Between two texts, the second looked for behind the first.
std::string part(const std::string& text, std::string_view from, std::string_view to) {
    const std::size_t begin = text.find(from);
    if (begin == std::string::npos) return "";
    return text.substr(begin, text.find(to, begin) - begin);
}

TEST(ReportPage, every_section_has_its_heading_and_its_figures) {
    const std::string html = page_html(all());
    for (const char* heading :
         {"Cost in cycles", "Where the cycles go", "Timeline of one step",
          "Routes: which expert, and how clearly", "Roofline: words moved against cycles",
          "Engine agreement", "Checks"})
        EXPECT_TRUE(holds(html, std::string("<h2>") + heading + "</h2>")) << heading;
    for (const char* id : {"parts", "timeline-0", "timeline-1", "scores", "margins", "roofline"})
        EXPECT_TRUE(holds(html, "<canvas id=\"" + std::string(id) + "\" tabindex=\"0\"")) << id;
    EXPECT_TRUE(holds(html, "out.json: single, routed decoders, 1 step from token 0"));
    EXPECT_FALSE(holds(html, "a/out.json")) << "where a file was is of no interest to a reader";
    EXPECT_TRUE(holds(html, "Step 2 of the routed decoder"));
    EXPECT_TRUE(holds(html, "Program B0: 2 instructions in 1,302 cycles"));
}

TEST(ReportPage, figures_have_separators_and_the_ratio_is_to_the_cheapest) {
    const std::string html = page_html(all());
    const std::string row = part(html, "<th scope=\"row\">routed</th>", "</tr>");
    EXPECT_EQ(row,
              "<th scope=\"row\">routed</th><td>1,396</td><td>1,411</td><td>2,807</td>"
              "<td>18.35</td><td>4</td><td>3</td><td>3,072</td>");
}

TEST(ReportPage, the_heat_map_marks_the_chip_s_expert_and_a_different_one_of_the_float_model) {
    const std::string html = page_html(all());
    const std::string map =
        part(html, "aria-label=\"Router scores by step and expert\"", "</table>");
    EXPECT_EQ(count(map, "chosen by the chip"), 2U);
    EXPECT_EQ(count(map, "chosen by the float model"), 1U);
    EXPECT_EQ(count(map, "ran as well"), 0U);
    EXPECT_TRUE(holds(
        map, "<td class=\"heat h6 chosen\"><b title=\"chosen by the chip\">&#9679;</b>2.00</td>"));
    EXPECT_TRUE(holds(map, "<td class=\"heat h0\">-1.00</td>"));
    Data two = all();
    two.decoders[1].steps[0].routing->experts = {2, 0};
    EXPECT_TRUE(holds(page_html(two), "<b title=\"ran as well\">&#9675;</b>0.50</td>"));
}

TEST(ReportPage, every_table_has_its_heads_and_rows) {
    Data data = all();
    data.decoders[1].steps.push_back(data.decoders[1].steps.front());
    data.decoders[1].runs.push_back({3, "A3", cost(1, 2, 3)});
    const std::string html = page_html(data);
    const auto table = [&](const std::string& name) {
        return part(html, "aria-label=\"" + name + "\"", "</table>");
    };
    const std::string map = table("Router scores by step and expert");
    EXPECT_TRUE(holds(map,
                      "<th scope=\"col\">step</th><th scope=\"col\">token</th>"
                      "<th scope=\"col\">expert 0</th><th scope=\"col\">expert 1</th>"
                      "<th scope=\"col\">expert 2</th></tr>"))
        << map;
    EXPECT_TRUE(holds(map, "<tr><th scope=\"row\">2</th><td>3</td><td class=\"heat "));
    EXPECT_EQ(count(map, "<tr>"), 1U + 3);
    const std::string margins = table("Routes and margins by step");
    EXPECT_EQ(count(margins, "<tr>"), 1U + 3);
    EXPECT_TRUE(holds(margins,
                      "<tr><th scope=\"row\">2</th><td>3</td><td>2</td><td>0</td><td>0.25</td>"
                      "<td>1</td><td>0.12</td><td>0.166</td><td>1</td><td>0.010</td></tr>"))
        << margins;
    EXPECT_TRUE(holds(table("Cost of every program"),
                      "<tr><th scope=\"row\">A3</th><td>attention and router, step 3</td>"
                      "<td>6</td><td>1</td><td>2</td><td>2</td><td>1</td><td>2</td><td>1</td>"
                      "<td>3</td><td>4</td></tr>"));
    EXPECT_TRUE(holds(table("Instructions of program B0"),
                      "<tr><th scope=\"row\">1</th><td>1,300</td><td>1,302</td><td>2</td>"
                      "<td>control</td><td><code>HALT</code></td></tr>"));
    EXPECT_TRUE(holds(table("Intensity and performance of the programs"),
                      "<tr><th scope=\"row\">B0x2</th><td>expert, 2 tokens at once</td>"
                      "<td>60</td><td>43</td><td>195</td><td>1.40</td><td>0.308</td></tr>"));
    EXPECT_TRUE(holds(table("Engines compared with the C++ machine"),
                      "<tr><th scope=\"row\">icarus</th><td>routed</td>"
                      "<td><span class=\"good\">equal</span></td><td>4</td><td>2,811</td>"
                      "<td>17</td><td>1,234</td></tr>"));
    EXPECT_TRUE(holds(table("Checks"),
                      "<tr><th scope=\"row\"><span class=\"good\">holds</span></th>"
                      "<td><code>law</code></td><td>2 of 2</td></tr>"));
    EXPECT_TRUE(holds(html, "<dt>Routes</dt><dd>2 of 3<small>as the float model chooses"));
}

TEST(ReportPage, a_chart_of_bars_grows_with_them) {
    const auto height = [](const Data& data) {
        return part(page_html(data), "<div class=\"chart\" style=\"height:", "\">");
    };
    EXPECT_EQ(height({.file = "", .decoders = {single()}}),
              "<div class=\"chart\" style=\"height:144px");
    EXPECT_EQ(height(all()), "<div class=\"chart\" style=\"height:280px") << "five bars";
}

TEST(ReportPage, a_heat_map_of_more_than_six_experts_has_the_width_for_itself) {
    const auto with_experts = [](std::uint32_t experts) {
        Data data{.file = "", .decoders = {routed()}};
        data.decoders[0].experts = experts;
        for (Step& step : data.decoders[0].steps) step.routing->scores.resize(experts);
        return page_html(data);
    };
    EXPECT_TRUE(holds(with_experts(6), "<div class=\"columns\">"));
    EXPECT_TRUE(holds(with_experts(7), "<div class=\"columns many\">"));
}

TEST(ReportPage, a_failure_stands_at_the_top_and_in_its_table) {
    const std::string html = page_html(all());
    EXPECT_TRUE(holds(html, "<div class=\"failed\"><dt>Engines</dt><dd>1 of 2"));
    EXPECT_TRUE(holds(html, "<div class=\"failed\"><dt>Checks</dt><dd>1 of 2"));
    EXPECT_TRUE(holds(html, "first difference: program 0 A1: &lt;acc&gt; cell 3</td>"));
    EXPECT_EQ(count(html, ">DIFFERENT<"), 1U);
    EXPECT_EQ(count(html, ">FAILS<"), 1U);
    Data good = all();
    good.replays = {passed()};
    good.checks.pop_back();
    EXPECT_EQ(count(page_html(good), "class=\"failed\""), 0U);
    EXPECT_FALSE(holds(page_html(good), "first difference"));
}

TEST(ReportPage, what_a_run_does_not_have_has_no_section) {
    const std::string html = page_html({.file = "d.json", .decoders = {single()}});
    for (const char* heading : {"<h2>Routes", "<h2>Engine", "<h2>Checks", "<dt>Routes",
                                "<dt>Engines", "<dt>Checks", "priced by the verifier"})
        EXPECT_FALSE(holds(html, heading)) << heading;
    EXPECT_TRUE(holds(page_html(all()), "Here: B0x2 with 2 tokens, priced by the verifier"));
    EXPECT_FALSE(holds(html, "<!--"));
}

/// The page without the library's own text, which names its home in a comment.
std::string own_text(const std::string& html) {
    const std::string library = read_file(CAPRA_CHART_JS);
    const std::size_t at = html.find(library);
    EXPECT_NE(at, std::string::npos) << "the library is not in the page as it is packaged";
    return at == std::string::npos ? html : html.substr(0, at) + html.substr(at + library.size());
}

TEST(ReportPage, nothing_in_it_is_loaded_from_elsewhere) {
    const std::string html = own_text(page_html(all()));
    for (const char* reference : {"http:", "https:", "//cdn", " src=", " href=", "@import", "url(",
                                  "<link", "<iframe", "import(", "fetch(", "XMLHttpRequest"})
        EXPECT_FALSE(holds(html, reference)) << reference;
    EXPECT_TRUE(holds(html,
                      "content=\"default-src 'none'; style-src 'unsafe-inline'; "
                      "script-src 'unsafe-inline';\n  base-uri 'none'; form-action 'none'\""));
}

TEST(ReportPage, no_text_of_a_file_becomes_markup_or_ends_a_script) {
    const std::string evil = "</script><!--data--><b>&\"'";
    Data data = all();
    data.file = "<b>&.json";
    for (Decoder& decoder : data.decoders) {
        decoder.name = evil;
        for (report::Run& run : decoder.runs) run.name = evil;
        for (Grouped& grouped : decoder.grouped) grouped.name = evil;
        for (ProgramTimeline& program : decoder.timeline.programs) {
            program.name = evil;
            for (Slice& slice : program.slices) slice.text = evil;
        }
    }
    for (Check& check : data.checks) check = {evil, false, evil};
    for (Replay& replay : data.replays) replay = {evil, evil, false, 1, 1, 1, 1, evil};
    const std::string html = own_text(page_html(data));
    EXPECT_EQ(count(html, "</script>"), 5U) << "the data, the library, the page's own three";
    EXPECT_FALSE(holds(html, "<b>&"));
    EXPECT_FALSE(holds(html, "<!--"));
    EXPECT_FALSE(holds(html, "\"'<")) << "no attribute is left early";
    EXPECT_TRUE(holds(html, "&lt;/script&gt;&lt;!--data--&gt;&lt;b&gt;&amp;&quot;&#39;"));
    EXPECT_TRUE(holds(html, "\\u003c/script>"));
}

TEST(ReportPage, elements_that_are_opened_are_closed) {
    const std::string html = own_text(page_html(all()));
    for (const std::string tag :
         {"table", "tr", "td", "th", "section", "figure", "details", "div", "dl", "p", "main"})
        EXPECT_EQ(count(html, "<" + tag + ">") + count(html, "<" + tag + " "),
                  count(html, "</" + tag + ">"))
            << tag;
}

}  // namespace
}  // namespace capra::report
