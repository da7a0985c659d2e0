// What ch17_run measures: the checks, the three decodes on the C++ machine, and what replays need
// of them.
#pragma once

#include "model/checks.hpp"
#include "model/chip_decoder.hpp"
#include "tools/replays.hpp"

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

/// The decodes as tasks for `replay_all`. They point into `decodes`.
std::vector<ReplayTask> replay_tasks(const Decodes& decodes);

}  // namespace capra::tools
