// What graders ask of every answer in assembler, whatever it computes.
#pragma once

#include "exercises/verdict.hpp"
#include "isa/program.hpp"
#include "isa/target.hpp"
#include "sim/engine.hpp"
#include "sim/verify.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace capra::exercise {

/// External memory from address 0 that a grader brings.
struct MemoryCase {
    std::string name;
    std::vector<std::int32_t> memory;
};

/// The words of external memory from `first` up to `end`, which is not one of them.
struct Words {
    std::uint32_t first = 0;
    std::uint32_t end = 0;
};

/// A verdict where `capra verify` finds something, or where the memory that the program declares
/// ends before word `end`.
std::optional<Verdict> check_safety(const sim::Verification& report);
std::optional<Verdict> check_memory_words(const isa::Program& program, std::uint32_t end);

/// A verdict where the program took more cycles than `most`; `hint` is part of it.
std::optional<Verdict> check_cost(const sim::Counters& counters, std::uint64_t most,
                                  const std::string& hint);

/// A verdict where a word other than `results` is not what it was before, 0 behind the case's end.
std::optional<Verdict> check_other_words(const MemoryCase& c, Words results,
                                         const std::vector<std::int32_t>& after);

/// A verdict where the RTL in Verilator and the C++ machine differ in any of these cases.
std::optional<Verdict> check_rtl(const isa::Program& program, const isa::Target& target,
                                 const std::vector<MemoryCase>& cases);

}  // namespace capra::exercise
