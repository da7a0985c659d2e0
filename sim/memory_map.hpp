// The scratchpad over the time of a program, as a picture in text: a row for a range of addresses,
// a column for a few instructions, a letter for each buffer.
#pragma once

#include "isa/notes.hpp"

#include <string>

namespace capra::sim {

/// At most 100 columns wide, as many panels as that takes; below them a list of the buffers.
/// Letters are used again after 62 buffers. Names of more than 28 characters make a line of the
/// list longer.
std::string memory_map(const isa::Notes& notes);

}  // namespace capra::sim
