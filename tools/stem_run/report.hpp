// What stem_run prints, section by section, and its JSON.
#pragma once

#include "model/checks.hpp"
#include "tools/stem_run/family.hpp"
#include "tools/stem_run/studies.hpp"

#include <string>
#include <vector>

namespace capra::tools {

void print_checks(const model::Checks& checks);
void print_replays(const std::vector<Replay>& replays, const FamilyDecodes& decodes);
/// Weights, MACs, programs and cycles of every decoder.
void print_costs(const FamilyDecodes& decodes);

/// Admission by threshold beside expert choice, and the capacity dial.
void print_routed(const std::vector<RoutedStudy>& studies);
/// Dispatch by the host and on the chip, side by side.
void print_dispatch(const Studies& studies);

/// {"checks":[{"name","ok","detail"}],
///  "decoders":{decoder:{"weights_stored","weights_read","macs","programs","compiled","step1","step24",
///                       "total","ratio","follows_rule","tokens":[...]}},
///  "engines":{engine:{decoder:{"status","programs","cycles","retires","cells","divergence",
///                              "counters":[[total,matrix,dma,vector,control],...]}}},
///  "admission":[{"decoder","kind","capacity","by_choice","by_threshold","same_admissions",
///                "same_predictions","tokens"}],
///  "dial":[{"decoder","kind","capacity","thresholds","admitted","right","logit_distance","cycles",
///           "tokens"}],
///  "dispatch":{"host"|"on-chip":{"programs","instructions","step1","last_step","total",
///                                "words_moved","host_words","tokens":[...]},
///              "same_tokens"}}
/// Weights (in words) and MACs are those of the feed-forward layers; "weights_read" and "macs" are
/// means over the tokens of the decode. "programs" were started in it, "compiled" is what decodes
/// of as many steps, 24 or more, may need. "step24" is null when fewer steps were decoded. "ratio"
/// is to dense, to two decimals. "kind" is structured or random; "capacity" is a text, "1/8", or
/// "1/8,1/2" with one for each routed layer; "thresholds" has one for each routed layer, null where
/// all tokens are admitted, and "right" without a rule. "admission" and "dial" are empty without a
/// routed decoder, "dispatch" is null without on_chip.
std::string report_json(const model::Checks& checks, const FamilyDecodes& decodes,
                        const std::vector<Replay>& replays, const Studies& studies);

}  // namespace capra::tools
