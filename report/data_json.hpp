// The JSON of a report's data, as `ch17_run --json` and `capra decode --json` write it:
//
//   {"decoders": {NAME: DECODER, ...},
//    "checks":   [{"name", "ok", "detail"}, ...],                                      optional
//    "engines":  {ENGINE: {NAME: {"status": "pass" or "diverged", "programs", "cycles",
//                                 "retires", "cells", "divergence"}}}}                 optional
//   DECODER = {"target", "experts", "feed_forward_weights",
//              "runs":     [{"step", "name", COST}, ...],
//              "steps":    [{"input", "token", ROUTING}, ...],
//              "grouped":  [{"rows", "name", COST}, ...],
//              "timeline": {"step", "programs": [{"name", "instructions":
//                                                 [{"pc", "text", "unit", "from", "to"}, ...]}]}}
//   COST    = "counters": [total, matrix, dma, vector, control], "instructions", "words_loaded",
//             "words_stored", "macs"
//   ROUTING = "experts", "router", "route", "margin", "float_route", "float_margin";
//             nothing in a decoder without router
//
// Other keys beside these are for other readers.
#pragma once

#include "report/data.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace capra::report {

/// Without the name, which is the key.
nlohmann::ordered_json to_json(const Decoder& decoder);
/// Without engine and decoder, which are the keys.
nlohmann::ordered_json to_json(const Replay& replay);

/// The inverse. An Error names `file`, the path in it and the value that is missing or that no
/// decode can have: counters that do not add up, steps without programs, more or fewer scores
/// than experts, instructions that overlap.
Data data_from_json(std::string_view text, const std::string& file);

}  // namespace capra::report
