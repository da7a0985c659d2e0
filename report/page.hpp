// The report as one HTML page that needs nothing else: no network, no other file. Without a script
// its tables are complete; the script draws the same figures as charts.
#pragma once

#include "report/data.hpp"

#include <string>

namespace capra::report {

std::string page_html(const Data& data);

}  // namespace capra::report
