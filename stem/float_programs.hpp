// The programs of a step in double precision: their graphs, evaluated as they stand.
#pragma once

#include "compiler/calibrate.hpp"
#include "stem/host_loop.hpp"

#include <map>

namespace capra::stem {

/// Graphs of segments, each built once.
class SegmentGraphs {
  public:
    /// The stack and the plan must outlive it.
    SegmentGraphs(const Stack& stack, const StepPlan& plan) : stack_(&stack), plan_(&plan) {}

    const compiler::Graph& graph(const Segment& segment);
    /// The outputs of a segment for these values, some of which it may have no input for.
    Values evaluate(const Segment& segment, const Values& given);

  private:
    const Stack* stack_;
    const StepPlan* plan_;
    std::map<Segment, compiler::Graph> graphs_;
};

/// The programs in double precision, for a HostLoop. The graphs must outlive it.
Execute in_double(SegmentGraphs& graphs);

/// Those of the values that the graph has inputs for.
compiler::Inputs inputs_of(const compiler::Graph& graph, const Values& given);

}  // namespace capra::stem
