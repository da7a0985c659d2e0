#include "compiler/integer_interpreter.hpp"
#include "model/checks.hpp"
#include "model/tally.hpp"
#include "model/worst.hpp"

#include <algorithm>

#include <fmt/core.h>

namespace capra::model {
namespace {

constexpr double kLargestError = 0.15;  // relative L2 of logits and router scores

Check rule_check(std::string name, const ChipRuns& chip) {
    Tally tally;
    for (const auto& run : chip.runs)
        for (const auto& step : run.steps) tally.count(step.token == successor(step.input));
    return tally.check(std::move(name), "predictions are 5t+3 mod 16, from all 16 starts");
}

/// An int8 result is never exactly the float one: no error at all means nothing was compared.
Check error_check(std::string name, const Worst& error, std::string_view what) {
    return {std::move(name), error.within(kLargestError) && error.value > 0,
            fmt::format("largest relative L2 error of the {} is {:.1f} %, allowed {:.0f} %; {} "
                        "not finite",
                        what, 100 * error.value, 100 * kLargestError, error.undefined)};
}

/// Step by step on the tokens the chip read.
Checks float_comparison(const ChipRuns& routed) {
    Tally routes;
    Worst logits;
    Worst router;
    for (const auto& run : routed.runs) {
        FloatDecoder reference(routed.compiled.model);
        for (const auto& step : run.steps) {
            const auto f = reference.step(step.input);
            routes.count(step.route == f.route);
            logits.add(relative_l2(step.logits, f.logits));
            router.add(relative_l2(step.router, f.router));
        }
    }
    return {routes.check("chip_route_equals_float_route", "routes are the float model's"),
            error_check("chip_logits_close_to_float", logits, "logits"),
            error_check("chip_router_close_to_float", router, "router scores")};
}

/// Every run of every program, from all starts.
Check interpreter_check(std::string name, const ChipRuns& chip,
                        const std::vector<CompiledProgram>& programs) {
    CellComparison sum;
    std::size_t programs_run = 0;
    for (const auto& entry : programs) {
        const auto quantised = compiler::quantise(entry.graph, entry.ranges, chip.compiled.scales);
        const auto cells_before = sum.cells;
        for (const auto& decode : chip.runs)
            for (const auto& run : decode.runs) {
                if (run.program != &entry.program) continue;
                const auto cells = compare_with_interpreter(quantised, run);
                sum.cells += cells.cells;
                sum.different += cells.different;
            }
        if (sum.cells > cells_before) ++programs_run;
    }
    return {std::move(name), sum.different == 0 && programs_run == programs.size(),
            fmt::format("{} of {} programs ran, {} of their {} output cells differ from the "
                        "integer interpreter's",
                        programs_run, programs.size(), sum.different, sum.cells)};
}

/// Every prediction; the start tokens are equal by construction. Runs of other lengths differ.
Check token_check(const ChipRuns& dense, const ChipRuns& routed) {
    Tally tally;
    if (dense.runs.size() != routed.runs.size()) tally.count(false);
    for (std::size_t start = 0; start < std::min(dense.runs.size(), routed.runs.size()); ++start) {
        const auto& tokens = dense.runs[start].tokens;
        const auto& expected = routed.runs[start].tokens;
        if (tokens.size() != expected.size()) tally.count(false);
        for (std::size_t i = 1; i < std::min(tokens.size(), expected.size()); ++i)
            tally.count(tokens[i] == expected[i]);
    }
    return tally.check("dense_tokens_equal_routed_tokens",
                       "predictions of the dense decoder are the routed decoder's");
}

/// What the integer interpreter gives for the inputs of a run, as its memory image has them.
std::vector<compiler::IntMatrix> interpreted(const compiler::QuantisedGraph& quantised,
                                             const ProgramRun& run) {
    compiler::IntInputs inputs;
    compiler::Indices indices;
    for (const auto& symbol : run.program->symbols) {
        if (symbol.kind != isa::SymbolKind::input) continue;
        if (symbol.scale == 0)
            indices[symbol.name] = static_cast<std::uint32_t>(run.image[symbol.address]);
        else
            inputs[symbol.name] = stored_matrix(*run.program, symbol, run.image);
    }
    return compiler::evaluate(quantised, inputs, indices);
}

}  // namespace

ChipRuns::ChipRuns(CompiledModel model, std::uint32_t steps) : compiled(std::move(model)) {
    const auto engine = sim::make_engine("model", compiled.target);
    for (std::uint32_t start = 0; start < kVocabulary; ++start)
        runs.push_back(decode(compiled, *engine, steps, start));
}

CellComparison compare_with_interpreter(const compiler::QuantisedGraph& quantised,
                                        const ProgramRun& run) {
    const auto values = interpreted(quantised, run);
    CellComparison result;
    for (std::size_t id = 0; id < values.size(); ++id) {
        const auto& node = quantised.graph.nodes[id];
        if (node.op != compiler::Op::output) continue;
        const auto& symbol = isa::find_symbol(*run.program, isa::SymbolKind::output, node.name);
        const auto& expected = values[id].values;
        result.cells += expected.size();
        for (std::size_t i = 0; i < expected.size(); ++i)
            if (run.result.memory[symbol.address + i] != expected[i]) ++result.different;
    }
    return result;
}

Checks routed_checks(const ChipRuns& routed) {
    Checks checks{rule_check("chip_follows_the_rule", routed)};
    const auto comparison = float_comparison(routed);
    checks.insert(checks.end(), comparison.begin(), comparison.end());
    checks.push_back(interpreter_check("attention_programs_equal_interpreter", routed,
                                       routed.compiled.contexts));
    checks.push_back(
        interpreter_check("expert_programs_equal_interpreter", routed, routed.compiled.experts));
    return checks;
}

Checks dense_checks(const ChipRuns& dense, const ChipRuns& routed) {
    return {token_check(dense, routed),
            interpreter_check("dense_programs_equal_interpreter", dense, dense.compiled.contexts)};
}

Checks single_checks(const ChipRuns& single) {
    return {rule_check("single_block_follows_the_rule", single),
            interpreter_check("single_block_programs_equal_interpreter", single,
                              single.compiled.contexts)};
}

Checks dispatch_checks(const CompiledModel& routed) {
    const auto engine = sim::make_engine("model", routed.target);
    const auto next_expert = [&](std::uint32_t route) {
        return (route + 1) % routed.model.experts;
    };
    const auto run = decode(routed, *engine, kCheckedSteps, 0, next_expert);
    Tally tally;
    for (std::size_t i = 1; i < run.tokens.size(); ++i) tally.count(run.tokens[i] == 0);
    return {tally.check("wrong_dispatch_decodes_zeros",
                        "tokens are 0 when the host dispatches to route + 1, from token 0")};
}

}  // namespace capra::model
