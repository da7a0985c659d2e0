// The replay file: everything a Verilog bench needs to run programs and judge the result by
// itself. Whitespace-separated hex tokens of 32 bits; the format is described in
// docs/replay-file.md and read by tb/replay_tb.v.
#pragma once

#include "isa/target.hpp"
#include "sim/engine.hpp"

#include <span>
#include <string>
#include <vector>

namespace capra::sim {

enum class ReplayMode : std::uint8_t {
    check,  ///< carries the reference machine's trace, writes and final state; the bench compares
    dump,   ///< carries no expectation; the bench writes what happened to its result file
};

/// The file's text for these jobs. In mode `check` the expectations come from the C++ machine.
std::string make_replay(const isa::Target& target, std::span<const Job> jobs, ReplayMode mode);

/// What the bench wrote in mode `dump`, one result a job. An Error for anything but exactly that.
std::vector<Result> parse_replay_result(std::string_view text, std::span<const Job> jobs);

}  // namespace capra::sim
