// Short programs with a purpose: what random ones reach too seldom.
#pragma once

#include "mutation/rtl_checks.hpp"

#include <vector>

namespace capra::mutation {

/// Cheap ones first:
///   directed/SUBJECT     every instruction once, a full program memory, streams that overlap their
///                        source by one cell, a softmax row on the edge of rounding, indices on
///                        both sides of the last row
///   power-up/N           every instruction once, on a core that has just been powered up
///   illegal/OPCODE-N     one instruction just beyond one of its bounds
std::vector<RtlCheck> directed_checks(const isa::Target& target);

}  // namespace capra::mutation
