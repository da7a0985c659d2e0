// Static verification: proves a program safe and prices it, from its text alone.
#pragma once

#include "isa/program.hpp"
#include "isa/target.hpp"
#include "sim/engine.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace capra::sim {

/// One thing that is wrong with a program.
struct Finding {
    std::uint32_t pc = 0;
    std::string text;  ///< one line: the instruction, what is wrong, the cell or value
};

/// What a program does to a machine, known without running it.
struct Verification {
    std::vector<Finding> findings;   ///< empty: the program is safe
    Status end;                      ///< how it will end
    Counters counters;               ///< what it will cost, exactly
    std::vector<bool> spad_written;  ///< per scratchpad cell: it has a defined value at the end
    std::vector<bool> acc_written;   ///< per accumulator
    /// Instructions that trap if their index, which the data hold, names no row. `end` and
    /// `counters` are those of a run in which none does; all rows were proved to be in bounds.
    std::vector<std::uint32_t> indexed;

    [[nodiscard]] bool ok() const { return findings.empty(); }
};

/// Checks that every access is in bounds and inside the program's own `memory_words`, that no
/// scratchpad or accumulator cell is read before an instruction wrote it, that the program ends
/// in HALT and has nothing behind it, and that its data and symbols lie in its memory.
///
/// With `faulty`, one of `indexed`: the same of the run that ends there.
Verification verify(const isa::Program& program, const isa::Target& target,
                    std::optional<std::uint32_t> faulty = {});

}  // namespace capra::sim
