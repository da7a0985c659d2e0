// Long numbers as people read them.
#pragma once

#include <cstdint>
#include <string>

namespace capra {

/// 198614 -> "198,614".
inline std::string thousands(std::uint64_t value) {
    const auto digits = std::to_string(value);
    std::string text;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        if (i > 0 && (digits.size() - i) % 3 == 0) text.push_back(',');
        text.push_back(digits[i]);
    }
    return text;
}

}  // namespace capra
