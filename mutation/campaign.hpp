// What every suite's campaign returns, and how it says where it is.
#pragma once

#include "mutation/trial.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace capra::mutation {

struct CampaignResult {
    std::vector<Trial> trials;
    /// A control that misbehaved, a listed equivalent that was killed, a verdict that a real patch
    /// does not confirm: the campaign is not to be trusted. One line each.
    std::vector<std::string> distrust;
};

/// Told which phase begins and how far it is.
using CampaignProgress =
    std::function<void(std::string_view phase, std::size_t done, std::size_t of)>;

}  // namespace capra::mutation
