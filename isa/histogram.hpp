// How often each instruction occurs in a program.
#pragma once

#include "isa/program.hpp"

#include <cstdint>
#include <map>
#include <string>

namespace capra::isa {

/// Instructions by mnemonic.
using Histogram = std::map<std::string, std::uint32_t>;

/// A word with an unknown opcode counts as "illegal".
Histogram histogram(const Program& program);

/// "LD 4, MM 16, ..." in the order of the instruction table, then HALT, then illegal ones.
std::string histogram_text(const Histogram& histogram);

}  // namespace capra::isa
