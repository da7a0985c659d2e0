// How a campaign says where it is.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

namespace capra::mutation {

/// Told which phase begins and how far it is.
using CampaignProgress =
    std::function<void(std::string_view phase, std::size_t done, std::size_t of)>;

}  // namespace capra::mutation
