// A machine proof that a mutant of the RTL changes nothing.
#pragma once

#include "mutation/mutant.hpp"

#include <chrono>
#include <string>

namespace capra::mutation {

/// True if Yosys proves that the mutant's module gives, from every state and for every input, the
/// same outputs and the same next state as the original one. Registers are paired by name, and the
/// instances in the module are taken for equal, so this is a question about combinational logic.
///
/// False says nothing: the mutant may differ only in states that are never reached, or the proof
/// may take longer than `limit`. Throws Error when the mutant's file does not hold what the mutant
/// changes, or Yosys cannot be run.
bool proves_equal(const std::string& source_dir, const Mutant& mutant,
                  std::chrono::seconds limit = std::chrono::seconds(60));

}  // namespace capra::mutation
