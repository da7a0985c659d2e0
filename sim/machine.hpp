// The reference machine: executes per instruction, counts cycles in closed form.
#pragma once

#include "isa/target.hpp"
#include "sim/decoded_program.hpp"
#include "sim/engine.hpp"
#include "sim/memories.hpp"

#include <cstdint>
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
    /// Returns the record of the retired instruction.
    void begin();
    Retire step(const DecodedProgram& program, std::size_t index);
    /// Accounts for the fetch and decode of a trapping instruction, after the last step.
    Status finish(const DecodedProgram& program);

    [[nodiscard]] const Counters& counters() const { return counters_; }
    [[nodiscard]] const Memories& memories() const { return memories_; }
    /// External words from here on were never written since `load_memory` and are 0.
    [[nodiscard]] std::size_t external_end() const { return dirty_words_; }

  private:
    void count(const Step& step, std::uint32_t fetch_decode_cycles);
    void execute(const isa::Instruction& insn);
    void mark_stored(const isa::Instruction& insn);

    Memories memories_;
    Counters counters_;
    std::size_t dirty_words_ = 0;  ///< external words from here on are 0
};

}  // namespace capra::sim
