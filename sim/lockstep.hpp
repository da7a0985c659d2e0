// Lock-step: a build of the RTL against the C++ machine, instruction by instruction.
#pragma once

#include "isa/check.hpp"
#include "sim/reference.hpp"
#include "sim/replay.hpp"
#include "sim/rtl_core.hpp"

#include <cstdint>
#include <optional>

namespace capra::sim {

class Lockstep {
  public:
    /// Both must outlive it.
    Lockstep(const isa::Target& target, RtlCore& core) : ref_(target), core_(core) {}

    /// Runs job number `index` and adds what was compared to `report`; the first difference, if
    /// any. Throws RtlFault, and CycleLimit when the core runs for twice the program's cycles.
    std::optional<Divergence> run(std::size_t index, const Job& job, ReplayReport& report);

    /// A fault of the core, as a difference at the instruction that was being run.
    [[nodiscard]] Divergence divergence_of(const RtlFault& fault) const;

  private:
    std::optional<Divergence> run_step(std::size_t i, ReplayReport& report);
    std::optional<Divergence> compare_cells(std::uint32_t pc, const isa::Access& effect,
                                            ReplayReport& report);
    std::optional<Divergence> finish(const Job& job, ReplayReport& report);

    Reference ref_;
    RtlCore& core_;
    std::uint32_t pc_ = 0;  ///< of the instruction being run
};

}  // namespace capra::sim
