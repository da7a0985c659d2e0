// Checks and replays as lines of text and as JSON: what ch17_run and stem_run share.
#pragma once

#include "model/checks.hpp"
#include "tools/replays.hpp"

#include <nlohmann/json.hpp>

#include <vector>

namespace capra::tools {

/// One line a check, its figures below it, and at the end how many hold.
void print_check_lines(const model::Checks& checks);

/// [{"name","ok","detail"}]
nlohmann::ordered_json checks_json(const model::Checks& checks);
/// {engine:{decoder:{"status","programs","cycles","retires","cells","divergence",
///                   "counters":[[total,matrix,dma,vector,control],...]}}}
nlohmann::ordered_json engines_json(const std::vector<Replay>& replays);

}  // namespace capra::tools
