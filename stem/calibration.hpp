// What a stack is calibrated on, and the ranges that come of it.
#pragma once

#include "compiler/calibrate.hpp"
#include "stem/float_programs.hpp"
#include "stem/layered_read.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace capra::stem {

/// 16 texts, one from each start: the rule's own, or for random weights random tokens by the
/// stack's seed.
std::vector<Tokens> calibration_texts(const Stack& stack, std::uint32_t steps);

/// The share of tokens of each routed layer, in order.
std::vector<model::Exact> capacities_of(const Stack& stack);

/// The threshold of each routed layer at which it admits its share of the texts, each layer after
/// those before it; `loops` read one text each.
std::vector<double> thresholds_of(std::span<HostLoop> loops, std::span<const Tokens> texts,
                                  std::span<const model::Exact> capacities);

/// The segment without its context.
Segment any_context(Segment segment);

/// Ranges of each program, by `any_context`: it has the same for all contexts.
using ProgramRanges = std::map<Segment, compiler::Ranges>;

/// Ranges of every program over the texts, with routed layers at their capacity, and with all
/// tokens admitted, and with none: what is calibrated serves every threshold. All programs that may
/// follow a decision are run on all that comes to it.
ProgramRanges calibrate_ranges(const Stack& stack, const StepPlan& plan,
                               std::span<const Tokens> texts);

/// Gives what crosses from one program to another, and the state everywhere, the same range in all
/// programs; the weights of experts and rows the range 1.
void share_ranges(const Stack& stack, ProgramRanges& ranges);

}  // namespace capra::stem
