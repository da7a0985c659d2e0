#include "tools/stem_run/report.hpp"

#include "isa/thousands.hpp"
#include "tools/run_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace capra::tools {
namespace {

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
void print_replays_of(const std::vector<Replay>& replays, const std::string& decoder) {
    sim::ReplayReport most;
    std::string verdicts;
    for (const Replay& replay : replays) {
        if (replay.decoder != decoder) continue;
        if (replay.report.cells >= most.cells) most = replay.report;
        verdicts += fmt::format(" {:>9}", replay.report.pass() ? "PASS" : "FAIL");
    }
    fmt::print("   {:<11} {:>8} {:>8} {:>8} {:>9}{}\n", decoder, most.counters.size(),
               thousands(most.cycles), thousands(most.retires), thousands(most.cells), verdicts);
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
        "2. Replay: every program of every decoder again, {} steps from token {}, in\n"
        "   lock-step with the C++ machine. Compared are pc, cycle and unit of every\n"
        "   retired instruction, every cell written, and at the end status, five counters\n"
        "   and external memory. \"model\" is that machine itself: its status, counters\n"
        "   and number of instructions are compared with what the verifier predicts.\n\n",
        tokens.size() - 1, tokens.front());
    fmt::print("   {:<11} {:>8} {:>8} {:>8} {:>9}", "decoder", "programs", "cycles", "retired",
               "cells");
    for (const std::string& engine : engines_of(replays)) fmt::print(" {:>9}", engine);
    fmt::print("\n");
    for (const auto& decode : decodes) print_replays_of(replays, decode->name);
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
        "3. Cost. Weights (words) and MACs are those of the feed-forward layer alone:\n"
        "   block, router, experts, table; attention and the projection to the vocabulary\n"
        "   are the same for all. Read and MACs are per token, means over the decode.\n"
        "   Programs and cycles are those of whole steps; ratio: all cycles to dense's.\n\n");
    fmt::print("   {:<11} {:>7} {:>6} {:>6} {:>8} {:>7} {:>8} {:>9} {:>5}\n", "decoder", "weights",
               "read", "MACs", "programs", "step 1", fmt::format("step {}", steps),
               fmt::format("{} steps", steps), "ratio");
    for (const auto& decode : decodes) {
        const WorkPerToken work = decode->work();
        fmt::print("   {:<11} {:>7} {:>6} {:>6} {:>8} {:>7} {:>8} {:>9} {:>5.2f}{}\n", decode->name,
                   thousands(decode->weights_stored()), mean(work.weights_read), mean(work.macs),
                   decode->run.runs.size(), thousands(decode->run.step_cycles(1)),
                   thousands(decode->run.step_cycles(steps)), thousands(decode->run.total().total),
                   ratio_to(*decodes.front(), *decode),
                   decode->follows_rule() ? "" : "  breaks its rule");
    }
    fmt::print("\n");
    std::fflush(stdout);
}

}  // namespace capra::tools
