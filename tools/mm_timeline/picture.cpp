#include "tools/mm_timeline/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace capra::tools {
namespace {

/// Grids of the array that stand side by side.
constexpr std::size_t kGridsPerLine = 13;

/// Cycles 1, 11, 21, ... by their tens, then every cycle's last digit.
std::string ruler(std::size_t cycles) {
    std::string tens, ones;
    for (std::size_t cycle = 1; cycle <= cycles; ++cycle) {
        tens += cycle % 10 == 0 ? static_cast<char>('0' + cycle / 10 % 10) : ' ';
        ones += static_cast<char>('0' + cycle % 10);
    }
    tens.erase(tens.find_last_not_of(' ') + 1);
    return fmt::format("{:16}{}\n{:16}{}\n", "cycle", tens, "", ones);
}

/// The step whose product each PE adds in every cycle of RUN: the first is 0.
std::vector<std::array<std::string, kArray>> steps_by_cycle(const MatrixRun& run) {
    std::array<std::array<std::size_t, kArray>, kArray> done{};
    std::vector<std::array<std::string, kArray>> grids;
    for (const MatrixCycle& cycle : run.cycles) {
        if (cycle.phase != Phase::run) continue;
        auto& grid = grids.emplace_back();
        for (std::size_t i = 0; i < kArray; ++i)
            for (std::size_t j = 0; j < kArray; ++j)
                grid[i] += cycle.adds[i][j] ? static_cast<char>('0' + done[i][j]++ % 10) : '.';
    }
    return grids;
}

}  // namespace

std::string shape_text(const isa::Instruction& mm) {
    return fmt::format("{} x {} by {} x {}", mm.m, mm.k, mm.k, mm.n);
}

std::vector<TimelineRow> timeline_rows(const MatrixRun& run) {
    const auto row = [&](const char* name, auto happens) {
        TimelineRow result{name, {}};
        for (const MatrixCycle& cycle : run.cycles)
            result.cycles.push_back(std::invoke(happens, cycle));
        return result;
    };
    return {row("read A", &MatrixCycle::reads_a),
            row("read B", &MatrixCycle::reads_b),
            row("write tile", &MatrixCycle::writes_tile),
            row("read tile", &MatrixCycle::reads_tile),
            row("enter array", &MatrixCycle::enters),
            row("add products", &MatrixCycle::multiplies),
            row("leave array", &MatrixCycle::shifts),
            row("write result", &MatrixCycle::writes_acc)};
}

std::string phase_table(const std::vector<MatrixRun>& runs) {
    std::string text = "  m   k   n  SETUP  LOAD  RUN  DRAIN  cycles\n";
    for (const MatrixRun& run : runs)
        text +=
            fmt::format("{:>3} {:>3} {:>3}  {:>5} {:>5} {:>4} {:>6} {:>7}\n", run.insn.m,
                        run.insn.k, run.insn.n, run.length(Phase::setup), run.length(Phase::load),
                        run.length(Phase::run), run.length(Phase::drain), run.cycles.size());
    return text;
}

std::string timeline_text(const MatrixRun& run) {
    std::string text = ruler(run.cycles.size());
    std::string phases;
    for (const MatrixCycle& cycle : run.cycles) phases += phase_name(cycle.phase)[0];
    text += fmt::format("{:16}{}\n", "phase", phases);
    for (const TimelineRow& row : timeline_rows(run)) {
        text += fmt::format("{:16}", row.name);
        for (const bool happens : row.cycles) text += happens ? '#' : '.';
        text += '\n';
    }
    return text;
}

std::string array_text(const MatrixRun& run) {
    const auto grids = steps_by_cycle(run);
    std::string text;
    for (std::size_t first = 0; first < grids.size(); first += kGridsPerLine) {
        const std::size_t end = std::min(first + kGridsPerLine, grids.size());
        std::string heading = "cycle ";
        for (std::size_t at = first; at < end; ++at) heading += fmt::format(" {:<5}", at + 1);
        heading.erase(heading.find_last_not_of(' ') + 1);
        text += (first > 0 ? "\n" : "") + heading + "\n";
        for (std::size_t i = 0; i < kArray; ++i) {
            text += fmt::format("row {} ", i);
            for (std::size_t at = first; at < end; ++at) text += " " + grids[at][i] + " ";
            text.back() = '\n';
        }
    }
    return text;
}

}  // namespace capra::tools
