// What a program's own data put into scratchpad cells, as far as the code tells without running it.
#pragma once

#include "isa/check.hpp"
#include "isa/program.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace capra::sim {

/// The values that instruction `pc` finds in the cells of a scratchpad access of one row: those of
/// a data block, if one LD brought all of them and no ST before it wrote where they were. Nothing
/// if they came from elsewhere.
std::optional<std::vector<std::int8_t>> loaded_data(const isa::Program& program, std::uint32_t pc,
                                                    const isa::Access& access);

}  // namespace capra::sim
