// What the RTL was built as.
#pragma once

#include "isa/target.hpp"

namespace capra::sim {

/// The RTL's sizes and limits are fixed when it is built, as the reference profile: an Error names
/// the first in which `target` is another machine. Costs are not looked at, since they are what a
/// comparison measures; external memory may have any size up to the ISA's.
void check_rtl_target(const isa::Target& target);

}  // namespace capra::sim
