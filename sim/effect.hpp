// Reading back the cells an instruction wrote.
#pragma once

#include "isa/check.hpp"
#include "sim/memories.hpp"

#include <cstdint>
#include <vector>

namespace capra::sim {

/// The value of one cell of a space; `space` must not be none and `cell` must exist.
inline std::int32_t read_cell(const Memories& memories, isa::Space space, std::uint32_t cell) {
    if (space == isa::Space::spad) return memories.spad[cell];
    if (space == isa::Space::acc) return memories.acc[cell];
    return memories.ext[cell];
}

/// The cells of an access, row by row.
std::vector<std::int32_t> read_cells(const Memories& memories, const isa::Access& access);

}  // namespace capra::sim
