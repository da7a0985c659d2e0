// A trial as one line of JSON.
#pragma once

#include "mutation/trial.hpp"

#include <string>
#include <string_view>

namespace capra::mutation {

/// Without a line break.
std::string to_line(const Trial& trial);

/// The inverse; an Error names `file` and what is wrong.
Trial trial_from_line(std::string_view line, const std::string& file);

}  // namespace capra::mutation
