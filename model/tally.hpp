// What the checks have in common: counting how often a statement holds, and lists of figures.
#pragma once

#include "model/checks.hpp"

#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/core.h>

namespace capra::model {

/// "1, 2, 3".
template <class Range>
std::string listed(const Range& figures) {
    std::string text;
    for (const auto figure : figures) {
        if (!text.empty()) text += ", ";
        text += std::to_string(figure);
    }
    return text;
}

struct Tally {
    std::uint64_t good = 0;
    std::uint64_t all = 0;

    void count(bool holds) {
        good += holds ? 1 : 0;
        ++all;
    }

    /// Holds if every statement counted did, and any was counted.
    [[nodiscard]] Check check(std::string name, std::string_view what) const {
        return {std::move(name), good == all && all > 0,
                fmt::format("{} of {} {}", good, all, what)};
    }
};

}  // namespace capra::model
