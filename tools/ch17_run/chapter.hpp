// What ch17_run measures: the checks, the three decodes on the C++ machine, and their replays.
#pragma once

#include "model/checks.hpp"
#include "model/chip_decoder.hpp"
#include "sim/replay.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace capra::tools {

/// One decoder's programs and its decode on the C++ machine.
struct Decode {
    model::CompiledModel compiled;
    model::DecodeRun run;

    Decode(model::CompiledModel programs, std::uint32_t steps, std::uint32_t start);
    Decode(const Decode&) = delete;
    Decode& operator=(const Decode&) = delete;

    [[nodiscard]] std::string name() const;
    /// True if every token is the rule's successor of the one before.
    [[nodiscard]] bool follows_rule() const;
};

/// single, routed, dense: the order in which they are always shown.
using Decodes = std::vector<std::unique_ptr<Decode>>;
Decodes decode_all(std::uint32_t steps, std::uint32_t start);

struct Replay {
    std::string engine;
    std::string decoder;
    sim::ReplayReport report;
};

/// Every decoder on every engine, one task for each pair, on as many threads as there are cores.
/// In the order of `engines`, then of `decodes`. Rethrows the first Error of a task.
std::vector<Replay> replay_all(const Decodes& decodes, const std::vector<std::string>& engines);

}  // namespace capra::tools
