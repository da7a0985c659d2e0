// External memory as answers and graders pass it on.
#pragma once

#include "isa/program.hpp"

#include <cstdint>
#include <vector>

namespace capra::exercise {

using Memory = std::vector<std::int32_t>;

/// What a memory holds of a symbol, row after row. (rows * cols)
inline Memory cells_of(const Memory& memory, const isa::Symbol& symbol) {
    const auto first = memory.begin() + symbol.address;
    return {first, first + symbol.rows * symbol.cols};
}

}  // namespace capra::exercise
