// Small report data for tests.
#pragma once

#include "report/data.hpp"
#include "report/data_json.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace capra::report {

inline Cost cost(std::uint64_t matrix, std::uint64_t dma, std::uint64_t macs) {
    return {{matrix + dma + 3, matrix, dma, 2, 1}, 4, dma, 1, macs};
}

/// Two steps of a router with three experts; in the second the float model chooses another.
inline Decoder routed() {
    Decoder d{.name = "routed", .target = "reference", .experts = 3, .feed_forward_weights = 3072};
    d.runs = {{1, "A1", cost(100, 50, 40)},
              {1, "B2", cost(1200, 40, 30)},
              {2, "A2", cost(110, 55, 44)},
              {2, "B0", cost(1200, 40, 30)}};
    d.steps = {{0, 3, Routing{{2}, {0.5, -1, 2}, 2, 0.5, 2, 0.45}},
               {3, 2, Routing{{0}, {0.25, 0.125, -0.5}, 0, 0.166, 1, 0.01}}};
    d.grouped = {{2, "B0x2", cost(150, 42, 60)}};
    d.timeline = {2,
                  {{"A2", {{0, "LD d=0 n=3 x=0", isa::Unit::dma, 0, 14}}},
                   {"B0",
                    {{0, "MM d=0", isa::Unit::matrix, 0, 1300},
                     {1, "HALT", isa::Unit::control, 1300, 1302}}}}};
    return d;
}

/// One step without router.
inline Decoder single() {
    Decoder d{.name = "single", .target = "reference", .experts = 1, .feed_forward_weights = 1024};
    d.runs = {{1, "S1", cost(90, 60, 20)}};
    d.steps = {{0, 3, std::nullopt}};
    d.timeline = {1, {{"S1", {{0, "HALT", isa::Unit::control, 0, 2}}}}};
    return d;
}

inline Replay passed() {
    return {"icarus", "routed", true, 4, 2811, 17, 1234, ""};
}

inline Replay diverged() {
    return {"verilator", "routed", false, 1, 20, 3, 9, "program 0 A1: <acc> cell 3"};
}

/// The file that `ch17_run --json` would write of these.
inline nlohmann::ordered_json file_of(const std::vector<Decoder>& decoders) {
    nlohmann::ordered_json json;
    for (const Decoder& decoder : decoders) json["decoders"][decoder.name] = to_json(decoder);
    return json;
}

inline Data read(const nlohmann::ordered_json& json) {
    return data_from_json(json.dump(), "out.json");
}

}  // namespace capra::report
