#include "mutation/html_source.hpp"

#include "isa/html.hpp"
#include "mutation/source_lines.hpp"
#include "mutation/tally.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <vector>

namespace capra::mutation {
namespace {

using Trials = std::vector<const Trial*>;

/// What a reader wants to see first.
constexpr std::array kByUrgency = {Verdict::survived,  Verdict::not_reached, Verdict::timeout,
                                   Verdict::not_built, Verdict::not_applied, Verdict::equivalent,
                                   Verdict::killed};

Tally tally_of(std::span<const Trial* const> trials) {
    Tally counts;
    for (const Trial* trial : trials) counts.add(trial->verdict);
    return counts;
}

/// Anchor of a line.
std::string line_id(const std::string& file, std::uint32_t line) {
    return fmt::format("{}:{}", html_escaped(file), line);
}

/// "1 survived", "3 killed", the urgent first.
std::string counts_html(const Tally& counts) {
    std::string html;
    for (const Verdict verdict : kByUrgency)
        if (const std::size_t count = counts.of(verdict); count > 0)
            html += fmt::format("<span class=\"count {}\">{} {}</span>", html_class(verdict), count,
                                verdict_name(verdict));
    return html;
}

/// The verdicts that occur, as classes, the most urgent first.
std::vector<std::string> verdict_classes(const Tally& counts) {
    std::vector<std::string> classes;
    for (const Verdict verdict : kByUrgency)
        if (counts.of(verdict) > 0) classes.push_back(html_class(verdict));
    return classes;
}

/// Source up to the next line with mutants.
std::string plain_lines(std::span<const std::string_view> lines, std::size_t first) {
    if (lines.empty()) return "";
    std::string html = "<pre>";
    for (std::size_t i = 0; i < lines.size(); ++i)
        html += fmt::format("<i>{}</i>{}\n", first + i, html_escaped(lines[i]));
    html.pop_back();
    return html + "</pre>\n";
}

std::string mutated_line(const std::string& file, std::uint32_t number, std::string_view line,
                         Trials trials, const Sources& sources) {
    std::ranges::stable_sort(trials, {}, [](const Trial* trial) {
        return std::ranges::find(kByUrgency, trial->verdict) - kByUrgency.begin();
    });
    const Tally counts = tally_of(trials);
    const std::vector<std::string> classes = verdict_classes(counts);
    std::string html = fmt::format(
        "<details class=\"line {}\" id=\"{}\" data-verdicts=\"{}\"><summary><code><i>{}</i>{}"
        "</code><span class=\"counts\">{}</span></summary>\n",
        classes.front(), line_id(file, number), fmt::join(classes, " "), number, html_escaped(line),
        counts_html(counts));
    for (const Trial* trial : trials) html += html_mutant(*trial, sources, false);
    return html + "</details>\n";
}

}  // namespace

std::string html_class(Verdict verdict) {
    std::string name(verdict_name(verdict));
    std::ranges::replace(name, ' ', '-');
    return name;
}

std::string html_mutant(const Trial& trial, const Sources& sources, bool with_place) {
    const Mutant& m = trial.mutant;
    const SourceChange change = source_change(m, sources);
    std::string where = m.line == 0 ? html_escaped(m.file) : fmt::format("{}:{}", m.line, m.column);
    if (with_place && m.line > 0)
        where = fmt::format("<a href=\"#{}\">{}</a>", line_id(m.file, m.line),
                            html_escaped(place_of(m)));
    std::string html = fmt::format(
        "<div class=\"mutant {}\"><p><b class=\"verdict\">{}</b> {} {} "
        "<code>{}</code>",
        html_class(trial.verdict), verdict_name(trial.verdict), where, html_escaped(m.op),
        html_escaped(m.id));
    if (!trial.killers.empty())
        html +=
            fmt::format(", by {}", html_escaped(fmt::format("{}", fmt::join(trial.killers, ", "))));
    const auto side = [&](const char* tag, char sign, const std::string& changed) {
        return fmt::format("<{0}>{1} {2}<u>{3}</u>{4}</{0}>", tag, sign, html_escaped(change.head),
                           html_escaped(changed), html_escaped(change.tail));
    };
    html += "</p><pre>" + side("del", '-', change.original) + side("ins", '+', change.replacement) +
            "</pre>";
    if (!trial.detail.empty()) html += "<p>" + html_escaped(trial.detail) + "</p>";
    return html + "</div>\n";
}

std::string html_file(const std::string& file, std::span<const Trial* const> trials,
                      const Sources& sources) {
    const auto found = sources.find(file);
    const auto lines =
        found == sources.end() ? std::vector<std::string_view>() : lines_of(found->second);
    std::map<std::uint32_t, Trials> by_line;
    for (const Trial* trial : trials)
        by_line[trial->mutant.line <= lines.size() ? trial->mutant.line : 0].push_back(trial);
    const Tally counts = tally_of(trials);
    std::string html = fmt::format(
        "<details class=\"file\" id=\"{0}\" data-verdicts=\"{1}\"><summary>{0}{2}</summary>\n",
        html_escaped(file), fmt::join(verdict_classes(counts), " "), counts_html(counts));
    for (const Trial* trial : by_line[0]) html += html_mutant(*trial, sources, false);
    html += "<div class=\"source\"><div>\n";
    std::size_t shown = 0;
    for (const auto& [number, planted] : by_line) {
        if (number == 0) continue;
        html += plain_lines(std::span(lines).subspan(shown, number - 1 - shown), shown + 1);
        html += mutated_line(file, number, lines[number - 1], planted, sources);
        shown = number;
    }
    html += plain_lines(std::span(lines).subspan(shown), shown + 1);
    return html + "</div></div></details>\n";
}

}  // namespace capra::mutation
