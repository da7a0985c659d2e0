// A stack as the programs of its decode steps: calibrated on the graphs' own runs in double
// precision, quantised, compiled.
#pragma once

#include "compiler/weight_scales.hpp"
#include "isa/target.hpp"
#include "model/compiled_model.hpp"
#include "stem/step_plan.hpp"

#include <cstdint>
#include <map>

namespace capra::stem {

using model::CompiledProgram;

struct StackOptions {
    Dispatch dispatch = Dispatch::host;
    /// With one scale a column experts and sub-keys are chosen by exact accumulators. The tables
    /// that the chip picks experts from have one scale each in any case.
    compiler::WeightScales scales = compiler::WeightScales::per_column;
};

struct StackPrograms {
    Stack stack;
    StackOptions options;
    std::uint32_t steps = 0;  ///< tokens of the longest decode
    isa::Target target;       ///< as asked for, with external memory enough for every program
    std::map<Segment, CompiledProgram> programs{};

    /// One of `programs`; an Error when none was compiled for the segment's context.
    [[nodiscard]] const CompiledProgram& program(const Segment& segment) const;
};

/// Compiles every program of decodes up to `steps` tokens.
///
/// Ranges: a program's tensors have one range over all contexts; what crosses from one program to
/// another, and the state between layers everywhere, has one over all programs, so that the host
/// hands over int8 values exactly. Gate weights have the range 1. A program is calibrated on all
/// that came to the decision before it, whichever was chosen: a wrong choice is computed as well as
/// a right one, and does not merely saturate.
///
/// Errors: no steps, or a context too long for the target.
StackPrograms compile_stack(const Stack& stack, std::uint32_t steps,
                            const isa::Target& target = isa::reference_target(),
                            const StackOptions& options = {});

}  // namespace capra::stem
