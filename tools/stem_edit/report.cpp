#include "tools/stem_edit/report.hpp"

#include "stem/stack.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace capra::tools {
namespace {

/// A token's row has its number; the row that an edit adds is named after what it is.
std::string row_name(const EditOptions& options, std::uint32_t row) {
    if (row < stem::kVocabulary) return std::to_string(row);
    return options.mode == "mean" ? "mean" : "zeros";
}

std::string any_of(const std::vector<std::uint32_t>& tokens) {
    constexpr std::size_t kShown = 3;
    if (tokens.size() > kShown) return fmt::format("any of {}", tokens.size());
    return fmt::format("{}", fmt::join(tokens, " or "));
}

std::string how(const EditOptions& options) {
    if (options.mode == "pad") return "pad on the " + options.pad;
    return options.mode;
}

}  // namespace

void print_edit(const EditOptions& options, const EditStudy& study) {
    fmt::print("Editing the rows that are read, not the text\n\n");
    fmt::print("   model      {}, structured, seed {}, engine {}\n", options.pattern, options.seed,
               options.engine);
    fmt::print("   text       {}\n", fmt::join(options.text, " "));
    fmt::print("   edited     positions {}-{}, in every table\n", study.span.first + 1,
               study.span.first + study.span.count);
    fmt::print("   target     {}\n", fmt::join(options.target, " "));
    fmt::print("   mode       {}\n\n", how(options));
}

void print_positions(const EditOptions& options, const EditStudy& study) {
    fmt::print(
        "1. The text, read without and with the edit. Edited positions are marked.\n"
        "   Expected is what the rule says of the row that is read: 5 t + 3 mod 16 for\n"
        "   the row of token t; a row of zeros says nothing, the token predicts itself.\n\n"
        "   {:>10} {:>6} {:>8} {:>6} {:>9} {:>6} {:>10}  {}\n"
        "   {:>10} {:>6} {:>8} {:>6} {:>9} {:>6} {:>10}\n",
        "position", "token", "row", "row", "predicts", "", "change of", "expected", "", "",
        "before", "after", "before", "after", "logits");
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
    if (options.pattern.find('*', options.pattern.find_first_of("SR")) == std::string::npos)
        fmt::print(
            "   No attention comes after a table in {}: no position can see another's row.\n",
            options.pattern);
}

}  // namespace capra::tools
