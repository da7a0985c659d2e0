// Runs and what a timeline shows of them.
#pragma once

#include "isa/assembler.hpp"
#include "sim/engine.hpp"
#include "sim/timeline.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace capra::sim {

using Json = nlohmann::json;

struct Ran {
    isa::Program program;
    Result result;
};

inline Ran run(const std::string& text) {
    Ran ran{.program = isa::assemble(".memory 64\n" + text, "t.s"), .result = {}};
    ran.result = make_engine("model", isa::reference_target(64))
                     ->run_one(ran.program, std::vector<std::int32_t>(64, 1));
    return ran;
}

inline Ran product() {
    return run(
        ".program one\nLD d=0 n=8 x=0\nMM d=0 a=0 b=4 k=2 m=2 n=2 sa=2 sb=2 sd=2\n"
        "RQ d=16 a=0 n=4 mult=1 shift=0 acc=1\nST a=16 n=4 x=32\nHALT\n");
}

inline std::vector<Json> events(const Timeline& timeline, const std::string& phase) {
    const Json document = Json::parse(timeline.to_json());
    std::vector<Json> chosen;
    for (const Json& event : document.at("traceEvents"))
        if (event.at("ph") == phase) chosen.push_back(event);
    return chosen;
}

inline std::map<std::string, int> tracks(const Timeline& timeline) {
    std::map<std::string, int> result;
    for (const Json& event : events(timeline, "M"))
        if (event.at("name") == "thread_name")
            result[event.at("args").at("name")] = event.at("tid");
    return result;
}

inline std::vector<Json> slices(const Timeline& timeline, const std::string& track) {
    const int tid = tracks(timeline).at(track);
    std::vector<Json> chosen;
    for (const Json& event : events(timeline, "X"))
        if (event.at("tid") == tid) chosen.push_back(event);
    return chosen;
}

inline std::uint64_t length(const std::vector<Json>& slices) {
    std::uint64_t sum = 0;
    for (const Json& slice : slices) sum += slice.at("dur").get<std::uint64_t>();
    return sum;
}

}  // namespace capra::sim
