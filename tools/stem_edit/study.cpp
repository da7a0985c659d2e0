#include "tools/stem_edit/study.hpp"

#include "isa/error.hpp"
#include "stem/builders.hpp"
#include "stem/edit.hpp"
#include "stem/stack_decoder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace capra::tools {
namespace {

/// Measured on means of two to eight rows, the chip's logits differ from those of double precision
/// by up to 5 % of the highest: of two that are this share of it apart it may take either.
constexpr double kTie = 0.10;

/// The places of `--choose`, from 0; without it the first ones.
std::vector<std::size_t> chosen_places(const EditOptions& options, std::size_t count) {
    std::vector<std::size_t> places(count);
    std::iota(places.begin(), places.end(), 0);
    if (options.choose.empty()) return places;
    if (options.choose.size() != count)
        throw Error(fmt::format("--choose: {}: expected {}, one for each position of the span",
                                fmt::join(options.choose, " "), count));
    places.assign(options.choose.begin(), options.choose.end());
    for (std::size_t& place : places) --place;
    return places;
}

/// The rows that the span is to read. Adds a row to the stack's tables where the mode needs one.
stem::SpanRows edited_rows(stem::Stack& stack, const EditOptions& options, std::size_t count) {
    const auto& target = options.target;
    if (options.mode == "swap") return stem::swapped(count, target);
    if (options.mode == "copy") return stem::copied(count, target);
    if (options.mode == "subset") return stem::subset(count, target, chosen_places(options, count));
    if (options.mode == "mean") return stem::SpanRows(count, stem::append_mean_row(stack, target));
    return stem::padded(count, target, stem::append_silent_row(stack),
                        options.pad == "left" ? stem::Side::left : stem::Side::right);
}

/// Every token whose logit ties with the highest, rising. The mean of few rows says what each of
/// them says, of many it fades, and a token predicts itself: double precision tells which.
std::vector<std::uint32_t> highest(const stem::Vector& logits) {
    const double top = *std::max_element(logits.begin(), logits.end());
    std::vector<std::uint32_t> tokens;
    for (std::uint32_t token = 0; token < logits.size(); ++token)
        if (logits[token] >= top - kTie * std::abs(top)) tokens.push_back(token);
    return tokens;
}

/// What may follow a token whose tables give this row: with the row of a token what the rule says
/// of it. A row of zeros says nothing, and what no layer answers predicts itself.
std::vector<std::uint32_t> expected(const EditOptions& options, const stem::StackStep& reference,
                                    std::uint32_t row) {
    if (row < stem::kVocabulary) return {model::successor(row)};
    if (options.mode == "mean") return highest(reference.logits);
    return {reference.input};
}

/// The row of the first table, which all tables read.
std::uint32_t row_read(const stem::StackStep& step) {
    for (const auto& layer : step.layers)
        if (!layer.rows.empty()) return layer.rows.front();
    return stem::kVocabulary;
}

EditedPosition position(const EditOptions& options, const stem::StackStep& before,
                        const stem::StackStep& after, const stem::StackStep& reference) {
    const std::uint32_t row = row_read(after);
    return {.token = after.input,
            .row_before = row_read(before),
            .row_after = row,
            .predicts_before = before.prediction,
            .predicts_after = after.prediction,
            .expected = expected(options, reference, row),
            .logit_change = model::relative_l2(after.logits, before.logits)};
}

}  // namespace

bool EditStudy::follows_target() const {
    for (std::size_t i = span.first; i < span.first + span.count; ++i) {
        const auto& any = positions[i].expected;
        if (std::find(any.begin(), any.end(), positions[i].predicts_after) == any.end())
            return false;
    }
    return true;
}

Collateral collateral(const EditStudy& study) {
    Collateral sum;
    for (std::size_t i = 0; i < study.positions.size(); ++i) {
        if (study.span.contains(i)) continue;
        const EditedPosition& other = study.positions[i];
        ++sum.positions;
        if (other.predicts_after != other.predicts_before) ++sum.predictions;
        sum.mean_change += other.logit_change;
        if (other.logit_change > sum.largest_change) {
            sum.largest_change = other.logit_change;
            sum.largest_at = i;
        }
    }
    if (sum.positions > 0) sum.mean_change /= static_cast<double>(sum.positions);
    return sum;
}

EditStudy study_edit(const EditOptions& options) {
    EditStudy study{.span = parse_span(options.span, options.text.size())};
    stem::Stack stack = stem::make_pattern_stack(options.pattern, "structured", options.seed);
    const auto rows = edited_rows(stack, options, study.span.count);
    const auto programs =
        stem::compile_stack(stack, static_cast<std::uint32_t>(options.text.size()));
    const auto engine = sim::make_engine(options.engine, programs.target);
    const auto before = stem::read(programs, *engine, options.text);
    stem::Hooks hooks;
    hooks.rows = [&](const stem::Decision& at, stem::Experts own) {
        return study.span.contains(at.position)
                   ? stem::Experts{rows[at.position - study.span.first]}
                   : own;
    };
    const auto after = stem::read(programs, *engine, options.text, {.hooks = hooks});
    const auto reference = stem::read_edited(stack, {}, options.text, study.span.first, rows);
    for (std::size_t i = 0; i < options.text.size(); ++i)
        study.positions.push_back(position(options, before.steps[i], after.steps[i], reference[i]));
    return study;
}

}  // namespace capra::tools
