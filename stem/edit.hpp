// Editing what a model knows without touching its text: the tokens of a source span read the table
// rows of a target (STEM; docs/chapter-7). Spans of other lengths than the target's are padded,
// take copies, a subset, or the mean of the target's rows.
#pragma once

#include "stem/float_stack.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace capra::stem {

/// The row that each token of a source span reads; rows of the first kVocabulary are tokens.
using SpanRows = std::vector<std::uint32_t>;

// How the `source` tokens of a span read the target's rows. An Error names lengths that do not fit;
// both are at least 1.

/// One to one, of equal lengths.
SpanRows swapped(std::size_t source, std::span<const std::uint32_t> target);

enum class Side : std::uint8_t { left, right };
/// One to one after (or before) as many of `padding` as the target is shorter.
SpanRows padded(std::size_t source, std::span<const std::uint32_t> target, std::uint32_t padding,
                Side side = Side::left);

/// Each of a target that is not longer floor(source / target) times, and the last one more often,
/// to fill the span.
SpanRows copied(std::size_t source, std::span<const std::uint32_t> target);

/// The places of a target that is not shorter, each above the one before it: `source` of them.
SpanRows subset(std::size_t source, std::span<const std::uint32_t> target,
                std::span<const std::size_t> places);

/// Appends the mean of the target's rows, or zeros, to every table of token rows, and returns the
/// number of that row. Every token of a span of any length may read the mean; zeros are for
/// padding. An Error if the stack has no such table, or for a token outside the vocabulary.
std::uint32_t append_mean_row(Stack& stack, std::span<const std::uint32_t> target);
std::uint32_t append_silent_row(Stack& stack);

/// What makes every table of token rows read this row.
Overrides row_forced(const Stack& stack, std::uint32_t row);

/// Reads a text whose tokens from `first` on, one for each of the rows, read those. An Error if the
/// span ends after the text.
std::vector<StackStep> read_edited(const Stack& stack, const Vector& thresholds,
                                   std::span<const std::uint32_t> text, std::size_t first,
                                   const SpanRows& rows);

}  // namespace capra::stem
