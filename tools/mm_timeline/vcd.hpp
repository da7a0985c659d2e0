// Reading a waveform: the values of some signals in every cycle of a clock.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace capra::tools {

/// The values of the signals asked for in one cycle, in that order: binary digits, the most
/// significant first, x and z among them, leading zeros left out.
using Snapshot = std::vector<std::string>;

/// One snapshot a rising edge of `clock`: what the signals were in the cycle that the edge ends.
/// `text` is a value change dump as Icarus writes it; signals are paths, `bench.dut.u_mm.done_o`.
/// An Error names the file and the signal that it does not have.
std::vector<Snapshot> read_vcd(std::string_view text, const std::string& file,
                               const std::string& clock, const std::vector<std::string>& signals);

}  // namespace capra::tools
