#include "tools/stem_edit/options.hpp"

#include "isa/error.hpp"
#include "sim/engine.hpp"
#include "stem/stack.hpp"
#include "tools/steps.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>

namespace capra::tools {
namespace {

/// Digits alone, at most as many as a position has.
std::optional<std::size_t> number(std::string_view text) {
    std::size_t value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || stop != end) return std::nullopt;
    return value;
}

/// In the other layers experts, dense blocks and admission know the rule as well.
void check_pattern(const std::string& pattern) {
    const std::size_t other = pattern.find_first_not_of("*S");
    if (other != std::string::npos)
        throw Error(
            fmt::format("--pattern: {}: layer '{}': expected * and S, as only there the "
                        "rows alone know the rule",
                        pattern, pattern[other]));
    if (pattern.find('S') == std::string::npos)
        throw Error(fmt::format("--pattern: '{}': expected a layer with a table, S", pattern));
}

/// Tokens of the target by their places, each after the one before.
void check_chosen(const EditOptions& options) {
    std::uint32_t before = 0;
    for (const std::uint32_t place : options.choose) {
        if (place <= before || place > options.target.size())
            throw Error(
                fmt::format("--choose: {}: expected rising numbers from 1 to {}, of tokens "
                            "of the target",
                            fmt::join(options.choose, " "), options.target.size()));
        before = place;
    }
}

}  // namespace

void add_edit_options(CLI::App& app, EditOptions& options) {
    const auto tokens = CLI::Range(0U, stem::kVocabulary - 1);
    app.add_option("--text", options.text, "the tokens that are read")
        ->delimiter(',')
        ->check(tokens)
        ->capture_default_str();
    app.add_option("--span", options.span, "its positions to edit: FIRST-LAST, from 1")
        ->capture_default_str();
    app.add_option("--target", options.target, "the tokens whose rows are read there instead")
        ->delimiter(',')
        ->check(tokens)
        ->capture_default_str();
    app.add_option("--mode", options.mode,
                   "how rows are assigned: swap (equal lengths), pad or copy (a shorter target), "
                   "subset (a longer one), mean (any)")
        ->check(CLI::IsMember({"swap", "pad", "copy", "subset", "mean"}))
        ->capture_default_str();
    app.add_option("--pad", options.pad, "pad: the side of the padding, left or right")
        ->check(CLI::IsMember({"left", "right"}))
        ->capture_default_str();
    app.add_option(
           "--choose", options.choose,
           "subset: which tokens of the target, counted from 1 and rising; the default is the "
           "first ones")
        ->delimiter(',');
    app.add_option("--pattern", options.pattern,
                   "layers of the model: * attention, S table; in *S no position sees another's "
                   "row, so nothing else changes")
        ->capture_default_str();
    app.add_option("--seed", options.seed, "seed of the weights")->capture_default_str();
    app.add_option("--engine", options.engine, "engine to run on")
        ->check(CLI::IsMember(sim::kEngineNames))
        ->capture_default_str();
    app.add_option("--json", options.json,
                   "also write every result to this file; tools/stem_edit/report.hpp documents it");
}

Span parse_span(std::string_view text, std::size_t positions) {
    const std::size_t dash = text.find('-');
    const auto first = number(text.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : number(text.substr(dash + 1));
    if (!first || !last || *first < 1 || *last < *first || *last > positions)
        throw Error(fmt::format("--span: '{}': expected FIRST-LAST, positions 1 to {} of the text",
                                text, positions));
    return {*first - 1, *last - *first + 1};
}

void check_options(const CLI::App& app, const EditOptions& options) {
    if (options.text.size() > kMaxStackSteps)
        throw Error(fmt::format("--text: {} tokens: expected 1 to {}", options.text.size(),
                                kMaxStackSteps));
    if (app.count("--pad") > 0 && options.mode != "pad")
        throw Error(fmt::format("--pad: mode {} has no padding", options.mode));
    if (app.count("--choose") > 0 && options.mode != "subset")
        throw Error(fmt::format("--choose: mode {} chooses no tokens", options.mode));
    check_chosen(options);
    check_pattern(options.pattern);
}

}  // namespace capra::tools
