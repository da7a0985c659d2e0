#include "tools/stem_edit/report.hpp"

#include "stem/stack.hpp"
#include "tools/status.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace capra::tools {
namespace {

std::string any_of(const std::vector<std::uint32_t>& tokens) {
    constexpr std::size_t kShown = 3;
    if (tokens.size() > kShown) return fmt::format("any of {}", tokens.size());
    return fmt::format("{}", fmt::join(tokens, " or "));
}

std::string how(const EditOptions& options) {
    if (options.mode == "pad") return "pad on the " + options.pad;
    return options.mode;
}

/// Tokens under a label, in lines that end before column 80.
void print_tokens(std::string_view label, const std::vector<std::uint32_t>& tokens) {
    constexpr std::size_t kInLine = 22;
    for (std::size_t i = 0; i < tokens.size(); i += kInLine) {
        const auto from = tokens.begin() + static_cast<std::ptrdiff_t>(i);
        const auto to = from + static_cast<std::ptrdiff_t>(std::min(kInLine, tokens.size() - i));
        fmt::print("   {:<10} {}\n", i == 0 ? label : "", fmt::join(from, to, " "));
    }
}

std::string_view expectation(const EditOptions& options) {
    if (options.mode == "mean")
        return "   the row of token t. A mean says what its rows say, or too little of each, and\n"
               "   the token predicts itself: any token whose logit in double precision, with\n"
               "   the same rows, is within a tenth of the highest.\n\n";
    return "   the row of token t; a row of zeros says nothing, the token predicts itself.\n\n";
}

void print_edit(const EditOptions& options, const EditStudy& study) {
    fmt::print("Editing the rows that are read, not the text\n\n");
    fmt::print("   model      {}, structured, seed {}, engine {}\n", options.pattern, options.seed,
               options.engine);
    print_tokens("text", options.text);
    fmt::print("   edited     positions {}-{}, in every table\n", study.span.first + 1,
               study.span.first + study.span.count);
    print_tokens("target", options.target);
    fmt::print("   mode       {}\n\n", how(options));
}

void print_positions(const EditOptions& options, const EditStudy& study) {
    fmt::print(
        "1. The text, read without and with the edit. Edited positions are marked.\n"
        "   Expected is what the rule says of the row that is read: 5 t + 3 mod 16 for\n"
        "{}"
        "   {:>10} {:>6} {:>8} {:>6} {:>9} {:>6} {:>10}  {}\n"
        "   {:>10} {:>6} {:>8} {:>6} {:>9} {:>6} {:>10}\n",
        expectation(options), "position", "token", "row", "row", "predicts", "", "change of",
        "expected", "", "", "before", "after", "before", "after", "logits");
    for (std::size_t i = 0; i < study.positions.size(); ++i) {
        const EditedPosition& p = study.positions[i];
        fmt::print("   {:>10} {:>6} {:>8} {:>6} {:>9} {:>6} {:>8.1f} %  {}\n",
                   fmt::format("{}{}", study.span.contains(i) ? "* " : "", i + 1), p.token,
                   row_name(options, p.row_before), row_name(options, p.row_after),
                   p.predicts_before, p.predicts_after, 100 * p.logit_change, any_of(p.expected));
    }
    fmt::print("\n   The predictions {} the edit.\n\n",
               study.follows_target() ? "follow" : "do NOT follow");
}

void print_collateral(const EditOptions& options, const EditStudy& study) {
    const Collateral other = collateral(study);
    fmt::print("2. What changed where nothing was edited\n\n");
    if (other.positions == 0) {
        fmt::print("   Every position was edited.\n");
        return;
    }
    fmt::print("   {} of {} predictions are another token\n", other.predictions, other.positions);
    fmt::print("   change of logits, relative L2: mean {:.1f} %, largest {:.1f} %{}\n",
               100 * other.mean_change, 100 * other.largest_change,
               other.largest_at ? fmt::format(" at position {}", *other.largest_at + 1) : "");
    if (options.pattern.find('*', options.pattern.find('S')) == std::string::npos)
        fmt::print("   No attention comes after a table: no position can see another's row.\n");
}

}  // namespace

std::string row_name(const EditOptions& options, std::uint32_t row) {
    if (row < stem::kVocabulary) return std::to_string(row);
    return options.mode == "mean" ? "mean" : "zeros";
}

int print_study(const EditOptions& options, const EditStudy& study) {
    print_edit(options, study);
    print_positions(options, study);
    print_collateral(options, study);
    return study.follows_target() ? kOk : kCheckFailed;
}

}  // namespace capra::tools
