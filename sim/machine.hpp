// The reference machine: executes per instruction, counts cycles in closed form.
#pragma once

#include "isa/target.hpp"
#include "sim/decoded_program.hpp"
#include "sim/engine.hpp"
#include "sim/memories.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace capra::sim {

class Machine {
  public:
    explicit Machine(const isa::Target& target) : memories_(target.validate()) {}

    /// Puts `words` into external memory from address 0 and clears the rest. An Error if they do
    /// not fit.
    void load_memory(std::span<const std::int32_t> words);

    /// Runs to HALT or a trap and returns how it ended; counters start from 0. Scratchpad and
    /// accumulators keep what they held: no verified program reads a cell it has not written.
    /// `program` must have been decoded for this machine's target.
    Status run(const DecodedProgram& program);

    /// As `run`, and appends one record per retired instruction.
    Status run(const DecodedProgram& program, std::vector<Retire>& trace);

    /// One instruction at a time: `begin`, then `step` for each of `program.steps` in order.
    /// Returns the record of the retired instruction, or nothing if its index is out of range: then
    /// it was the last step.
    void begin();
    std::optional<Retire> step(const DecodedProgram& program, std::size_t index);
    /// Accounts for the fetch and decode of an instruction that traps by its text, after the last
    /// step, and returns how the program ended.
    Status finish(const DecodedProgram& program);

    [[nodiscard]] const Counters& counters() const { return counters_; }
    [[nodiscard]] const Memories& memories() const { return memories_; }
    /// External words from here on were never written since `load_memory` and are 0.
    [[nodiscard]] std::size_t external_end() const { return dirty_words_; }

  private:
    void count(isa::Unit unit, std::uint64_t unit_cycles, std::uint32_t fetch_decode_cycles);
    /// False if the instruction's index is out of range; it has then done nothing.
    bool execute(const isa::Instruction& insn);
    /// Executes and counts one instruction; false as for `execute`.
    bool advance(const DecodedProgram& program, std::size_t index);
    void mark_stored(const isa::Instruction& insn);

    Memories memories_;
    Counters counters_;
    std::optional<Status> fault_;  ///< how the run ended, if an index was out of range
    std::size_t dirty_words_ = 0;  ///< external words from here on are 0
};

}  // namespace capra::sim
