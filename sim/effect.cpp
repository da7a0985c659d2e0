#include "sim/effect.hpp"

namespace capra::sim {

std::vector<std::int32_t> read_cells(const Memories& memories, const isa::Access& access) {
    std::vector<std::int32_t> values;
    values.reserve(std::size_t{access.rows} * access.cols);
    for (std::uint32_t r = 0; r < access.rows; ++r)
        for (std::uint32_t c = 0; c < access.cols; ++c)
            values.push_back(
                read_cell(memories, access.space, access.base + r * access.stride + c));
    return values;
}

}  // namespace capra::sim
