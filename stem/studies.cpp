#include "stem/studies.hpp"

#include "isa/codec.hpp"
#include "isa/error.hpp"
#include "model/float_decoder.hpp"
#include "stem/calibration.hpp"

#include <limits>

#include <fmt/format.h>

namespace capra::stem {
namespace {

/// A routed layer is one with a score.
void count_admissions(AdmissionStudy& study, const StackStep& choice, const StackStep& threshold) {
    auto other = threshold.layers.begin();
    for (const LayerTrace& layer : choice.layers) {
        const bool reached = (other++)->admitted;
        if (!layer.score) continue;
        study.admissions.count(layer.admitted == reached);
        study.by_choice += layer.admitted ? 1 : 0;
        study.by_threshold += reached ? 1 : 0;
    }
    study.predictions.count(choice.prediction == threshold.prediction);
}

void count_step(DialPoint& point, Rule rule, const StackStep& step, std::uint32_t previous) {
    for (const LayerTrace& layer : step.layers)
        if (layer.score) point.admitted.count(layer.admitted);
    if (rule != Rule::none)
        point.right.count(step.prediction == next_token(rule, previous, step.input));
}

std::vector<StackRun> read_all(const StackPrograms& programs, sim::Engine& engine,
                               std::span<const Tokens> texts,
                               const std::vector<double>& thresholds) {
    std::vector<StackRun> runs;
    for (const Tokens& text : texts)
        runs.push_back(read(programs, engine, text, {.thresholds = thresholds}));
    return runs;
}

/// Adds up the runs, and how far their logits are from those of `whole`, the same texts at C = 1.
void measure(DialPoint& point, Rule rule, std::span<const StackRun> runs,
             std::span<const StackRun> whole) {
    double distance = 0;
    std::uint64_t steps = 0;
    for (std::size_t text = 0; text < runs.size(); ++text) {
        std::uint32_t previous = kNoToken;
        for (std::size_t i = 0; i < runs[text].steps.size(); ++i) {
            const StackStep& step = runs[text].steps[i];
            count_step(point, rule, step, previous);
            distance += model::relative_l2(step.logits, whole[text].steps[i].logits);
            previous = step.input;
            ++steps;
        }
        point.cycles += runs[text].total().total;
    }
    point.logit_distance = distance / static_cast<double>(steps);
}

std::uint64_t words_moved(const isa::Program& program) {
    std::uint64_t words = 0;
    for (const auto& word : program.code) {
        const isa::Instruction insn = isa::decode(word).value();
        if (isa::row_of(insn.op).unit == isa::Unit::dma) words += insn.n;
    }
    return words;
}

std::uint64_t host_words(const isa::Program& program) {
    std::uint64_t words = 0;
    for (const auto& symbol : program.symbols)
        if (symbol.kind != isa::SymbolKind::weight)
            words += std::uint64_t{symbol.rows} * symbol.cols;
    return words;
}

DispatchCost dispatch_cost(const Stack& stack, Dispatch dispatch, std::uint32_t steps,
                           std::uint32_t start) {
    const auto programs =
        compile_stack(stack, steps, isa::reference_target(),
                      {.dispatch = dispatch, .scales = compiler::WeightScales::per_tensor});
    const auto engine = sim::make_engine("model", programs.target);
    const StackRun run = decode(programs, *engine, steps, start);
    DispatchCost cost{.dispatch = dispatch,
                      .programs = run.runs.size(),
                      .step_1_cycles = run.step_cycles(1),
                      .last_step_cycles = run.step_cycles(steps),
                      .cycles = run.total().total,
                      .tokens = run.tokens};
    for (const ProgramRun& each : run.runs) {
        cost.instructions += each.program->code.size();
        cost.words_moved += words_moved(*each.program);
        cost.host_words += host_words(*each.program);
    }
    return cost;
}

}  // namespace

AdmissionStudy study_admission(const StackPrograms& programs, sim::Engine& engine,
                               std::span<const Tokens> texts) {
    const auto capacities = capacities_of(programs.stack);
    const auto thresholds = calibrate_thresholds(programs, engine, capacities);
    const auto by_threshold = read_all(programs, engine, texts, thresholds);
    AdmissionStudy study;
    for (std::size_t text = 0; text < texts.size(); ++text) {
        const StackRun by_choice = prefill(programs, engine, texts[text], capacities);
        for (std::size_t i = 0; i < by_choice.steps.size(); ++i)
            count_admissions(study, by_choice.steps[i], by_threshold[text].steps[i]);
    }
    return study;
}

std::vector<model::Exact> dial_capacities() {
    return {model::Exact(1, 8), model::Exact(1, 4), model::Exact(1, 2), model::Exact(3, 4), 1};
}

std::vector<DialPoint> study_dial(const StackPrograms& programs, sim::Engine& engine,
                                  std::span<const Tokens> texts,
                                  std::span<const model::Exact> capacities) {
    const auto routed = capacities_of(programs.stack).size();
    if (routed == 0)
        throw Error(fmt::format("stem: {} has no routed layer to dial", programs.stack.name));
    const auto at = [&](const model::Exact& capacity) {
        return calibrate_thresholds(programs, engine, std::vector<model::Exact>(routed, capacity));
    };
    constexpr double kAll = -std::numeric_limits<double>::infinity();
    const auto whole = read_all(programs, engine, texts, std::vector<double>(routed, kAll));
    std::vector<DialPoint> points;
    for (const model::Exact& capacity : capacities) {
        DialPoint point{.capacity = capacity, .thresholds = at(capacity)};
        const auto runs = read_all(programs, engine, texts, point.thresholds);
        measure(point, programs.stack.rule, runs, whole);
        points.push_back(std::move(point));
    }
    return points;
}

std::vector<DispatchCost> study_dispatch(const Stack& stack, std::uint32_t steps,
                                         std::uint32_t start) {
    return {dispatch_cost(stack, Dispatch::host, steps, start),
            dispatch_cost(stack, Dispatch::on_chip, steps, start)};
}

}  // namespace capra::stem
