#include "mutation/report.hpp"

#include <fmt/format.h>

#include <iterator>

namespace capra::mutation {
namespace {

/// A span of source on one line.
std::string one_line(std::string text) {
    for (char& c : text)
        if (c == '\n') c = ' ';
    constexpr std::size_t kLongest = 60;
    return text.size() > kLongest ? text.substr(0, kLongest) + "..." : text;
}

std::string change(const Mutant& mutant) {
    return fmt::format("{}:{}:{} {}: `{}` -> `{}`", mutant.file, mutant.line, mutant.column,
                       mutant.op, one_line(mutant.original), one_line(mutant.replacement));
}

template <typename Row>
void for_each_row(std::span<const Trial> trials, Row row) {
    for (const auto& [file, counts] : tally_by_file(trials)) row(file, counts);
    for (const auto& [op, counts] : tally_by_operator(trials)) row(op, counts);
    row("all", tally(trials));
}

std::string scores(const Tally& all) {
    return fmt::format("score {:.2f} % of all, {:.2f} % without the listed equivalents\n",
                       all.raw_score(), all.adjusted_score());
}

}  // namespace

std::string report_text(std::span<const Trial> trials) {
    std::string text;
    const auto out = std::back_inserter(text);
    for (const Trial& trial : trials)
        if (trial.verdict != Verdict::killed && trial.verdict != Verdict::timeout &&
            trial.verdict != Verdict::equivalent)
            fmt::format_to(out, "{:<11} {}\n            {}\n", verdict_name(trial.verdict),
                           trial.mutant.id, change(trial.mutant));
    fmt::format_to(out, "\n{:<28} {:>7}", "", "planted");
    for (std::size_t i = 0; i < kVerdicts; ++i)
        fmt::format_to(out, " {:>11}", verdict_name(static_cast<Verdict>(i)));
    text += '\n';
    for_each_row(trials, [&](const std::string& name, const Tally& counts) {
        fmt::format_to(out, "{:<28} {:>7}", name, counts.planted());
        for (const std::size_t count : counts.counts) fmt::format_to(out, " {:>11}", count);
        text += '\n';
    });
    return text + '\n' + scores(tally(trials));
}

std::string report_markdown(std::span<const Trial> trials) {
    std::string text = "| | planted |";
    std::string rule = "|---|---|";
    for (std::size_t i = 0; i < kVerdicts; ++i) {
        text += fmt::format(" {} |", verdict_name(static_cast<Verdict>(i)));
        rule += "---|";
    }
    text += "\n" + rule + "\n";
    for_each_row(trials, [&](const std::string& name, const Tally& counts) {
        text += fmt::format("| {} | {} |", name, counts.planted());
        for (const std::size_t count : counts.counts) text += fmt::format(" {} |", count);
        text += '\n';
    });
    return text + '\n' + scores(tally(trials));
}

}  // namespace capra::mutation
