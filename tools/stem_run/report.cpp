#include "tools/stem_run/report.hpp"

#include "isa/thousands.hpp"
#include "stem/calibration.hpp"
#include "tools/run_report.hpp"
#include "tools/stem_run/row_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace capra::tools {
namespace {

/// Of the column of names.
constexpr std::size_t kNameWidth = 11;

std::string mean(double value) {
    return thousands(static_cast<std::uint64_t>(std::round(value)));
}

/// Each engine once, in the order of the replays.
std::vector<std::string> engines_of(const std::vector<Replay>& replays) {
    std::vector<std::string> engines;
    for (const Replay& replay : replays)
        if (std::find(engines.begin(), engines.end(), replay.engine) == engines.end())
            engines.push_back(replay.engine);
    return engines;
}

/// What was compared, which is the same on both engines of the RTL and less on the model itself,
/// and how it went on each engine.
void print_replays_of(const std::vector<Replay>& replays, const FamilyDecode& decode) {
    sim::ReplayReport most;
    std::string verdicts;
    for (const Replay& replay : replays) {
        if (replay.decoder != decode.name()) continue;
        if (replay.report.cells >= most.cells) most = replay.report;
        verdicts +=
            fmt::format(" {:>{}}", replay.report.pass() ? "PASS" : "FAIL", replay.engine.size());
    }
    fmt::print("{} {:>8} {:>5} {:>9} {:>7} {:>9}{}\n", row_name(decode.name(), kNameWidth),
               decode.checked.programs.programs.size(), most.counters.size(),
               thousands(most.cycles), thousands(most.retires),
               most.cells == 0 ? "-" : thousands(most.cells), verdicts);
}

/// Why steps of a stack with routed layers differ in cost; nothing of other stacks.
std::string admissions_of(const FamilyDecode& decode) {
    const auto routed = stem::capacities_of(decode.checked.programs.stack).size();
    if (routed == 0) return {};
    const auto admitted = [&](std::size_t step) {
        const auto& layers = decode.run.steps[step - 1].layers;
        const auto count = std::count_if(layers.begin(), layers.end(), [](const auto& layer) {
            return layer.score && layer.admitted;
        });
        return fmt::format("{} of {}", count, routed);
    };
    return fmt::format("{} {:>10} {:>10}\n", row_name(decode.name(), kNameWidth), admitted(1),
                       admitted(decode.run.steps.size()));
}

void print_admissions(const FamilyDecodes& decodes) {
    std::string rows;
    for (const auto& decode : decodes) rows += admissions_of(*decode);
    if (rows.empty()) return;
    fmt::print(
        "   A step costs more when a routed layer admits its token, which then runs two\n"
        "   experts. Layers that admit it:\n\n{} {:>10} {:>10}\n{}\n",
        row_name("decoder", kNameWidth), "step 1",
        fmt::format("step {}", decodes.front()->run.steps.size()), rows);
}

std::string steps_of(std::size_t steps) {
    return fmt::format("{} step{}", steps, steps == 1 ? "" : "s");
}

}  // namespace

void print_checks(const model::Checks& checks) {
    fmt::print(
        "1. Checks: the C++ machine against the float model, the integer interpreter of\n"
        "   the graphs, and the rules that the constructed models keep\n\n");
    print_check_lines(checks);
}

void print_replays(const std::vector<Replay>& replays, const FamilyDecodes& decodes) {
    const auto& tokens = decodes.front()->run.tokens;
    fmt::print(
        "2. Replay: every program of every decoder again, {} from token {}, in\n"
        "   lock-step with the C++ machine. Compared are pc, cycle and unit of every\n"
        "   retired instruction, every cell written, and at the end status, five counters\n"
        "   and external memory. \"model\" is that machine itself: its status, counters\n"
        "   and number of instructions are compared with what the verifier predicts.\n"
        "   Compiled: programs for every choice and context length; runs: those started.\n\n",
        steps_of(tokens.size() - 1), tokens.front());
    fmt::print("{} {:>8} {:>5} {:>9} {:>7} {:>9}", row_name("decoder", kNameWidth), "compiled",
               "runs", "cycles", "retired", "cells");
    for (const std::string& engine : engines_of(replays)) fmt::print(" {}", engine);
    fmt::print("\n");
    for (const auto& decode : decodes) print_replays_of(replays, *decode);
    for (const Replay& replay : replays)
        if (!replay.report.pass())
            fmt::print("\n   FAIL {} {}: {}\n", replay.engine, replay.decoder,
                       sim::to_string(*replay.report.divergence));
    fmt::print("\n");
    std::fflush(stdout);
}

void print_costs(const FamilyDecodes& decodes) {
    const auto steps = static_cast<std::uint32_t>(decodes.front()->run.steps.size());
    fmt::print(
        "3. Cost. Weights (words) and MACs are those of the feed-forward layers alone:\n"
        "   block, router, experts, table; attention and the projection to the vocabulary\n"
        "   are the same for all but patterns. Left out, but not of the cycles: tables of\n"
        "   activations and column scales, a score's bias, the 0/1 matrices that add a\n"
        "   product key's pairs. Read and MACs are per token, means over the decode.\n"
        "   Programs (those started) and cycles are those of whole steps; ratio: all\n"
        "   cycles to dense's.\n\n");
    fmt::print("{} {:>7} {:>6} {:>6} {:>8} {:>7} {:>8} {:>9} {:>5}\n",
               row_name("decoder", kNameWidth), "weights", "read", "MACs", "programs", "step 1",
               steps == 1 ? "last" : fmt::format("step {}", steps), steps_of(steps), "ratio");
    for (const auto& decode : decodes) {
        const WorkPerToken work = decode->work();
        fmt::print("{} {:>7} {:>6} {:>6} {:>8} {:>7} {:>8} {:>9} {:>5.2f}{}\n",
                   row_name(decode->name(), kNameWidth), thousands(decode->weights_stored()),
                   mean(work.weights_read), mean(work.macs), decode->run.runs.size(),
                   thousands(decode->run.step_cycles(1)), thousands(decode->run.step_cycles(steps)),
                   thousands(decode->run.total().total), ratio_to(*decodes.front(), *decode),
                   decode->follows_rule() ? "" : "  breaks its rule");
    }
    fmt::print("\n");
    print_admissions(decodes);
    std::fflush(stdout);
}

}  // namespace capra::tools
