// Runs as a picture in time, in Chrome's trace event format, which Perfetto opens: one track per
// unit, one slice per instruction, programs and decode steps as outer slices, counters as counter
// tracks. One microsecond of the picture is one cycle.
#pragma once

#include "isa/program.hpp"
#include "isa/target.hpp"
#include "sim/engine.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace capra::sim {

class Timeline {
  public:
    /// The target gives the cycles of fetch and decode.
    explicit Timeline(const isa::Target& target);

    /// One run, right after all that has been added. An Error if the result has no trace though
    /// instructions were retired.
    void add(const isa::Program& program, const Result& result);

    /// Every run added between the two is inside of one slice with this name.
    void begin_group(std::string name);
    void end_group();

    /// A mark on the host's track: a decision, which takes the chip no time.
    void mark(const std::string& name);

    /// Slices in the order of their start, outer ones first.
    [[nodiscard]] std::string to_json() const;

  private:
    enum Track : int { host = 1, fetch = 2, dma = 3, matrix = 4, vector = 5 };

    static Track track_of(isa::Unit unit);
    void slice(Track track, const std::string& name, std::uint64_t from, std::uint64_t to,
               nlohmann::ordered_json args = nlohmann::ordered_json::object());
    void instruction(const isa::Program& program, const Retire& retire, std::uint64_t from);
    void trap(const isa::Program& program, const Status& status, std::uint64_t from,
              std::uint64_t end);
    /// Fetched and decoded from `from` to `begin`, executed from there to `end`.
    void spend(isa::Unit unit, std::uint64_t from, std::uint64_t begin, std::uint64_t end);
    void count();

    std::uint32_t fetch_decode_cycles_;
    std::uint64_t now_ = 0;  ///< cycles of all runs so far
    Counters spent_;         ///< cumulative
    std::uint64_t loaded_ = 0;
    std::uint64_t stored_ = 0;
    /// In the order of their time; metadata and outer slices before what begins with them.
    std::vector<nlohmann::ordered_json> events_;
    std::vector<std::size_t> open_;  ///< indices of groups that have not ended
};

}  // namespace capra::sim
