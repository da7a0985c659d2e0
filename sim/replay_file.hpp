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

/// What a replay file asks of the bench.
struct ReplayOptions {
    bool check = true;  ///< compare with the C++ machine's trace, writes and final state
    bool dump = false;  ///< write what happened to the result file
};

/// The file's text for these jobs. Expectations, if asked for, come from the C++ machine.
std::string make_replay(const isa::Target& target, std::span<const Job> jobs,
                        ReplayOptions options);

/// How far the bench had come when it stopped by itself, as far as its result file says.
struct ReplayProgress {
    std::size_t programs = 0;   ///< begun
    std::uint64_t retires = 0;  ///< of the last one
    std::uint64_t cycle = 0;    ///< of the last retire of the last one
};
ReplayProgress parse_replay_progress(std::string_view text);

/// What the bench wrote to its result file, one result a job. An Error for anything but exactly
/// that.
std::vector<Result> parse_replay_result(std::string_view text, std::span<const Job> jobs);

}  // namespace capra::sim
