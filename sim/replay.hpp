// Replaying programs on an engine and comparing it with the C++ machine.
#pragma once

#include "isa/target.hpp"
#include "sim/engine.hpp"
#include "sim/verilated_core.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace capra::sim {

/// The first difference between the C++ machine (`expected`) and an engine (`got`).
struct Divergence {
    std::size_t program = 0;  ///< index of the job
    std::string program_name;
    std::uint32_t pc = 0;
    std::string instruction;  ///< disassembled
    std::uint64_t cycle = 0;  ///< the machine's total counter there
    /// pc, cycle, unit, spad, acc, ext, state, code, counter, retires, memory, or fault: the engine
    /// did what no core may do.
    std::string what;
    std::uint64_t element = 0;  ///< cell address, or number of the counter
    std::string expected;
    std::string got;
};

/// One line: program, instruction disassembled, cycle, element, expected, got.
std::string to_string(const Divergence& divergence);

struct ReplayReport {
    std::string engine;
    std::string against = "the C++ machine";  ///< what the engine was compared with
    std::optional<Divergence> divergence;     ///< empty: everything compared was equal
    std::vector<Counters> counters;           ///< the engine's, one a program that was run
    std::uint64_t cycles = 0;                 ///< sum of the engine's totals
    std::uint64_t retires = 0;                ///< retired instructions compared: pc, cycle, unit
    std::uint64_t cells = 0;                  ///< written cells and memory words compared

    [[nodiscard]] bool pass() const { return !divergence.has_value(); }
};

/// Runs every job on the named engine and compares with the C++ machine: each retired
/// instruction's pc, cycle, unit and written cells, and at the end status, counters, the
/// program's external memory, and that nothing else was written anywhere. Stops at the first
/// difference. "model" is that machine itself: its status, counters and number of retired
/// instructions are compared with what `verify` predicts; no cell is. An RTL engine needs the
/// target it was built for (`check_rtl_target`). Safe to call from several threads.
/// `randomness` is what Verilator starts uninitialised registers and memories with; the other
/// engines ignore it. Throws Error when the engine cannot run.
ReplayReport replay(const std::string& engine, const isa::Target& target, std::span<const Job> jobs,
                    ResetRandomness randomness = {});

}  // namespace capra::sim
