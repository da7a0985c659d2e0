#include "tools/stem_run/report.hpp"

#include "isa/thousands.hpp"
#include "tools/run_report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>

namespace capra::tools {
namespace {

std::string mean(double value) {
    return thousands(static_cast<std::uint64_t>(std::round(value)));
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
    print_replay_lines(replays);
}

void print_costs(const FamilyDecodes& decodes) {
    const auto steps = static_cast<std::uint32_t>(decodes.front()->run.steps.size());
    fmt::print(
        "3. Cost. Weights (words) and MACs are those of the feed-forward layer alone: block,\n"
        "   router, experts, table; attention and the projection to the vocabulary are the\n"
        "   same for all. Read and MACs are per token, means over the decode. Programs and\n"
        "   cycles are those of whole steps; ratio: all cycles to those of dense.\n\n");
    fmt::print("   {:<11} {:>7} {:>6} {:>6} {:>8} {:>7} {:>7} {:>8} {:>5}\n", "decoder", "weights",
               "read", "MACs", "programs", "step 1", fmt::format("step {}", steps),
               fmt::format("{} steps", steps), "ratio");
    for (const auto& decode : decodes) {
        const WorkPerToken work = decode->work();
        fmt::print("   {:<11} {:>7} {:>6} {:>6} {:>8} {:>7} {:>7} {:>8} {:>5.2f}{}\n", decode->name,
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
