#include "mutation/report.hpp"

#include "mutation/tally.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

namespace capra::mutation {
namespace {

/// Characters that a change may take before and after.
constexpr std::size_t kChangeWidth = 40;
constexpr std::size_t kDetailWidth = 80;

/// Titles of the columns in two lines, so that seven verdicts fit beside a name.
struct Column {
    std::string_view upper;
    std::string_view lower;
};
constexpr std::array<Column, 1 + kVerdicts> kColumns = {{{"", "planted"},
                                                         {"", "killed"},
                                                         {"", "timeout"},
                                                         {"", "survived"},
                                                         {"", "equivalent"},
                                                         {"not", "applied"},
                                                         {"not", "built"},
                                                         {"not", "reached"}}};

std::string or_nothing(const std::string& line) {
    return line.empty() ? "(nothing)" : line;
}

std::string change_line(const Trial& trial, const Sources& sources, std::size_t verdict_width) {
    const SourceChange change = shortened(source_change(trial.mutant, sources), kChangeWidth);
    // What --only and prove take, and for a curated one, which is named otherwise, its place.
    const Mutant& mutant = trial.mutant;
    std::string line =
        fmt::format("{:<{}}  {}{}  - {}  + {}", verdict_name(trial.verdict), verdict_width,
                    mutant.id, mutant.op == kCuratedOperator ? " " + place_of(mutant) : "",
                    or_nothing(change.before()), or_nothing(change.after()));
    const bool why = trial.verdict != Verdict::survived && trial.verdict != Verdict::not_reached;
    if (why && !trial.detail.empty())
        line += fmt::format("  ({})", trial.detail.size() > kDetailWidth
                                          ? trial.detail.substr(0, kDetailWidth - 3) + "..."
                                          : trial.detail);
    return line + '\n';
}

std::string row_text(const std::string& name, std::size_t name_width, const Tally& counts) {
    std::string line = fmt::format("{:<{}}", name, name_width);
    const auto out = std::back_inserter(line);
    fmt::format_to(out, "  {:>{}}", counts.planted(), kColumns[0].lower.size());
    for (std::size_t i = 0; i < kVerdicts; ++i)
        fmt::format_to(out, "  {:>{}}", counts.counts[i], kColumns[1 + i].lower.size());
    return line + '\n';
}

/// Rows are pairs of a name and a Tally.
template <typename Rows>
std::string table_text(const std::string& title, const Rows& rows, const Tally& total) {
    std::size_t width = title.size();
    for (const auto& [name, counts] : rows) width = std::max(width, name.size());
    std::string upper(width, ' ');
    std::string lower = fmt::format("{:<{}}", title, width);
    for (const Column& column : kColumns) {
        upper += fmt::format("  {:>{}}", column.upper, column.lower.size());
        lower += fmt::format("  {}", column.lower);
    }
    std::string text = upper + '\n' + lower + '\n';
    for (const auto& [name, counts] : rows) text += row_text(name, width, counts);
    return text + row_text("total", width, total);
}

}  // namespace

std::string score_text(double percent) {
    return fmt::format("{:.2f}", std::floor(percent * 100) / 100);
}

std::string report_text(std::span<const Trial> trials, const Sources& sources) {
    std::string text;
    const std::vector<const Trial*> listed = unresolved(trials);
    std::size_t width = 0;
    for (const Trial* trial : listed) width = std::max(width, verdict_name(trial->verdict).size());
    for (const Trial* trial : listed) text += change_line(*trial, sources, width);
    if (!listed.empty()) text += '\n';
    const Tally total = tally(trials);
    text += table_text("layer", tally_by_layer(trials), total) + '\n';
    text += table_text("operator", tally_by_operator(trials), total) + '\n';
    if (const std::size_t excused = total.of(Verdict::equivalent); excused > 0)
        text += fmt::format(
            "equivalent: {}; their reasons are in mutation/equivalents.json and in the Markdown "
            "and "
            "HTML reports\n",
            excused);
    return text + fmt::format("score: {} % raw, {} % adjusted (without the equivalents)\n",
                              score_text(total.raw_score()), score_text(total.adjusted_score()));
}

}  // namespace capra::mutation
