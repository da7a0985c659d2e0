#include "sim/lockstep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace capra::sim {
namespace {

constexpr std::array<std::string_view, 4> kSpaceNames = {"none", "spad", "acc", "ext"};

}  // namespace

std::optional<Divergence> Lockstep::run(std::size_t index, const Job& job, ReplayReport& report) {
    pc_ = 0;
    ref_.load(index, job);
    core_.load(*job.program, job.memory);
    spad_.assign(core_.scratchpad().begin(), core_.scratchpad().end());
    acc_.assign(core_.accumulators().begin(), core_.accumulators().end());
    core_.start(cycle_limit(ref_.decoded));
    bool goes_on = true;
    for (std::size_t i = 0; goes_on && i < ref_.decoded.steps.size(); ++i)
        if (auto d = run_step(i, report, goes_on)) return d;
    return finish(job, report);
}

Divergence Lockstep::divergence_of(const RtlFault& fault) const {
    return ref_.differs(pc_, "fault", 0, "none", fault.what());
}

std::optional<Divergence> Lockstep::run_step(std::size_t i, ReplayReport& report, bool& goes_on) {
    pc_ = static_cast<std::uint32_t>(i);
    Retire got;
    const bool retired = core_.next_retire(got);
    const std::optional<Retire> expected = ref_.machine.step(ref_.decoded, i);
    goes_on = expected.has_value();
    if (retired != goes_on)
        return ref_.differs(pc_, "state", 0, goes_on ? "an instruction retires" : "it traps",
                            retired ? fmt::format("pc {} retires", got.pc)
                                    : fmt::format("stopped at pc {}", core_.status().pc));
    if (!goes_on) return std::nullopt;
    if (auto d = ref_.compare_retire(*expected, got)) return d;
    ++report.retires;
    const isa::Access effect = isa::effect(ref_.decoded.steps[i].insn);
    take_effect(effect);
    report.cells += std::uint64_t{effect.rows} * effect.cols;
    return compare_effect(effect);
}

/// Copies what the machine wrote to the core's own memories.
void Lockstep::take_effect(const isa::Access& effect) {
    const Memories& from = ref_.machine.memories();
    for (std::uint32_t r = 0; r < effect.rows; ++r) {
        const std::uint32_t begin = effect.base + r * effect.stride;
        if (effect.space == isa::Space::spad)
            std::copy_n(&from.spad[begin], effect.cols, &spad_[begin]);
        if (effect.space == isa::Space::acc)
            std::copy_n(&from.acc[begin], effect.cols, &acc_[begin]);
    }
}

std::optional<Divergence> Lockstep::compare_effect(const isa::Access& effect) const {
    if (effect.space == isa::Space::ext) {
        // One row: only ST writes here.
        const auto want = std::span(ref_.machine.memories().ext).subspan(effect.base, effect.cols);
        const auto got = core_.external_memory().subspan(effect.base, effect.cols);
        for (std::size_t i = 0; i < want.size(); ++i)
            if (want[i] != got[i]) return different(effect.space, effect.base + i, want[i], got[i]);
    }
    if (auto d = compare_whole<std::int8_t>(isa::Space::spad, spad_, core_.scratchpad())) return d;
    return compare_whole<std::int32_t>(isa::Space::acc, acc_, core_.accumulators());
}

template <typename T>
std::optional<Divergence> Lockstep::compare_whole(isa::Space space, std::span<const T> want,
                                                  std::span<const T> got) const {
    if (std::memcmp(want.data(), got.data(), want.size_bytes()) == 0) return std::nullopt;
    const auto [here, there] = std::mismatch(want.begin(), want.end(), got.begin());
    return different(space, static_cast<std::size_t>(here - want.begin()), *here, *there);
}

Divergence Lockstep::different(isa::Space space, std::size_t cell, std::int32_t want,
                               std::int32_t got) const {
    return ref_.differs(pc_, kSpaceNames[static_cast<unsigned>(space)], cell,
                        fmt::format("{}", want), fmt::format("{}", got));
}

std::optional<Divergence> Lockstep::finish(const Job& job, ReplayReport& report) {
    Retire extra;
    const bool more = core_.next_retire(extra);
    const Status expected = ref_.machine.finish(ref_.decoded);
    pc_ = expected.pc;
    if (more)
        return ref_.differs(expected.pc, "state", 0, "the program has ended",
                            fmt::format("pc {} retires", extra.pc));
    report.counters.push_back(core_.counters());
    report.cycles += core_.counters().total;
    if (auto d =
            ref_.compare_end(expected, core_.status(), ref_.machine.counters(), core_.counters()))
        return d;
    report.cells += job.program->memory_words;
    if (auto d = compare_effect({})) return d;
    return ref_.compare_memory(core_.external_memory(), core_.external_end());
}

}  // namespace capra::sim
