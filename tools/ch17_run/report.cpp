#include "tools/ch17_run/report.hpp"

#include "isa/thousands.hpp"
#include "model/anatomy.hpp"
#include "tools/run_report.hpp"

#include <cstdio>

#include <fmt/format.h>

namespace capra::tools {
namespace {

std::string_view title(model::DecoderKind kind) {
    switch (kind) {
        case model::DecoderKind::single:
            return "one feed-forward block";
        case model::DecoderKind::routed:
            return "experts, routed";
        case model::DecoderKind::dense:
            return "experts, dense";
    }
    return "?";
}

void print_program(const model::ProgramRun& run) {
    const auto& c = run.result.counters;
    const auto parts = model::anatomy(*run.program);
    fmt::print("   {:<5} {:>6} cycles = matrix {} + dma {} + vector {} + control {}\n",
               run.program->name, thousands(c.total), thousands(c.matrix), thousands(c.dma),
               thousands(c.vector), thousands(c.control));
    fmt::print("      {} words loaded, {} stored\n", thousands(parts.words_loaded),
               thousands(parts.words_stored));
    fmt::print("      {} instructions: {}\n", run.program->code.size(),
               model::histogram_text(parts));
}

}  // namespace

void print_checks(const model::Checks& checks) {
    fmt::print(
        "1. Software checks: the C++ machine against the float model, the integer\n"
        "   interpreter of the graph, and the published figures\n\n");
    print_check_lines(checks);
}

void print_replays(const std::vector<Replay>& replays, const Decodes& decodes) {
    const auto& tokens = decodes.front()->run.tokens;
    fmt::print(
        "2. Replay: every program of the three decoders again, {} steps from token {}, in\n"
        "   lock-step with the C++ machine. Compared are pc, cycle and unit of every\n"
        "   retired instruction, every cell written, and at the end status, five counters\n"
        "   and external memory. \"model\" is that machine itself: its status, counters\n"
        "   and number of instructions are compared with what the verifier predicts.\n\n",
        tokens.size() - 1, tokens.front());
    for (const auto& replay : replays) {
        if (replay.report.pass())
            fmt::print(
                "   PASS {:<9} {:<6} {:>2} programs {:>7} cycles {:>5} retired {:>7} cells\n",
                replay.engine, replay.decoder, replay.report.counters.size(),
                thousands(replay.report.cycles), thousands(replay.report.retires),
                thousands(replay.report.cells));
        else
            fmt::print("   FAIL {:<9} {:<6} {}\n", replay.engine, replay.decoder,
                       sim::to_string(*replay.report.divergence));
    }
    fmt::print("\n");
    std::fflush(stdout);
}

void print_costs(const Decodes& decodes) {
    const auto steps = static_cast<std::uint32_t>(decodes.front()->run.steps.size());
    const auto base = static_cast<double>(decodes.front()->run.total().total);
    fmt::print(
        "3. Cost in cycles. Routing pays for one expert a token and a router; dense pays\n"
        "   for every expert.\n\n");
    fmt::print("   {:<22} {:>10} {:>8} {:>7} {:>7} {:>8} {:>5}\n", "decoder", "ff weights",
               "programs", "step 1", fmt::format("step {}", steps), fmt::format("{} steps", steps),
               "ratio");
    for (const auto& decode : decodes) {
        const auto total = decode->run.total().total;
        const auto experts = decode->compiled.model.experts;
        const auto name = experts == 1
                              ? std::string(title(decode->compiled.decoder))
                              : fmt::format("{} {}", experts, title(decode->compiled.decoder));
        fmt::print("   {:<22} {:>10} {:>8} {:>7} {:>7} {:>8} {:>5.2f}\n", name,
                   thousands(decode->compiled.model.feed_forward_weights()),
                   decode->run.runs.size(), thousands(decode->run.step_cycles(1)),
                   thousands(decode->run.step_cycles(steps)), thousands(total),
                   static_cast<double>(total) / base);
    }
    fmt::print("\n");
}

void print_anatomy(const Decodes& decodes) {
    const auto steps = decodes.front()->run.steps.size();
    fmt::print("4. Anatomy of step {}: what each program spends its cycles on\n", steps);
    for (const auto& decode : decodes) {
        const auto& runs = decode->run.runs;
        fmt::print("\n   {} decoder\n", decode->name());
        for (std::size_t i = runs.size() - runs.size() / steps; i < runs.size(); ++i)
            print_program(runs[i]);
    }
}

}  // namespace capra::tools
