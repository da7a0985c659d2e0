// An explanation as people and as other programs read it.
#pragma once

#include "isa/program.hpp"
#include "isa/target.hpp"
#include "sim/explain.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace capra::tools {

/// A listing in 100 columns, the scratchpad map below it; longer names make longer lines.
std::string explanation_text(const isa::Program& program, const isa::Target& target,
                             const sim::Explanation& explanation);

/// {"program", "target", "instructions": [{"pc", "text", "node", "unit", "what", "why", "cycles",
///  "total"}], "counters", "end": {"state", "pc", "trap"}, "notes"}; `node` is a name or null,
/// `notes` as in program files, with a "formula" for each node, or null.
nlohmann::ordered_json explanation_json(const isa::Program& program,
                                        const sim::Explanation& explanation);

}  // namespace capra::tools
