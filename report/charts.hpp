// The figures behind the charts, as JSON for the page's script.
#pragma once

#include "report/data.hpp"

#include <string>

namespace capra::report {

/// Every chart's figures: ASCII without `<`, so that nothing in it can end the script element that
/// holds it.
std::string chart_json(const Data& data);

}  // namespace capra::report
