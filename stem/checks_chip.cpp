#include "compiler/quantise.hpp"
#include "model/tally.hpp"
#include "stem/calibration.hpp"
#include "stem/checks.hpp"
#include "stem/layer_nodes.hpp"
#include "stem/work.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace capra::stem {
namespace {

using model::CellComparison;
using model::Tally;

std::string check_name(const StackRuns& stack, std::string_view law) {
    return fmt::format("{}_{}", stack.programs.stack.name, law);
}

/// What a program was given or what it left behind, as it stands in memory.
std::span<const std::int32_t> cells(const isa::Symbol& symbol,
                                    std::span<const std::int32_t> memory) {
    return memory.subspan(symbol.address, std::size_t{symbol.rows} * symbol.cols);
}

/// The outputs that the host keeps for later programs, by the name of the input they become.
using Stored = std::map<std::string, std::vector<std::int32_t>>;

void count_inputs(Tally& tally, const ProgramRun& run, const Stored& stored) {
    for (const auto& symbol : run.program->symbols) {
        const auto kept = stored.find(symbol.name);
        if (symbol.kind != isa::SymbolKind::input || kept == stored.end()) continue;
        const auto given = cells(symbol, run.image);
        tally.count(
            std::equal(given.begin(), given.end(), kept->second.begin(), kept->second.end()));
    }
}

/// Keys and values pile up over the steps; all else is of one step, and replaced.
void keep_outputs(Stored& stored, Stored& next_caches, const ProgramRun& run) {
    for (const auto& symbol : run.program->symbols) {
        if (symbol.kind != isa::SymbolKind::output) continue;
        const auto left = cells(symbol, run.result.memory);
        if (symbol.name.ends_with("_k") || symbol.name.ends_with("_v")) {
            auto& cache = next_caches[symbol.name + "_cache"];
            cache.insert(cache.end(), left.begin(), left.end());
        } else {
            stored[symbol.name] = {left.begin(), left.end()};
        }
    }
}

void count_handover(Tally& tally, const StackRun& run) {
    Stored caches;
    for (std::uint32_t step = 1; step <= run.steps.size(); ++step) {
        Stored stored = caches;
        for (const ProgramRun* each : run.step_runs(step)) {
            count_inputs(tally, *each, stored);
            keep_outputs(stored, caches, *each);
        }
    }
}

/// The layers of one step against the ledger.
void count_work(Tally& tally, const Stack& stack, const StackRun& run, std::uint32_t step) {
    for (std::uint32_t layer = 0; layer < stack.layers.size(); ++layer) {
        Work done;
        for (const ProgramRun* each : run.step_runs(step))
            done += layer_work(*each->program, layer);
        const bool admitted = run.steps[step - 1].layers[layer].admitted;
        tally.count(done == expected_work(stack.layers[layer], step, admitted));
    }
}

/// Reads that run each program at least once: all tokens skip, or all are admitted, the experts
/// counted on by each number.
std::vector<StackRun> covering_runs(const StackPrograms& programs) {
    const auto engine = sim::make_engine("model", programs.target);
    const auto routed = capacities_of(programs.stack).size();
    std::uint32_t most = 1;  // experts of a layer
    for (const Layer& layer : programs.stack.layers)
        if (const auto* moe = moe_of(layer))
            most = std::max(most, static_cast<std::uint32_t>(moe->experts.size()));
    const auto texts = calibration_texts(programs.stack, programs.steps);
    const auto read_all = [&](bool admitted, std::uint32_t by) {
        DecodeOptions options{.thresholds = std::vector<double>(routed)};
        options.hooks.admitted = [=](const Decision&, bool) { return admitted; };
        options.hooks.expert = [&, by](const Decision& decision, std::uint32_t expert) {
            const auto& experts = moe_of(programs.stack.layers[decision.layer])->experts;
            return static_cast<std::uint32_t>((expert + by) % experts.size());
        };
        return read(programs, *engine, texts[0], options);
    };
    std::vector<StackRun> runs = {read_all(false, 0)};
    for (std::uint32_t by = 0; by < most; ++by) runs.push_back(read_all(true, by));
    return runs;
}

}  // namespace

StackRuns::StackRuns(StackPrograms compiled, std::uint32_t steps) : programs(std::move(compiled)) {
    const auto engine = sim::make_engine("model", programs.target);
    thresholds = calibrate_thresholds(programs, *engine, capacities_of(programs.stack));
    for (std::uint32_t start = 0; start < kVocabulary; ++start)
        runs.push_back(decode(programs, *engine, steps, start, {.thresholds = thresholds}));
}

Check rule_check(const StackRuns& stack) {
    Tally tally;
    for (const StackRun& run : stack.runs) {
        std::uint32_t previous = kNoToken;
        for (const StackStep& step : run.steps) {
            tally.count(step.prediction ==
                        next_token(stack.programs.stack.rule, previous, step.input));
            previous = step.input;
        }
    }
    return tally.check(check_name(stack, "follows_the_rule"),
                       "predictions are the rule's, from all 16 starts");
}

Check interpreter_check(const StackRuns& stack) {
    const auto covering = covering_runs(stack.programs);
    std::map<const isa::Program*, std::vector<const ProgramRun*>> by_program;
    for (const auto* runs : {&stack.runs, &covering})
        for (const StackRun& run : *runs)
            for (const ProgramRun& each : run.runs) by_program[each.program].push_back(&each);
    CellComparison sum;
    for (const auto& [segment, entry] : stack.programs.programs) {
        const auto quantised =
            compiler::quantise(entry.graph, entry.ranges, stack.programs.options.scales);
        for (const ProgramRun* run : by_program[&entry.program]) {
            const auto compared = model::compare_with_interpreter(quantised, *run);
            sum.cells += compared.cells;
            sum.different += compared.different;
        }
    }
    const auto ran = static_cast<std::size_t>(
        std::count_if(by_program.begin(), by_program.end(),
                      [](const auto& runs) { return !runs.second.empty(); }));
    const std::size_t all = stack.programs.programs.size();
    return {check_name(stack, "equals_interpreter"), sum.different == 0 && ran == all,
            fmt::format("{} of {} programs ran, {} of their {} output cells differ from the "
                        "integer interpreter's",
                        ran, all, sum.different, sum.cells)};
}

Check handover_check(const StackRuns& stack) {
    Tally tally;
    for (const StackRun& run : stack.runs) count_handover(tally, run);
    return tally.check(check_name(stack, "hands_over_exactly"),
                       "inputs are byte for byte what earlier programs stored");
}

Check counters_check(const StackRuns& stack) {
    std::map<const isa::Program*, sim::Counters> first;
    Tally tally;
    for (const StackRun& run : stack.runs)
        for (const ProgramRun& each : run.runs) {
            const auto& counters = each.result.counters;
            const auto [known, is_first] = first.try_emplace(each.program, counters);
            if (!is_first) tally.count(known->second == counters);
        }
    return tally.check(check_name(stack, "cost_does_not_depend_on_data"),
                       "runs cost what an earlier run of their program did");
}

Check work_check(const StackRuns& stack) {
    Tally tally;
    for (const StackRun& run : stack.runs)
        for (std::uint32_t step = 1; step <= run.steps.size(); ++step)
            count_work(tally, stack.programs.stack, run, step);
    return tally.check(check_name(stack, "works_as_the_ledger_says"),
                       "layers multiply and read what the ledger's formulas give");
}

Checks wrong_checks(const StackRuns& stack, std::span<const WrongRun> wrong) {
    std::map<std::string, Tally> tallies;
    for (const WrongRun& run : wrong) {
        tallies[run.what].all += run.mistakes;
        tallies[run.what].good += run.noticed;
    }
    Checks checks;
    for (const auto& [what, tally] : tallies)
        checks.push_back(
            tally.check(check_name(stack, fmt::format("wrong_{}_is_noticed", what)),
                        fmt::format("tokens with a wrong {} are predicted wrongly", what)));
    return checks;
}

}  // namespace capra::stem
