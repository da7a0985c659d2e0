// The laws that decodes of the STEM family keep, each as a named check with its measured figure.
// The functions take what they check, so that a test can hand them something broken.
#pragma once

#include "model/checks.hpp"
#include "stem/quality.hpp"
#include "stem/stack_decoder.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace capra::stem {

using model::Check;
using model::Checks;

/// The steps of every decode that is checked.
inline constexpr std::uint32_t kCheckedSteps = 24;

/// A compiled stack and its decode from each of the 16 starts on the C++ machine.
struct StackRuns {
    StackPrograms programs;
    std::vector<double> thresholds{};  ///< of the routed layers, calibrated on the chip
    std::vector<StackRun> runs{};      ///< by start; they point into `programs`

    StackRuns(StackPrograms compiled, std::uint32_t steps);
    StackRuns(const StackRuns&) = delete;
    StackRuns& operator=(const StackRuns&) = delete;
};

/// A mistake of the host, made at every token of a text by the rule.
struct WrongRun {
    std::string what;            ///< "admission", "expert", "row"
    std::uint64_t mistakes = 0;  ///< tokens at which the mistake could be made
    std::uint64_t noticed = 0;   ///< of these, tokens whose prediction is not the rule's
};

/// The mistakes there are with a structured stack that has one layer with something to decide; none
/// with other stacks. The admission is reversed; an expert is each other one in each place, where
/// any runs; a row is each other one of the table, where no expert runs, and where it stands for
/// another answer.
std::vector<WrongRun> wrong_runs(const StackRuns& right);

// --- checks_chip.cpp: programs against the interpreter, hand-over, counters

/// Predictions are the rule's, from all starts.
Check rule_check(const StackRuns& stack);
/// Every output cell of every run is the integer interpreter's. Each program ran, if not in the
/// decodes, then in reads with all tokens admitted, or none, and each expert in each place.
Check interpreter_check(const StackRuns& stack);
/// What a program was given is what an earlier one stored, to the byte: in the same step what
/// crosses a decision, of earlier steps the keys and values.
Check handover_check(const StackRuns& stack);
/// All runs of one program have the same counters; those that are not its first are counted.
Check counters_check(const StackRuns& stack);
/// Multiply-accumulates and weights read in each layer, step by step, are what the ledger says.
Check work_check(const StackRuns& stack);
/// One check for each kind of mistake: all are noticed.
Checks wrong_checks(const StackRuns& stack, std::span<const WrongRun> wrong);

// --- checks.cpp

/// All of the above that apply to the stack.
Checks stack_checks(const StackRuns& stack);
/// The tokens and experts of the two are equal, the programs of the one with dispatch on the chip
/// being one a step.
Checks dispatch_checks(const StackRuns& on_chip, const StackRuns& host);
/// Logits of random stacks against double precision, and what they score and decide, if anything.
/// Each of `layers` feed-forward layers rounds independently of the others, so that the errors
/// allowed are those of one layer times the square root of their number.
Checks float_checks(std::string_view name, const Agreement& agreement, std::size_t layers = 1);

}  // namespace capra::stem
