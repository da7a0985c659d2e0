#include "isa/numerics.hpp"

#include <cmath>

namespace capra::isa {

const std::array<std::uint16_t, 256>& exp2_table() {
    static const std::array<std::uint16_t, 256> table = [] {
        std::array<std::uint16_t, 256> entries{};
        for (unsigned f = 0; f < entries.size(); ++f)
            entries[f] = static_cast<std::uint16_t>(
                std::floor(std::exp2(15.0 - static_cast<double>(f) / 256.0) + 0.5));
        return entries;
    }();
    return table;
}

}  // namespace capra::isa
