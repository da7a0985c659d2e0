#include "report/data_json.hpp"

#include "isa/names.hpp"

namespace capra::report {
namespace {

using Json = nlohmann::ordered_json;

void add_cost(Json& json, const Cost& cost) {
    const sim::Counters& c = cost.counters;
    json["counters"] = {c.total, c.matrix, c.dma, c.vector, c.control};
    json["instructions"] = cost.instructions;
    json["words_loaded"] = cost.words_loaded;
    json["words_stored"] = cost.words_stored;
    json["macs"] = cost.macs;
}

Json run_json(const Run& run) {
    Json json = {{"step", run.step}, {"name", run.name}};
    add_cost(json, run.cost);
    return json;
}

Json grouped_json(const Grouped& grouped) {
    Json json = {{"rows", grouped.rows}, {"name", grouped.name}};
    add_cost(json, grouped.cost);
    return json;
}

Json step_json(const Step& step) {
    Json json = {{"input", step.input}, {"token", step.token}};
    if (!step.routing) return json;
    const Routing& routing = *step.routing;
    json["experts"] = routing.experts;
    json["router"] = routing.scores;
    json["route"] = routing.route;
    json["margin"] = routing.margin;
    json["float_route"] = routing.float_route;
    json["float_margin"] = routing.float_margin;
    return json;
}

Json timeline_json(const Timeline& timeline) {
    Json programs = Json::array();
    for (const ProgramTimeline& program : timeline.programs) {
        Json slices = Json::array();
        for (const Slice& slice : program.slices)
            slices.push_back({{"pc", slice.pc},
                              {"text", slice.text},
                              {"unit", isa::unit_name(slice.unit)},
                              {"from", slice.from},
                              {"to", slice.to}});
        programs.push_back({{"name", program.name}, {"instructions", std::move(slices)}});
    }
    return {{"step", timeline.step}, {"programs", std::move(programs)}};
}

template <typename Items, typename ToJson>
Json list(const Items& items, ToJson one) {
    Json json = Json::array();
    for (const auto& item : items) json.push_back(one(item));
    return json;
}

}  // namespace

Json to_json(const Decoder& decoder) {
    return {{"target", decoder.target},
            {"experts", decoder.experts},
            {"feed_forward_weights", decoder.feed_forward_weights},
            {"runs", list(decoder.runs, run_json)},
            {"steps", list(decoder.steps, step_json)},
            {"grouped", list(decoder.grouped, grouped_json)},
            {"timeline", timeline_json(decoder.timeline)}};
}

Json to_json(const Replay& replay) {
    Json json = {{"status", replay.pass ? "pass" : "diverged"},
                 {"programs", replay.programs},
                 {"cycles", replay.cycles},
                 {"retires", replay.retires},
                 {"cells", replay.cells}};
    if (!replay.pass) json["divergence"] = replay.divergence;
    return json;
}

}  // namespace capra::report
