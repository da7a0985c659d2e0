#include "mutation/html_report.hpp"

#include "isa/html.hpp"
#include "mutation/html_source.hpp"
#include "mutation/tally.hpp"
#include "report_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <set>
#include <string_view>
#include <vector>

namespace capra::mutation {
namespace {

std::string subject(const CampaignResult& result) {
    std::set<std::string> suites;
    std::set<std::string> files;
    for (const Trial& trial : result.trials) {
        suites.insert(html_escaped(trial.mutant.suite));
        files.insert(trial.mutant.file);
    }
    std::string html = fmt::format("<p class=\"quiet\">{} mutants in {} files; suites: {}",
                                   result.trials.size(), files.size(), fmt::join(suites, ", "));
    std::vector<std::string> parts;
    for (const Part& part : result.parts)
        if (part.shards > 1) parts.push_back(fmt::format("{}/{}", part.shard, part.shards));
    if (!parts.empty()) html += fmt::format("; shards {}", fmt::join(parts, ", "));
    if (result.seconds > 0) html += fmt::format("; {:.0f} s", result.seconds);
    return html + "</p>";
}

std::string distrust(const CampaignResult& result) {
    if (result.distrust.empty()) return "";
    std::string html =
        "<section class=\"distrust\"><h2>This campaign is not to be trusted</h2>\n<ul>\n";
    for (const std::string& line : result.distrust) html += "<li>" + html_escaped(line) + "</li>\n";
    return html + "</ul></section>";
}

std::string scores(const Tally& total) {
    return fmt::format(
        "<dl class=\"scores\">\n<div><dt>Raw score</dt><dd>{} %<small>nothing is excused</small>"
        "</dd></div>\n<div><dt>Adjusted score</dt><dd>{} %<small>without {} equivalents</small>"
        "</dd></div>\n</dl>",
        score_text(total.raw_score()), score_text(total.adjusted_score()),
        total.of(Verdict::equivalent));
}

/// A check box a verdict that occurs.
std::string filter(const Tally& total) {
    std::string html;
    for (std::size_t i = 0; i < kVerdicts; ++i) {
        const auto verdict = static_cast<Verdict>(i);
        if (total.of(verdict) > 0)
            html +=
                fmt::format("<label><input type=\"checkbox\" value=\"{}\" checked> {} {}</label>\n",
                            html_class(verdict), total.of(verdict), verdict_name(verdict));
    }
    return html;
}

std::string row(const std::string& name, const Tally& counts) {
    std::string html = fmt::format("<tr><th scope=\"row\">{}</th>", name);
    const auto cell = [&](std::string_view column, std::size_t count) {
        html += fmt::format("<td data-of=\"{}\"{}>{}</td>", column,
                            count == 0 ? " class=\"zero\"" : "", count);
    };
    cell("planted", counts.planted());
    for (std::size_t i = 0; i < kVerdicts; ++i)
        cell(verdict_name(static_cast<Verdict>(i)), counts.counts[i]);
    return html +
           fmt::format("<td data-of=\"raw\">{} %</td><td data-of=\"adjusted\">{} %</td></tr>\n",
                       score_text(counts.raw_score()), score_text(counts.adjusted_score()));
}

/// Rows are pairs of a name, in HTML, and a Tally.
template <typename Rows>
std::string table(std::string_view title, const Rows& rows, const Tally& total) {
    std::string html = fmt::format(
        "<h2>By {0}</h2>\n<table>\n<thead><tr><th scope=\"col\">{0}</th><th scope=\"col\">planted"
        "</th>",
        title);
    for (std::size_t i = 0; i < kVerdicts; ++i)
        html += fmt::format("<th scope=\"col\">{}</th>", verdict_name(static_cast<Verdict>(i)));
    html += "<th scope=\"col\">raw</th><th scope=\"col\">adjusted</th></tr></thead>\n<tbody>\n";
    for (const auto& [name, counts] : rows) html += row(name, counts);
    return html + "</tbody>\n<tfoot>\n" + row("total", total) + "</tfoot>\n</table>\n";
}

std::string tables(const CampaignResult& result, const Tally& total) {
    std::vector<TallyRow> operators;
    for (const auto& [op, counts] : tally_by_operator(result.trials))
        operators.push_back({html_escaped(op), counts});
    std::vector<TallyRow> files;
    for (const auto& [file, counts] : tally_by_file(result.trials)) {
        const std::string name = html_escaped(file);
        files.push_back({fmt::format("<a href=\"#{0}\">{0}</a>", name), counts});
    }
    return table("operator", operators, total) + table("file", files, total);
}

/// Nothing if there are none.
std::string list(std::string_view title, std::span<const Trial* const> trials,
                 const Sources& sources) {
    if (trials.empty()) return "";
    std::string html = fmt::format("<section><h2>{}</h2>\n", title);
    for (const Trial* trial : trials) html += html_mutant(*trial, sources, true);
    return html + "</section>";
}

std::string files(const CampaignResult& result, const Sources& sources) {
    std::map<std::string, std::vector<const Trial*>> by_file;
    for (const Trial& trial : result.trials) by_file[trial.mutant.file].push_back(&trial);
    std::string html;
    for (const auto& [file, trials] : by_file) html += html_file(file, trials, sources);
    return html;
}

}  // namespace

std::string report_html(const CampaignResult& result, const Sources& sources) {
    const Tally total = tally(result.trials);
    return html_filled(
        kReportPage,
        {{"subject", subject(result)},
         {"distrust", distrust(result)},
         {"scores", scores(total)},
         {"filter", filter(total)},
         {"unresolved", list("Seen by no check, or undecided", unresolved(result.trials), sources)},
         {"layers", table("layer", tally_by_layer(result.trials), total)},
         {"tables", tables(result, total)},
         {"equivalents", list("Equivalents", equivalents_of(result.trials), sources)},
         {"files", files(result, sources)}});
}

}  // namespace capra::mutation
