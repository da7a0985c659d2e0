#include "report/charts.hpp"

#include "isa/names.hpp"
#include "isa/target.hpp"
#include "model/quality.hpp"
#include "model/routing.hpp"
#include "report/roofline.hpp"
#include "report/routes.hpp"
#include "report/shown.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace capra::report {
namespace {

using Json = nlohmann::ordered_json;

Json parts_json(const Data& data) {
    Json list = Json::array();
    for (const NamedCost& program : first_and_last_programs(data)) {
        const sim::Counters& c = program.cost.counters;
        list.push_back({{"name", program.name},
                        {"about", program.about},
                        {"matrix", c.matrix},
                        {"dma", c.dma},
                        {"vector", c.vector},
                        {"control", c.control},
                        {"total", c.total}});
    }
    return list;
}

Json timelines_json(const Decoder& decoder) {
    const isa::Target target = isa::target_by_name(decoder.target);
    Json list = Json::array();
    for (const ProgramTimeline& program : decoder.timeline.programs) {
        Json slices = Json::array();
        for (const Slice& slice : program.slices) {
            const std::uint64_t begin = std::min(slice.from + target.fetch_decode_cycles, slice.to);
            slices.push_back({{"pc", slice.pc},
                              {"text", slice.text},
                              {"unit", isa::unit_name(slice.unit)},
                              {"from", slice.from},
                              {"begin", begin},
                              {"to", slice.to}});
        }
        list.push_back({{"name", program.name}, {"slices", std::move(slices)}});
    }
    return list;
}

Json routes_json(const Decoder& decoder) {
    Json steps = Json::array();
    for (const Step& step : decoder.steps) {
        const Routing& r = *step.routing;
        steps.push_back({{"token", step.input},
                         {"scores", r.scores},
                         {"route", r.route},
                         {"second", model::runner_up(r.scores, r.route)},
                         {"margin", r.margin},
                         {"float_route", r.float_route},
                         {"float_margin", r.float_margin}});
    }
    return {{"near_tie", model::kNearTie}, {"steps", std::move(steps)}};
}

std::string array_name(const Roofs& roofs) {
    return fmt::format("array: {:.0f}", roofs.array_macs);
}
std::string full_name(const Roofs& roofs) {
    return fmt::format("MM, {} rows: {:.2f}", roofs.rows, roofs.full_tile_macs);
}
std::string row_name(const Roofs& roofs) {
    return fmt::format("MM, 1 row: {:.2f}", roofs.one_row_macs);
}

/// Up the slope to the ridge, then flat: what overlapping units could reach.
Json roof(const std::string& name, const char* kind, double words, double macs, double left,
          double right) {
    const double ridge = macs / words;
    return {{"name", name},
            {"kind", kind},
            {"points", Json::array({{left, words * left}, {ridge, macs}, {right, macs}})}};
}

/// What units in turn can reach, a curve in equal steps of the logarithm.
Json turns(const char* kind, double words, double macs, double left, double right) {
    constexpr int kPieces = 64;
    Json points = Json::array();
    for (int i = 0; i <= kPieces; ++i) {
        const double x = left * std::pow(right / left, static_cast<double>(i) / kPieces);
        points.push_back({x, in_turns(words, macs, x)});
    }
    return {{"name", "in turn"}, {"kind", kind}, {"points", std::move(points)}};
}

Json lines_json(const Roofs& roofs, double left, double right) {
    const double words = roofs.words_a_cycle;
    return {roof(array_name(roofs), "array", words, roofs.array_macs, left, right),
            roof(full_name(roofs), "full", words, roofs.full_tile_macs, left, right),
            roof(row_name(roofs), "row", words, roofs.one_row_macs, left, right),
            turns("full turns", words, roofs.full_tile_macs, left, right),
            turns("row turns", words, roofs.one_row_macs, left, right)};
}

/// Where a flat roof meets the slope.
Json ridges_json(const Roofs& roofs) {
    Json ridges = Json::array();
    const auto add = [&](const std::string& name, double macs) {
        ridges.push_back({{"name", name}, {"x", macs / roofs.words_a_cycle}, {"y", macs}});
    };
    add(full_name(roofs), roofs.full_tile_macs);
    add(row_name(roofs), roofs.one_row_macs);
    add(array_name(roofs), roofs.array_macs);
    return ridges;
}

Json roofline_json(const Data& data) {
    const Roofs at = roofs(isa::target_by_name(data.decoders.front().target));
    double left = 0.25;
    double right = 32;
    double bottom = 0.125;
    Json programs = Json::array();
    for (const NamedCost& program : roofline_programs(data)) {
        const double x = intensity(program.cost);
        while (x < 2 * left) left /= 2;
        while (x > right / 2) right *= 2;
        const double y = performance(program.cost);
        while (y < 2 * bottom) bottom /= 2;
        programs.push_back({{"name", program.name}, {"about", program.about}, {"x", x}, {"y", y}});
    }
    return {{"left", left},
            {"right", right},
            {"bottom", bottom},
            {"words_a_cycle", at.words_a_cycle},
            {"lines", lines_json(at, left, right)},
            {"ridges", ridges_json(at)},
            {"programs", std::move(programs)}};
}

/// JSON text with every `<` as an escape, which JSON allows in strings, the only place for it.
std::string without_markup(const std::string& json) {
    std::string text;
    for (const char c : json)
        if (c == '<')
            text += "\\u003c";
        else
            text += c;
    return text;
}

}  // namespace

std::string chart_json(const Data& data) {
    const Decoder& shown = shown_decoder(data);
    Json json = {{"parts", parts_json(data)},
                 {"timelines", timelines_json(shown)},
                 {"roofline", roofline_json(data)}};
    if (shown.steps.front().routing) json["routes"] = routes_json(shown);
    constexpr bool kAscii = true;
    return without_markup(json.dump(-1, ' ', kAscii));
}

}  // namespace capra::report
