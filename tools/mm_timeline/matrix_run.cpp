#include "tools/mm_timeline/matrix_run.hpp"

#include "isa/codec.hpp"
#include "isa/error.hpp"
#include "tools/mm_timeline/vcd.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace capra::tools {
namespace {

const std::string kUnit = "replay_tb.dut.u_mm.";

/// Signals of the unit, in the order of a snapshot; behind them come the array's, row by row.
enum Signal : std::size_t {
    insn,
    state,
    ask,
    of_b,
    a_write,
    b_write,
    tile_read,
    tile_valid,
    draining,
    acc_write,
    first_pe
};

std::vector<std::string> signals() {
    std::vector<std::string> names;
    for (const char* name : {"insn_i", "state_q", "u_loader.ask_q", "u_loader.of_b_q", "a_we",
                             "b_we", "tile_re", "tile_vld_q", "draining_q", "acc_we_o"})
        names.push_back(kUnit + name);
    for (std::size_t i = 0; i < kArray; ++i)
        for (std::size_t j = 0; j < kArray; ++j)
            names.push_back(fmt::format("{}u_array.g_row[{}].g_col[{}].u_pe.valid_q", kUnit, i, j));
    return names;
}

/// Before the reset every bit is x, which is no work: it counts as 0.
std::uint64_t number(std::string_view digits) {
    std::uint64_t value = 0;
    for (const char digit : digits) value = value * 2 + (digit == '1' ? 1 : 0);
    return value;
}

isa::Instruction instruction(const std::string& digits) {
    constexpr std::size_t kHalf = 64;
    const std::size_t low = digits.size() - std::min(digits.size(), kHalf);
    const isa::Word word{number(digits.substr(low)), number(digits.substr(0, low))};
    return isa::decode(word).value_or(isa::Instruction{});
}

Phase phase_of(std::uint64_t state, const std::string& file) {
    if (state > static_cast<std::uint64_t>(Phase::drain))
        throw Error(
            fmt::format("{}: {}state_q: {} is no state of the matrix unit", file, kUnit, state));
    return static_cast<Phase>(state);
}

MatrixCycle cycle(const Snapshot& now, const std::string& file) {
    const auto on = [&](std::size_t signal) { return now[signal] == "1"; };
    MatrixCycle result{.phase = phase_of(number(now[state]), file),
                       .reads_a = on(ask) && !on(of_b),
                       .reads_b = on(ask) && on(of_b),
                       .writes_tile = on(a_write) || on(b_write),
                       .reads_tile = on(tile_read),
                       .enters = on(tile_valid),
                       .shifts = on(draining),
                       .writes_acc = on(acc_write)};
    // In its last cycle the valid bits of the tile memories stay up; nothing moves any more.
    result.enters = result.enters && result.phase == Phase::run;
    for (std::size_t i = 0; i < kArray; ++i)
        for (std::size_t j = 0; j < kArray; ++j)
            result.adds[i][j] = result.phase == Phase::run && on(first_pe + i * kArray + j);
    return result;
}

}  // namespace

const char* phase_name(Phase phase) {
    constexpr std::array names{"SETUP", "LOAD", "RUN", "DRAIN"};
    return names[static_cast<std::size_t>(phase) - 1];
}

bool MatrixCycle::multiplies() const {
    return std::ranges::any_of(adds, [](const auto& row) {
        return std::ranges::any_of(row, [](bool add) { return add; });
    });
}

std::size_t MatrixRun::length(Phase phase) const {
    return static_cast<std::size_t>(std::ranges::count(cycles, phase, &MatrixCycle::phase));
}

std::vector<MatrixRun> matrix_runs(std::string_view vcd, const std::string& file) {
    std::vector<MatrixRun> runs;
    bool working = false;
    for (const Snapshot& now : read_vcd(vcd, file, kUnit + "clk_i", signals())) {
        const bool was_working = working;
        working = number(now[state]) != 0;
        if (!working) continue;
        if (!was_working) runs.push_back({.insn = instruction(now[insn]), .cycles = {}});
        runs.back().cycles.push_back(cycle(now, file));
    }
    if (runs.empty()) throw Error(fmt::format("{}: no MM runs in this waveform", file));
    return runs;
}

}  // namespace capra::tools
