#include "sim/lockstep.hpp"

#include "sim/effect.hpp"

#include <fmt/format.h>

#include <array>

namespace capra::sim {
namespace {

constexpr std::array<std::string_view, 4> kSpaceNames = {"none", "spad", "acc", "ext"};

}  // namespace

std::optional<Divergence> Lockstep::run(std::size_t index, const Job& job, ReplayReport& report) {
    pc_ = 0;
    ref_.load(index, job);
    core_.load(*job.program, job.memory);
    core_.start(cycle_limit(ref_.decoded));
    for (std::size_t i = 0; i < ref_.decoded.steps.size(); ++i)
        if (auto d = run_step(i, report)) return d;
    return finish(job, report);
}

Divergence Lockstep::divergence_of(const RtlFault& fault) const {
    return ref_.differs(pc_, "fault", 0, "none", fault.what());
}

std::optional<Divergence> Lockstep::run_step(std::size_t i, ReplayReport& report) {
    pc_ = static_cast<std::uint32_t>(i);
    Retire got;
    const bool retired = core_.next_retire(got);
    const Retire expected = ref_.machine.step(ref_.decoded, i);
    if (!retired)
        return ref_.differs(expected.pc, "state", 0, "an instruction retires",
                            fmt::format("stopped at pc {}", core_.status().pc));
    if (auto d = ref_.compare_retire(expected, got)) return d;
    ++report.retires;
    return compare_cells(expected.pc, isa::effect(ref_.decoded.steps[i].insn), report);
}

std::optional<Divergence> Lockstep::compare_cells(std::uint32_t pc, const isa::Access& effect,
                                                  ReplayReport& report) {
    for (std::uint32_t r = 0; r < effect.rows; ++r)
        for (std::uint32_t c = 0; c < effect.cols; ++c) {
            const std::uint32_t cell = effect.base + r * effect.stride + c;
            const std::int32_t want = read_cell(ref_.machine.memories(), effect.space, cell);
            const std::int32_t got = core_.cell(effect.space, cell);
            if (want != got)
                return ref_.differs(pc, kSpaceNames[static_cast<unsigned>(effect.space)], cell,
                                    fmt::format("{}", want), fmt::format("{}", got));
        }
    report.cells += std::uint64_t{effect.rows} * effect.cols;
    return std::nullopt;
}

std::optional<Divergence> Lockstep::finish(const Job& job, ReplayReport& report) {
    pc_ = ref_.decoded.end.pc;
    Retire extra;
    const bool more = core_.next_retire(extra);
    const Status expected = ref_.machine.finish(ref_.decoded);
    if (more)
        return ref_.differs(expected.pc, "state", 0, "the program has ended",
                            fmt::format("pc {} retires", extra.pc));
    report.counters.push_back(core_.counters());
    report.cycles += core_.counters().total;
    if (auto d = ref_.compare_end(expected, core_.status(), core_.counters())) return d;
    report.cells += job.program->memory_words;
    return ref_.compare_memory(core_.external_memory());
}

}  // namespace capra::sim
