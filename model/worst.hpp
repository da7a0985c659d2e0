// The largest of many figures, which a figure that is no number must not slip past.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace capra::model {

struct Worst {
    double value = 0;             ///< of the finite figures, 0 without any
    std::uint64_t undefined = 0;  ///< how many figures were NaN or infinite

    void add(double figure) {
        if (std::isfinite(figure))
            value = std::max(value, figure);
        else
            ++undefined;
    }

    /// True if every figure was finite and none above the bound.
    [[nodiscard]] bool within(double bound) const { return undefined == 0 && value <= bound; }

    Worst& operator+=(const Worst& other) {
        value = std::max(value, other.value);
        undefined += other.undefined;
        return *this;
    }
};

}  // namespace capra::model
