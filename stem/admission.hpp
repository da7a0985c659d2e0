// Who is admitted to the experts of a routed layer. In training and over a known sequence: expert
// choice, the best of all its tokens. At decode, where the rest of the sequence is not known: every
// token whose score reaches a threshold, calibrated on a slice of text. Another capacity is another
// threshold, and nothing else (Circus; docs/chapter-8).
#pragma once

#include "model/exact.hpp"
#include "stem/float_stack.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace capra::stem {

/// How many of so many tokens a capacity admits: the ceiling of capacity * tokens, exactly.
std::size_t admitted_count(const model::Exact& capacity, std::size_t tokens);

/// Which tokens of a sequence are admitted: the `admitted_count` with the highest scores, the
/// earlier token first among equals. Scores are numbers.
std::vector<bool> expert_choice(std::span<const double> scores, const model::Exact& capacity);

/// The (1 - capacity) quantile of the scores: half way between the lowest that expert choice admits
/// and the highest that it does not, so that on these scores threshold and expert choice admit the
/// same tokens, and a score that another context moves a little falls on the same side. The one
/// difference: where those two scores are equal, the threshold admits all that are equal to them.
/// Minus infinity if all are admitted. At least one score.
double threshold_for(std::span<const double> scores, const model::Exact& capacity);

/// True for a score that reaches the threshold.
bool admits(double score, double threshold);

/// A whole text at once, each routed layer admitting by expert choice over all of it. The steps are
/// those of a decoder with the admissions forced.
std::vector<StackStep> prefill(const Stack& stack, std::span<const std::uint32_t> tokens);

/// The thresholds of a stack's routed layers, in order, for the scores of a prefill of these tokens
/// (at least one) at the layers' capacities.
Vector calibrated_thresholds(const Stack& stack, std::span<const std::uint32_t> tokens);

/// The same stack with other capacities: one for all routed layers, or one each. An Error otherwise
/// (model::check_layers). Its weights are the same; only its thresholds will differ.
Stack with_capacities(Stack stack, std::span<const model::Exact> capacities);

/// Text to calibrate on: for a structured stack each token once, in the order of its rule; for a
/// random one 256 uniform tokens.
std::vector<std::uint32_t> calibration_text(const Stack& stack);

}  // namespace capra::stem
