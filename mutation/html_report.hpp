// The report as one HTML page that needs nothing else: no network, no script to be readable.
#pragma once

#include "mutation/report.hpp"

#include <string>

namespace capra::mutation {

/// Scores; what somebody has to look at; tables by layer, operator and file; the equivalents; then
/// every file with its mutants in place. All text is escaped.
std::string report_html(const CampaignResult& result, const Sources& sources);

}  // namespace capra::mutation
