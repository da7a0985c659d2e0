#include "stem/stack_decoder.hpp"

#include "isa/error.hpp"
#include "model/ledger.hpp"
#include "stem/admission.hpp"
#include "stem/calibration.hpp"

#include <cassert>

#include <fmt/format.h>

namespace capra::stem {
namespace {

/// Every output of a run, by name.
Values outputs_of(const ProgramRun& run) {
    Values outputs;
    for (const auto& symbol : run.program->symbols)
        if (symbol.kind == isa::SymbolKind::output)
            outputs[symbol.name] = model::read_output(*run.program, run.result.memory, symbol.name);
    return outputs;
}

/// Runs programs on the engine, and keeps each run if there is a place for it.
Execute on_engine(const StackPrograms& programs, sim::Engine& engine, StackRun* kept) {
    return [&programs, &engine, kept](const Segment& segment, const TokenWalk& walk) {
        auto run = model::run_program(engine, programs.program(segment).program, walk.values);
        Values outputs = outputs_of(run);
        if (kept == nullptr) return outputs;
        kept->runs.push_back(std::move(run));
        kept->step_of_run.push_back(walk.position + 1);
        return outputs;
    };
}

HostLoop loop_of(const StackPrograms& programs, sim::Engine& engine, StackRun* kept,
                 const Hooks& hooks) {
    return {programs.stack, programs.options.dispatch, on_engine(programs, engine, kept), hooks};
}

/// One a routed layer.
template <class Figures>
void check_routed(const StackPrograms& programs, std::string_view what, const Figures& given) {
    const auto routed = capacities_of(programs.stack).size();
    if (given.size() != routed)
        throw Error(fmt::format("stem: {} {} for the {} routed layers of {}", given.size(), what,
                                routed, programs.stack.name));
}

void check_capacities(const StackPrograms& programs, std::span<const model::Exact> capacities) {
    check_routed(programs, "capacities", capacities);
    model::check_layers(pattern_of(programs.stack), capacities);
}

HostLoop::Admits by_threshold(const StackPrograms& programs, sim::Engine& engine,
                              std::vector<double> thresholds) {
    const auto capacities = capacities_of(programs.stack);
    if (thresholds.empty() && !capacities.empty())
        thresholds = calibrate_thresholds(programs, engine, capacities);
    check_routed(programs, "thresholds", thresholds);
    return [thresholds = std::move(thresholds)](std::size_t routed, double score) {
        return admits(score, thresholds[routed]);
    };
}

}  // namespace

sim::Counters StackRun::total() const {
    return model::total_counters(runs);
}

std::vector<const ProgramRun*> StackRun::step_runs(std::uint32_t step) const {
    assert(step >= 1 && step <= steps.size());
    std::vector<const ProgramRun*> result;
    for (std::size_t i = 0; i < runs.size(); ++i)
        if (step_of_run[i] == step) result.push_back(&runs[i]);
    return result;
}

std::uint64_t StackRun::step_cycles(std::uint32_t step) const {
    std::uint64_t cycles = 0;
    for (const ProgramRun* run : step_runs(step)) cycles += run->result.counters.total;
    return cycles;
}

StackRun decode(const StackPrograms& programs, sim::Engine& engine, std::uint32_t steps,
                std::uint32_t start, const DecodeOptions& options) {
    const auto admits = by_threshold(programs, engine, options.thresholds);
    StackRun run{.tokens = {start}};
    HostLoop loop = loop_of(programs, engine, &run, options.hooks);
    for (std::uint32_t i = 0; i < steps; ++i) {
        run.steps.push_back(loop.step(run.tokens.back(), admits));
        run.tokens.push_back(run.steps.back().prediction);
    }
    return run;
}

StackRun read(const StackPrograms& programs, sim::Engine& engine, const Tokens& tokens,
              const DecodeOptions& options) {
    const auto admits = by_threshold(programs, engine, options.thresholds);
    StackRun run{.tokens = tokens};
    HostLoop loop = loop_of(programs, engine, &run, options.hooks);
    for (const std::uint32_t token : tokens) run.steps.push_back(loop.step(token, admits));
    return run;
}

StackRun prefill(const StackPrograms& programs, sim::Engine& engine, const Tokens& tokens,
                 std::span<const model::Exact> capacities, const Hooks& hooks) {
    check_capacities(programs, capacities);
    StackRun run{.tokens = tokens};
    std::vector<HostLoop> loops = {loop_of(programs, engine, &run, hooks)};
    const std::vector<Tokens> texts = {tokens};
    auto steps =
        read_layered(loops, texts, [&](std::size_t routed, const std::vector<double>& scores) {
            return expert_choice(scores, capacities[routed]);
        });
    run.steps = std::move(steps[0]);
    return run;
}

std::vector<double> calibrate_thresholds(const StackPrograms& programs, sim::Engine& engine,
                                         std::span<const model::Exact> capacities) {
    check_capacities(programs, capacities);
    const auto texts = calibration_texts(programs.stack, programs.steps);
    std::vector<HostLoop> loops(texts.size(), loop_of(programs, engine, nullptr, {}));
    return thresholds_of(loops, texts, capacities);
}

}  // namespace capra::stem
