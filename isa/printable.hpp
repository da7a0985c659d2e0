// Text of any origin made fit for one line of an error message.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace capra {

/// `text` with every byte that is not printable ASCII shown as `?`, cut after `limit` bytes.
inline std::string printable(std::string_view text, std::size_t limit = 64) {
    std::string shown(text.substr(0, limit));
    for (char& c : shown)
        if (c < ' ' || c > '~') c = '?';
    return text.size() > limit ? shown + "..." : shown;
}

}  // namespace capra
