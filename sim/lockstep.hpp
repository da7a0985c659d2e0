// Lock-step: a build of the RTL against the C++ machine, instruction by instruction.
#pragma once

#include "isa/check.hpp"
#include "sim/reference.hpp"
#include "sim/replay.hpp"
#include "sim/rtl_core.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace capra::sim {

class Lockstep {
  public:
    /// Both must outlive it.
    Lockstep(const isa::Target& target, RtlCore& core) : ref_(target), core_(core) {}

    /// Runs job number `index`. After every instruction the whole scratchpad and all accumulators
    /// are looked at: what the instruction wrote must be there, all else must be as before.
    /// External memory is compared where ST wrote, and whole at the end. Adds to `report` the
    /// instructions that were compared, and the cells that were written or belong to the program's
    /// external memory. Returns the first difference, if any. Throws RtlFault, and CycleLimit when
    /// the core runs for twice the program's cycles.
    std::optional<Divergence> run(std::size_t index, const Job& job, ReplayReport& report);

    /// A fault of the core, as a difference at the instruction that was being run.
    [[nodiscard]] Divergence divergence_of(const RtlFault& fault) const;

  private:
    /// `goes_on` becomes false when the instruction traps.
    std::optional<Divergence> run_step(std::size_t i, ReplayReport& report, bool& goes_on);
    void take_effect(const isa::Access& effect);
    [[nodiscard]] std::optional<Divergence> compare_effect(const isa::Access& effect) const;
    template <typename T>
    [[nodiscard]] std::optional<Divergence> compare_whole(isa::Space space, std::span<const T> want,
                                                          std::span<const T> got) const;
    [[nodiscard]] Divergence different(isa::Space space, std::size_t cell, std::int32_t want,
                                       std::int32_t got) const;
    std::optional<Divergence> finish(const Job& job, ReplayReport& report);

    Reference ref_;
    RtlCore& core_;
    std::uint32_t pc_ = 0;  ///< of the instruction being run

    // What the core's own memories must hold: what they held before the program, which is anything,
    // but for the cells its instructions wrote.
    std::vector<std::int8_t> spad_;
    std::vector<std::int32_t> acc_;
};

}  // namespace capra::sim
