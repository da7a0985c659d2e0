#include "sim/replay.hpp"

#include "sim/icarus_engine.hpp"
#include "sim/lockstep.hpp"
#include "sim/reference.hpp"

#include <fmt/format.h>

namespace capra::sim {
namespace {

ReplayReport replay_verilator(const isa::Target& target, std::span<const Job> jobs,
                              ResetRandomness randomness) {
    ReplayReport report{.engine = "verilator"};
    const auto core = make_verilated_core(target, randomness);
    Lockstep lockstep(target, *core);
    try {
        for (std::size_t i = 0; i < jobs.size() && report.pass(); ++i)
            report.divergence = lockstep.run(i, jobs[i], report);
    } catch (const RtlFault& fault) {
        report.divergence = lockstep.divergence_of(fault);
    }
    return report;
}

/// The machine against itself: stepped against run whole.
std::optional<Divergence> run_model(Reference& ref, Machine& whole, const Job& job,
                                    ReplayReport& report) {
    std::vector<Retire> trace;
    whole.load_memory(job.memory);
    const Status got = whole.run(ref.decoded, trace);
    for (std::size_t i = 0; i < ref.decoded.steps.size(); ++i)
        if (auto d = ref.compare_retire(ref.machine.step(ref.decoded, i), trace[i])) return d;
    const Status expected = ref.machine.finish(ref.decoded);
    report.retires += trace.size();
    report.cells += job.program->memory_words;
    report.counters.push_back(whole.counters());
    report.cycles += whole.counters().total;
    if (auto d = ref.compare_end(expected, got, whole.counters())) return d;
    return ref.compare_memory(whole.memories().ext);
}

ReplayReport replay_model(const isa::Target& target, std::span<const Job> jobs) {
    ReplayReport report{.engine = "model"};
    Reference ref(target);
    Machine whole(target);
    for (std::size_t i = 0; i < jobs.size() && report.pass(); ++i) {
        ref.load(i, jobs[i]);
        report.divergence = run_model(ref, whole, jobs[i], report);
    }
    return report;
}

}  // namespace

std::string to_string(const Divergence& d) {
    return fmt::format("program {} ({}), instruction {}: {}; cycle {}: {} {}: expected {}, got {}",
                       d.program, d.program_name, d.pc, d.instruction, d.cycle, d.what, d.element,
                       d.expected, d.got);
}

ReplayReport replay(const std::string& engine, const isa::Target& target, std::span<const Job> jobs,
                    ResetRandomness randomness) {
    if (engine == "model") return replay_model(target, jobs);
    if (engine == "verilator") return replay_verilator(target, jobs, randomness);
    if (engine == "icarus") return replay_icarus(target, jobs);
    unknown_engine(engine);
}

}  // namespace capra::sim
