#include "report/page.hpp"

#include "isa/html.hpp"
#include "isa/thousands.hpp"
#include "report/charts.hpp"
#include "report/routes.hpp"
#include "report/shown.hpp"
#include "report/tables.hpp"
#include "report_parts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

namespace capra::report {
namespace {

/// A chart with a name for screen readers, a line that tells what the keyboard has selected, and
/// the same figures as a table.
std::string chart(std::string_view id, std::string_view name, std::size_t height,
                  const std::string& figures) {
    return fmt::format(
        "<figure>\n<div class=\"chart\" style=\"height:{2}px\"><canvas id=\"{0}\" tabindex=\"0\" "
        "role=\"application\" aria-roledescription=\"chart\" aria-label=\"{1}; the figures are in "
        "the table below it\"></canvas></div>\n"
        "<figcaption class=\"readout\" aria-live=\"polite\"></figcaption>\n</figure>\n"
        "<details><summary>The figures as a table</summary>\n{3}</details>\n",
        id, name, height, figures);
}

/// A figure at the top of the page.
std::string card(std::string_view what, const std::string& value, const std::string& note,
                 bool good) {
    return fmt::format("<div{}><dt>{}</dt><dd>{}<small>{}</small></dd></div>\n",
                       good ? "" : " class=\"failed\"", what, value, note);
}

std::string subject(const Data& data) {
    std::vector<std::string> names;
    for (const Decoder& decoder : data.decoders) names.push_back(html_escaped(decoder.name));
    const Decoder& first = data.decoders.front();
    const std::string what =
        data.about.empty()
            ? fmt::format("{} decoder{}", fmt::join(names, ", "), names.size() == 1 ? "" : "s")
            : html_escaped(data.about);
    return fmt::format("{}: {}, {} step{} from token {}",
                       html_escaped(std::filesystem::path(data.file).filename().string()), what,
                       first.steps.size(), first.steps.size() == 1 ? "" : "s",
                       first.steps.front().input);
}

std::string cards(const Data& data) {
    std::string html;
    if (!data.replays.empty()) {
        const auto equal = std::ranges::count_if(data.replays, &Replay::pass);
        html += card("Engines", fmt::format("{} of {}", equal, data.replays.size()),
                     "replays equal the C++ machine", std::cmp_equal(equal, data.replays.size()));
    }
    if (!data.checks.empty()) {
        const auto hold = std::ranges::count_if(data.checks, &Check::ok);
        html += card("Checks", fmt::format("{} of {}", hold, data.checks.size()), "hold",
                     std::cmp_equal(hold, data.checks.size()));
    }
    const Decoder& shown = shown_decoder(data);
    if (shown.steps.front().routing)
        html += card("Routes", fmt::format("{} of {}", agreeing_routes(shown), shown.steps.size()),
                     "as the float model chooses", true);
    return html + card("Cycles", thousands(shown.cycles()),
                       fmt::format("{} decoder, all steps", html_escaped(shown.name)), true);
}

std::string parts_chart(const Data& data) {
    constexpr std::size_t kBar = 34;
    constexpr std::size_t kAround = 110;
    return chart("parts", "Stacked bars: cycles of each program by unit",
                 first_and_last_programs(data).size() * kBar + kAround, program_table(data));
}

std::string timeline_section(const Decoder& decoder) {
    constexpr std::size_t kHeight = 250;
    std::string html;
    for (std::size_t i = 0; i < decoder.timeline.programs.size(); ++i) {
        const ProgramTimeline& program = decoder.timeline.programs[i];
        const std::string name = html_escaped(program.name);
        html += fmt::format("<h3>Program {}: {} instructions in {} cycles</h3>\n", name,
                            program.slices.size(), thousands(program.slices.back().to));
        html += chart(fmt::format("timeline-{}", i),
                      fmt::format("Timeline of program {}: a bar per instruction and unit", name),
                      kHeight, timeline_table(program));
    }
    return html;
}

std::string routes_section(const Decoder& decoder) {
    if (!decoder.steps.front().routing) return "";
    constexpr std::size_t kHeight = 320;
    constexpr std::uint32_t kSideBySide = 6;  // experts of a heat map that leaves room for charts
    const std::string margins = margin_table(decoder);
    return html_filled(
        kRoutesSection,
        {{"many", decoder.experts > kSideBySide ? " many" : ""},
         {"heatmap", route_table(decoder)},
         {"scores", chart("scores", "Router scores by step", kHeight, margins)},
         {"margins", chart("margins", "Margin of the route by step", kHeight, margins)}});
}

/// What is said of the grouped programs, if there are any.
std::string grouped_note(const Data& data) {
    std::vector<std::string> names;
    for (const Decoder& decoder : data.decoders)
        for (const Grouped& grouped : decoder.grouped)
            names.push_back(fmt::format("{} with {}", html_escaped(grouped.name), grouped.rows));
    if (names.empty()) return "";
    return fmt::format(" Here: {} tokens, priced by the verifier, not run.",
                       fmt::join(names, ", "));
}

std::string engines_section(const Data& data) {
    if (data.replays.empty()) return "";
    return html_filled(kEnginesSection, {{"engines", engine_table(data.replays)}});
}

std::string checks_section(const Data& data) {
    if (data.checks.empty()) return "";
    return html_filled(kChecksSection, {{"checks", check_table(data.checks)}});
}

}  // namespace

std::string page_html(const Data& data) {
    const Decoder& shown = shown_decoder(data);
    constexpr std::size_t kRooflineHeight = 480;
    return html_filled(kPage, {{"style", kStyle},
                               {"subject", subject(data)},
                               {"cards", cards(data)},
                               {"costs", cost_table(data)},
                               {"parts", parts_chart(data)},
                               {"step", fmt::format("Step {} of the {} decoder",
                                                    shown.timeline.step, html_escaped(shown.name))},
                               {"timeline", timeline_section(shown)},
                               {"routes", routes_section(shown)},
                               {"grouped", grouped_note(data)},
                               {"roofline", chart("roofline", "Roofline of the programs",
                                                  kRooflineHeight, roofline_table(data))},
                               {"engines", engines_section(data)},
                               {"checks", checks_section(data)},
                               {"data", chart_json(data)},
                               {"library", kChartLibrary},
                               {"common", kCommonScript},
                               {"charts", kChartsScript},
                               {"script", kPageScript}});
}

}  // namespace capra::report
