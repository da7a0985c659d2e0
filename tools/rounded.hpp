// Figures cut to the decimals that are printed.
#pragma once

#include <cmath>

namespace capra::tools {

/// `value` to so many decimals, and never -0, which would be printed with its sign.
inline double rounded(double value, int decimals) {
    const double unit = std::pow(10.0, decimals);
    return std::round(value * unit) / unit + 0.0;
}

}  // namespace capra::tools
