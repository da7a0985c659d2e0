#include "stem/programs.hpp"

#include "compiler/compile.hpp"
#include "isa/error.hpp"
#include "stem/calibration.hpp"
#include "stem/graphs.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

namespace capra::stem {
namespace {

/// A context is one row of the softmax and the depth of attention times V, which the target bounds.
void check_steps(std::uint32_t steps, const isa::Target& target) {
    const auto longest = std::min(target.softmax_max, target.tile_depth);
    if (steps == 0 || steps > longest)
        throw Error(fmt::format("stem: a decode has 1 to {} steps, not {}", longest, steps));
}

/// External memory that every program fits: `words` if that is enough, else a power of two.
std::uint32_t fitting_ext_words(const StackPrograms& programs, std::uint32_t words) {
    std::uint32_t needed = words;
    for (const auto& [segment, entry] : programs.programs)
        needed = std::max(needed, entry.program.memory_words);
    return needed == words ? words : std::bit_ceil(needed);
}

}  // namespace

const CompiledProgram& StackPrograms::program(const Segment& segment) const {
    const auto found = programs.find(segment);
    if (found == programs.end())
        throw Error(fmt::format("stem: no program {} was compiled for {} in decodes of {} steps",
                                StepPlan(stack, options.dispatch).name(segment), stack.name,
                                steps));
    return found->second;
}

StackPrograms compile_stack(const Stack& stack, std::uint32_t steps, const isa::Target& target,
                            const StackOptions& options) {
    check_steps(steps, target);
    StackPrograms result{.stack = stack, .options = options, .steps = steps, .target = target};
    const StepPlan plan(stack, options.dispatch);
    ProgramRanges ranges = calibrate_ranges(stack, plan, calibration_texts(stack, steps));
    share_ranges(stack, ranges);
    isa::Target roomy = target;
    roomy.ext_words = isa::kMaxExtWords;
    for (const Segment& segment : plan.segments(steps)) {
        CompiledProgram entry{
            segment_graph(stack, plan, segment), ranges.at(any_context(segment)), {}};
        entry.program = compiler::compile(entry.graph, entry.ranges, roomy, options.scales);
        result.programs.emplace(segment, std::move(entry));
    }
    result.target.ext_words = fitting_ext_words(result, target.ext_words);
    return result;
}

}  // namespace capra::stem
