// The RTL top in Verilator, with its external memory, driven one retired instruction at a time.
#pragma once

#include "isa/target.hpp"
#include "sim/engine.hpp"

#include <cstdint>
#include <memory>
#include <span>

namespace capra::sim {

/// Uninitialised RTL state at construction, as Verilator's +verilator+rand+reset: 0 all zero,
/// 1 all one, 2 random from `seed`.
struct ResetRandomness {
    int mode = 0;
    int seed = 1;
};

class VerilatedCore {
  public:
    explicit VerilatedCore(const isa::Target& target, ResetRandomness randomness = {});
    ~VerilatedCore();
    VerilatedCore(const VerilatedCore&) = delete;
    VerilatedCore& operator=(const VerilatedCore&) = delete;

    /// Writes the program through the host port and `memory` to external memory from address 0;
    /// the rest of external memory is cleared. An Error if either does not fit.
    void load(const isa::Program& program, std::span<const std::int32_t> memory);

    /// Resets the core and starts it at pc 0 with the loaded program.
    void start();

    /// Runs to the next retired instruction and records it; false once the core has stopped
    /// (halted or trapped) with nothing left to retire. An Error if it makes no progress.
    bool next_retire(Retire& retire);

    /// Runs until the core stops, without looking at its retire port.
    void run_to_stop();

    [[nodiscard]] Status status() const;
    [[nodiscard]] Counters counters() const;
    /// One cell of a memory of the core or of external memory.
    [[nodiscard]] std::int32_t cell(isa::Space space, std::uint32_t index) const;
    [[nodiscard]] std::span<const std::int32_t> external_memory() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace capra::sim
