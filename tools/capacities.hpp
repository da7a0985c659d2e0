// Capacities of routed layers, as `capra ledger` and `stem_run` take them.
#pragma once

#include "isa/error.hpp"
#include "model/exact.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace capra::tools {

/// "1/2" or "0.25" each; an Error names the text that is no such number.
inline std::vector<model::Exact> read_capacities(const std::vector<std::string>& texts) {
    std::vector<model::Exact> capacities;
    for (const std::string& text : texts) try {
            capacities.push_back(model::parse_exact(text));
        } catch (const Error& error) {
            throw Error(fmt::format("capacity: {}", error.what()));
        }
    return capacities;
}

}  // namespace capra::tools
