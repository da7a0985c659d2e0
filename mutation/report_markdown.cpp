#include "mutation/report.hpp"
#include "mutation/tally.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace capra::mutation {
namespace {

bool is_alphanumeric(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/// Text that Markdown shows as it is. An underscore inside a word means nothing to it.
std::string escaped(std::string_view text) {
    std::string shown;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool in_word = i > 0 && i + 1 < text.size() && is_alphanumeric(text[i - 1]) &&
                             is_alphanumeric(text[i + 1]);
        const bool special = std::string_view("\\`*_[]<>#|&").find(c) != std::string_view::npos;
        if (special && !(c == '_' && in_word)) shown += '\\';
        shown += c == '\n' ? ' ' : c;
    }
    return shown;
}

/// A code span; its fence is longer than any run of backquotes inside.
std::string code(const std::string& text) {
    std::size_t longest = 0;
    std::size_t run = 0;
    for (const char c : text) {
        run = c == '`' ? run + 1 : 0;
        longest = std::max(longest, run);
    }
    const std::string fence(longest + 1, '`');
    const char* pad = longest > 0 ? " " : "";
    return fence + pad + text + pad + fence;
}

/// A block of code, set off like `code`. The lines belong to the entry of a list.
std::string change_block(const SourceChange& change) {
    std::string fence = "```";
    const std::string lines = change.before() + '\n' + change.after();
    while (lines.find(fence) != std::string::npos) fence += '`';
    return fmt::format("\n  {0}diff\n  - {1}\n  + {2}\n  {0}\n", fence, change.before(),
                       change.after());
}

/// Rows are pairs of a name and a Tally.
template <typename Rows>
std::string table(std::string_view title, const Rows& rows, const Tally& total) {
    std::string text = fmt::format("| {} | planted |", title);
    std::string rule = "|---|--:|";
    for (std::size_t i = 0; i < kVerdicts; ++i) {
        text += fmt::format(" {} |", verdict_name(static_cast<Verdict>(i)));
        rule += "--:|";
    }
    text += '\n' + rule + '\n';
    const auto add = [&](const std::string& name, const Tally& counts) {
        text += fmt::format("| {} | {} |", escaped(name), counts.planted());
        for (const std::size_t count : counts.counts) text += fmt::format(" {} |", count);
        text += '\n';
    };
    for (const auto& [name, counts] : rows) add(name, counts);
    add("total", total);
    return text + '\n';
}

/// A list of mutants: what each changes and what is said of it.
std::string entries(const std::vector<const Trial*>& trials, const Sources& sources) {
    std::string text;
    for (const Trial* trial : trials) {
        text += fmt::format("- {} {}, {}", code(place_of(trial->mutant)), escaped(trial->mutant.op),
                            verdict_name(trial->verdict));
        if (!trial->detail.empty()) text += ": " + escaped(trial->detail);
        text += change_block(source_change(trial->mutant, sources));
    }
    return text + '\n';
}

}  // namespace

std::string report_markdown(const CampaignResult& result, const Sources& sources) {
    const Tally total = tally(result.trials);
    std::string text =
        fmt::format("Score: **{} %** raw, **{} %** adjusted (without the {} equivalents).\n\n",
                    score_text(total.raw_score()), score_text(total.adjusted_score()),
                    total.of(Verdict::equivalent));
    if (!result.distrust.empty()) {
        text += "**This campaign is not to be trusted:**\n\n";
        for (const std::string& line : result.distrust) text += "- " + escaped(line) + '\n';
        text += '\n';
    }
    text += table("layer", tally_by_layer(result.trials), total);
    text += table("operator", tally_by_operator(result.trials), total);
    text += table("file", tally_by_file(result.trials), total);
    if (const auto listed = unresolved(result.trials); !listed.empty())
        text += "### Seen by no check, or undecided\n\n" + entries(listed, sources);
    if (const auto listed = equivalents_of(result.trials); !listed.empty())
        text += "### Equivalents\n\n" + entries(listed, sources);
    text.pop_back();
    return text;
}

}  // namespace capra::mutation
