#include "sim/replay.hpp"

#include "sim/icarus_engine.hpp"
#include "sim/lockstep.hpp"
#include "sim/reference.hpp"
#include "sim/verify.hpp"

#include <fmt/format.h>

#include <algorithm>

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

/// The machine against what the static verifier says of the program's text. What the instructions
/// compute is not compared: nothing else computes it.
std::optional<Divergence> run_model(Reference& ref, const Job& job, const isa::Target& target,
                                    ReplayReport& report) {
    Machine& machine = ref.machine;
    std::vector<Retire> trace;
    const Status end = machine.run(ref.decoded, trace);
    report.retires += trace.size();
    report.counters.push_back(machine.counters());
    report.cycles += machine.counters().total;
    Verification predicted = verify(*job.program, target);
    // Whether an index is out of range only the data tell, but where one may be, and what it costs.
    if (end.trap == isa::Trap::index_range && std::ranges::count(predicted.indexed, end.pc) == 1)
        predicted = verify(*job.program, target, end.pc);
    return ref.compare_prediction(predicted, end, trace.size());
}

ReplayReport replay_model(const isa::Target& target, std::span<const Job> jobs) {
    ReplayReport report{.engine = "model", .against = "its static verification"};
    Reference ref(target);
    for (std::size_t i = 0; i < jobs.size() && report.pass(); ++i) {
        ref.load(i, jobs[i]);
        report.divergence = run_model(ref, jobs[i], target, report);
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
