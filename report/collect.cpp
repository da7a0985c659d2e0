#include "report/collect.hpp"

#include "isa/assembler.hpp"
#include "model/anatomy.hpp"
#include "sim/verify.hpp"

#include <utility>

namespace capra::report {
namespace {

Cost cost_of(const isa::Program& program, const sim::Counters& counters) {
    const model::Anatomy parts = model::anatomy(program);
    return {counters, program.code.size(), parts.words_loaded, parts.words_stored,
            model::multiply_accumulates(program)};
}

std::vector<Run> runs_of(const model::DecodeRun& decode) {
    const std::size_t per_step = decode.runs.size() / decode.steps.size();
    std::vector<Run> runs;
    for (std::size_t i = 0; i < decode.runs.size(); ++i) {
        const model::ProgramRun& run = decode.runs[i];
        runs.push_back({static_cast<std::uint32_t>(i / per_step + 1), run.program->name,
                        cost_of(*run.program, run.result.counters)});
    }
    return runs;
}

/// The float model reads the chip's tokens, so that both decide about the same sequence.
std::vector<Step> steps_of(const model::CompiledModel& compiled, const model::DecodeRun& decode) {
    model::FloatDecoder reference(compiled.model, compiled.top);
    std::vector<Step> steps;
    for (const model::ChipStep& chip : decode.steps) {
        Step step{chip.input, chip.token, std::nullopt};
        if (compiled.decoder == model::DecoderKind::routed) {
            const model::FloatStep expected = reference.step(chip.input);
            step.routing = {chip.experts,   chip.router,
                            chip.route,     model::route_margin(chip.router),
                            expected.route, model::route_margin(expected.router)};
        }
        steps.push_back(std::move(step));
    }
    return steps;
}

std::vector<Grouped> grouped_programs(const model::CompiledModel& compiled) {
    std::vector<Grouped> grouped;
    if (compiled.decoder != model::DecoderKind::routed || compiled.top != 1) return grouped;
    for (const std::uint32_t rows : kGroupedRows) {
        const isa::Program program = model::compile_expert_rows(compiled, rows).front().program;
        const sim::Counters counters = sim::verify(program, compiled.target).counters;
        grouped.push_back({rows, program.name, cost_of(program, counters)});
    }
    return grouped;
}

ProgramTimeline timeline_of(const model::ProgramRun& run) {
    ProgramTimeline timeline{run.program->name, {}};
    std::uint64_t from = 0;
    for (const sim::Retire& retire : run.result.trace) {
        timeline.slices.push_back({retire.pc, isa::disassemble(run.program->code[retire.pc]),
                                   retire.unit, from, retire.cycle});
        from = retire.cycle;
    }
    return timeline;
}

Timeline last_step(const model::DecodeRun& decode) {
    const std::size_t steps = decode.steps.size();
    Timeline timeline{static_cast<std::uint32_t>(steps), {}};
    for (std::size_t i = decode.runs.size() / steps * (steps - 1); i < decode.runs.size(); ++i)
        timeline.programs.push_back(timeline_of(decode.runs[i]));
    return timeline;
}

}  // namespace

Decoder collect(const model::CompiledModel& compiled, const model::DecodeRun& run) {
    return {std::string(model::decoder_name(compiled.decoder)),
            compiled.target.name,
            compiled.model.experts,
            compiled.model.feed_forward_weights(),
            runs_of(run),
            steps_of(compiled, run),
            grouped_programs(compiled),
            last_step(run)};
}

}  // namespace capra::report
