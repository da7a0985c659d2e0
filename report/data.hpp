// What a report shows: decodes, checks and replays as plain values. Tools collect them and write
// them as JSON (data_json.hpp); `capra report` reads them back and makes the page.
#pragma once

#include "isa/instruction.hpp"
#include "sim/engine.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace capra::report {

/// What one program does and costs, all of it known from its text.
struct Cost {
    sim::Counters counters;
    std::uint64_t instructions = 0;
    std::uint64_t words_loaded = 0;
    std::uint64_t words_stored = 0;
    std::uint64_t macs = 0;  ///< multiply-accumulates

    [[nodiscard]] std::uint64_t words() const { return words_loaded + words_stored; }

    friend bool operator==(const Cost&, const Cost&) = default;
};

/// A program as it ran in a decode step.
struct Run {
    std::uint32_t step = 0;  ///< from 1
    std::string name;
    Cost cost;

    friend bool operator==(const Run&, const Run&) = default;
};

/// An expert's program for several tokens at once: priced by the verifier, not run.
struct Grouped {
    std::uint32_t rows = 0;
    std::string name;
    Cost cost;

    friend bool operator==(const Grouped&, const Grouped&) = default;
};

/// How one token was routed, on the chip and by the float model on the same tokens.
struct Routing {
    std::vector<std::uint32_t> experts;  ///< that ran
    std::vector<double> scores;          ///< the chip's router row, one an expert
    std::uint32_t route = 0;  ///< the chip's choice: argmax of what it rounded to the scores
    double margin = 0;        ///< of them, see `model::route_margin`
    std::uint32_t float_route = 0;
    double float_margin = 0;

    friend bool operator==(const Routing&, const Routing&) = default;
};

struct Step {
    std::uint32_t input = 0;
    std::uint32_t token = 0;
    std::optional<Routing> routing;  ///< nothing without router

    friend bool operator==(const Step&, const Step&) = default;
};

/// One retired instruction. Its first cycles, as many as the target needs to fetch and decode,
/// belong to the control unit, the others to `unit`.
struct Slice {
    std::uint32_t pc = 0;
    std::string text;  ///< disassembled
    isa::Unit unit = isa::Unit::control;
    std::uint64_t from = 0;  ///< cycles of its program before it
    std::uint64_t to = 0;

    friend bool operator==(const Slice&, const Slice&) = default;
};

struct ProgramTimeline {
    std::string name;
    std::vector<Slice> slices;  ///< at least one

    friend bool operator==(const ProgramTimeline&, const ProgramTimeline&) = default;
};

/// The programs of one step, in the order in which they ran.
struct Timeline {
    std::uint32_t step = 0;  ///< from 1
    std::vector<ProgramTimeline> programs;

    friend bool operator==(const Timeline&, const Timeline&) = default;
};

/// One decoder's decode of one sequence.
struct Decoder {
    std::string name;    ///< as `model::decoder_name` says
    std::string target;  ///< name of the target it was compiled for
    std::uint32_t experts = 0;
    std::uint64_t feed_forward_weights = 0;
    std::vector<Run> runs;
    std::vector<Step> steps;
    std::vector<Grouped> grouped;  ///< routed decoder only
    Timeline timeline;             ///< of the last step

    /// Cycles of one step, counted from 1, or of all steps.
    [[nodiscard]] std::uint64_t step_cycles(std::uint32_t step) const;
    [[nodiscard]] std::uint64_t cycles() const;

    friend bool operator==(const Decoder&, const Decoder&) = default;
};

/// A law that was checked, and the figure measured.
struct Check {
    std::string name;
    bool ok = false;
    std::string detail;

    friend bool operator==(const Check&, const Check&) = default;
};

/// One decoder's programs on one engine, compared with the C++ machine.
struct Replay {
    std::string engine;
    std::string decoder;
    bool pass = false;
    std::uint64_t programs = 0;
    std::uint64_t cycles = 0;
    std::uint64_t retires = 0;  ///< instructions compared
    std::uint64_t cells = 0;    ///< written cells and memory words compared
    std::string divergence;     ///< the first difference; empty if there is none

    friend bool operator==(const Replay&, const Replay&) = default;
};

/// Everything in one file.
struct Data {
    std::string file;
    std::vector<Decoder> decoders;  ///< at least one, the cheapest first
    std::vector<Check> checks;      ///< ch17_run only
    std::vector<Replay> replays;    ///< ch17_run only
    std::string about{};            ///< which decode it is, in words; empty for a run of many
};

}  // namespace capra::report
