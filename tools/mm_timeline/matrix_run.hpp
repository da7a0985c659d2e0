// What the matrix unit does in every cycle of one MM, as a waveform of the RTL shows it.
#pragma once

#include "isa/instruction.hpp"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace capra::tools {

/// The states of rtl/mm_unit.v in which it works, in their order.
enum class Phase : std::uint8_t { setup = 1, load = 2, run = 3, drain = 4 };
inline constexpr std::array kPhases{Phase::setup, Phase::load, Phase::run, Phase::drain};
const char* phase_name(Phase phase);

/// Rows and columns of the array whose waveform is read.
inline constexpr std::size_t kArray = 4;

struct MatrixCycle {
    Phase phase = Phase::setup;
    bool reads_a = false;      ///< the scratchpad is asked for a byte of A
    bool reads_b = false;      ///< the scratchpad is asked for a byte of B
    bool writes_tile = false;  ///< a complete word goes to a tile memory
    bool reads_tile = false;   ///< a step's two words are asked for
    bool enters = false;       ///< they are there, and enter the skew registers
    std::array<std::array<bool, kArray>, kArray> adds{};  ///< PE (i, j) adds a product
    bool shifts = false;                                  ///< an accumulator leaves the array
    bool writes_acc = false;                              ///< a result is written

    [[nodiscard]] bool multiplies() const;
};

/// One MM from its first cycle in the unit to its last.
struct MatrixRun {
    isa::Instruction insn;
    std::vector<MatrixCycle> cycles;

    [[nodiscard]] std::size_t length(Phase phase) const;
};

/// Every MM in a waveform of tb/replay_tb.v. An Error names a file that is not one, or that holds
/// no MM.
std::vector<MatrixRun> matrix_runs(std::string_view vcd, const std::string& file);

}  // namespace capra::tools
