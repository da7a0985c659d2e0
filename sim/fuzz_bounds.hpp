// Instructions that are illegal by one: the bounds of the legality checks, from outside.
#pragma once

#include "isa/instruction.hpp"
#include "isa/target.hpp"

#include <vector>

namespace capra::sim {

/// The instruction with one field set to the first value beyond a bound of it, once for every such
/// bound that the field's bits can hold: one less than its least value, one more than its limit,
/// and the address from which an operand ends with the first cell that is not there.
std::vector<isa::Instruction> just_illegal(const isa::Instruction& insn, const isa::Target& target);

}  // namespace capra::sim
