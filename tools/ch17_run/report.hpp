// What ch17_run prints, section by section, and its JSON.
#pragma once

#include "tools/ch17_run/chapter.hpp"

#include <string>
#include <vector>

namespace capra::tools {

void print_checks(const model::Checks& checks);
void print_replays(const std::vector<Replay>& replays, const Decodes& decodes);
void print_costs(const Decodes& decodes);
/// Every program of the last step: counters, words moved, instructions.
void print_anatomy(const Decodes& decodes);

/// {"checks":[{"name","ok","detail"}], "routes":[...], "tokens":[...],
///  "decoders":{decoder:{"programs","step1","step24","total","ratio","follows_rule"}},
///  "engines":{engine:{decoder:{"status","programs",
///                              "counters":[[total,matrix,dma,vector,control],...]}}}}
/// Routes and tokens are the routed decoder's. "step24" is null when fewer steps were decoded;
/// "ratio" is to the single decoder, to two decimals.
std::string report_json(const model::Checks& checks, const Decodes& decodes,
                        const std::vector<Replay>& replays);

}  // namespace capra::tools
