// The RTL top with its external memory in some simulator, driven one retired instruction at a
// time. Lock-step works on this, whatever was compiled into the simulator behind it.
#pragma once

#include "isa/error.hpp"
#include "isa/program.hpp"
#include "sim/engine.hpp"

#include <cstdint>
#include <span>

namespace capra::sim {

/// The core did what no core may do: it accessed external memory that is not there, or one of its
/// assertions failed.
class RtlFault : public Error {
  public:
    using Error::Error;
};

/// The core ran for more cycles than it was allowed.
class CycleLimit : public RtlFault {
  public:
    using RtlFault::RtlFault;
};

class RtlCore {
  public:
    RtlCore() = default;
    RtlCore(const RtlCore&) = delete;
    RtlCore& operator=(const RtlCore&) = delete;
    virtual ~RtlCore() = default;

    /// Resets the core, writes the program through the host port, and `memory` to external memory
    /// from address 0; the rest of external memory is cleared. An Error if either does not fit.
    virtual void load(const isa::Program& program, std::span<const std::int32_t> memory) = 0;

    /// Starts the loaded program at pc 0. From here it may take `cycle_limit` cycles.
    virtual void start(std::uint64_t cycle_limit) = 0;

    /// Runs to the next retired instruction and records it; false once the core has stopped
    /// (halted or trapped) with nothing left to retire. Throws RtlFault and CycleLimit.
    virtual bool next_retire(Retire& retire) = 0;

    /// Runs until the core stops, without looking at its retire port. Throws as `next_retire`.
    virtual void run_to_stop() = 0;

    [[nodiscard]] virtual Status status() const = 0;
    [[nodiscard]] virtual Counters counters() const = 0;

    // The memories as they are now, whole.
    [[nodiscard]] virtual std::span<const std::int8_t> scratchpad() const = 0;
    [[nodiscard]] virtual std::span<const std::int32_t> accumulators() const = 0;
    [[nodiscard]] virtual std::span<const std::int32_t> external_memory() const = 0;
    /// External words from here on were never written since `load` and are 0.
    [[nodiscard]] virtual std::size_t external_end() const = 0;
};

}  // namespace capra::sim
