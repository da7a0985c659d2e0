// What stem_run prints, section by section, and its JSON.
#pragma once

#include "model/checks.hpp"
#include "tools/stem_run/family.hpp"

#include <string>
#include <vector>

namespace capra::tools {

void print_checks(const model::Checks& checks);
void print_replays(const std::vector<Replay>& replays, const FamilyDecodes& decodes);
/// Weights, MACs, programs and cycles of every decoder.
void print_costs(const FamilyDecodes& decodes);

/// {"checks":[{"name","ok","detail"}],
///  "decoders":{decoder:{"weights_stored","weights_read","macs","programs","step1","step24","total",
///                       "ratio","follows_rule","tokens":[...]}},
///  "engines":{engine:{decoder:{"status","programs","cycles","retires","cells","divergence",
///                              "counters":[[total,matrix,dma,vector,control],...]}}}}
/// Weights (in words) and MACs are those of the feed-forward layer; "weights_read" and "macs" are
/// means over the tokens of the decode. "step24" is null when fewer steps were decoded. "ratio" is
/// to dense, to two decimals.
std::string report_json(const model::Checks& checks, const FamilyDecodes& decodes,
                        const std::vector<Replay>& replays);

}  // namespace capra::tools
