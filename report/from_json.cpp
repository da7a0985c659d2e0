#include "report/data_json.hpp"

#include "isa/error.hpp"
#include "isa/json_reader.hpp"
#include "isa/names.hpp"
#include "isa/target.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace capra::report {
namespace {

/// More than anything that is counted here, and exact in the page's numbers.
constexpr std::int64_t kMaxCount = std::int64_t{1} << 53;
constexpr std::int64_t kMaxIndex = (std::int64_t{1} << 31) - 1;

std::uint64_t count(const JsonReader& json, std::int64_t min = 0) {
    return static_cast<std::uint64_t>(json.integer(min, kMaxCount));
}

std::uint32_t index(const JsonReader& json, std::int64_t min = 0, std::int64_t max = kMaxIndex) {
    return static_cast<std::uint32_t>(json.integer(min, max));
}

template <typename One>
auto list(const JsonReader& json, One one) {
    std::vector<decltype(one(json))> items;
    for (std::size_t i = 0; i < json.size(); ++i) items.push_back(one(json.at(i)));
    return items;
}

sim::Counters counters(const JsonReader& json) {
    constexpr std::size_t kCounters = 5;
    if (json.size() != kCounters) json.expected("total, matrix, dma, vector, control");
    const auto at = [&](std::size_t i) { return count(json.at(i)); };
    const sim::Counters c{at(0), at(1), at(2), at(3), at(4)};
    if (c.total != c.matrix + c.dma + c.vector + c.control)
        json.fail(fmt::format("the parts do not add up to the total of {}", c.total));
    if (c.total == 0) json.at(std::size_t{0}).fail("a program takes cycles");
    return c;
}

Cost cost(const JsonReader& json) {
    return {counters(json.at("counters")), count(json.at("instructions"), 1),
            count(json.at("words_loaded")), count(json.at("words_stored")), count(json.at("macs"))};
}

/// A share between a tie and a route that no other score comes near to.
double margin(const JsonReader& json) {
    const double value = json.number();
    if (value < 0 || value > 1) json.expected("a margin in 0..1");
    return value;
}

Step step(const JsonReader& json, std::uint32_t experts) {
    Step step{index(json.at("input")), index(json.at("token")), std::nullopt};
    const auto router = json.find("router");
    if (!router) return step;
    if (experts < 2) router->fail("a router has two experts or more");
    if (router->size() != experts) router->expected(fmt::format("{} scores", experts));
    const auto expert = [&](const JsonReader& e) { return index(e, 0, experts - 1); };
    step.routing = {list(json.at("experts"), expert),
                    list(*router, [](const JsonReader& score) { return score.number(); }),
                    expert(json.at("route")),
                    margin(json.at("margin")),
                    expert(json.at("float_route")),
                    margin(json.at("float_margin"))};
    return step;
}

isa::Unit unit(const JsonReader& json) {
    for (unsigned i = 0; i < isa::kUnitCount; ++i)
        if (json.string() == isa::unit_name(static_cast<isa::Unit>(i)))
            return static_cast<isa::Unit>(i);
    json.expected("control, dma, matrix or vector");
}

ProgramTimeline program_timeline(const JsonReader& json) {
    ProgramTimeline timeline{json.at("name").string(), {}};
    std::uint64_t now = 0;
    timeline.slices = list(json.at("instructions"), [&](const JsonReader& slice) {
        const Slice read{index(slice.at("pc")), slice.at("text").string(), unit(slice.at("unit")),
                         count(slice.at("from")), count(slice.at("to"))};
        if (read.from < now) slice.at("from").fail(fmt::format("it begins before cycle {}", now));
        if (read.to <= read.from) slice.at("to").fail("it ends no later than it begins");
        now = read.to;
        return read;
    });
    if (timeline.slices.empty()) json.at("instructions").expected("at least one instruction");
    return timeline;
}

/// Every step has a program, and no program another step; all steps have a router or none has.
void check_steps(const JsonReader& json, const Decoder& decoder) {
    if (decoder.steps.empty()) json.at("steps").expected("at least one step");
    const bool routed = decoder.steps.front().routing.has_value();
    for (std::size_t i = 0; i < decoder.steps.size(); ++i)
        if (decoder.steps[i].routing.has_value() != routed)
            json.at("steps").at(i).fail(routed ? "the step before had a router"
                                               : "the step before had no router");
    std::set<std::uint32_t> seen;
    for (std::size_t i = 0; i < decoder.runs.size(); ++i) {
        if (decoder.runs[i].step > decoder.steps.size())
            json.at("runs").at(i).at("step").fail(
                fmt::format("there are {} steps", decoder.steps.size()));
        seen.insert(decoder.runs[i].step);
    }
    if (seen.size() != decoder.steps.size())
        json.at("runs").fail(
            fmt::format("programs of {} steps out of {}", seen.size(), decoder.steps.size()));
}

std::string target_name(const JsonReader& json) {
    try {
        return isa::target_by_name(json.string()).name;
    } catch (const Error& error) {
        json.fail(error.what());
    }
}

Decoder decoder(const std::string& name, const JsonReader& json) {
    Decoder decoder{.name = name, .target = target_name(json.at("target"))};
    decoder.experts = index(json.at("experts"), 1);
    decoder.feed_forward_weights = count(json.at("feed_forward_weights"));
    decoder.runs = list(json.at("runs"), [](const JsonReader& run) {
        return Run{index(run.at("step"), 1), run.at("name").string(), cost(run)};
    });
    decoder.steps =
        list(json.at("steps"), [&](const JsonReader& one) { return step(one, decoder.experts); });
    decoder.grouped = list(json.at("grouped"), [](const JsonReader& grouped) {
        return Grouped{index(grouped.at("rows"), 1), grouped.at("name").string(), cost(grouped)};
    });
    check_steps(json, decoder);
    const JsonReader timeline = json.at("timeline");
    decoder.timeline = {index(timeline.at("step"), 1, std::ssize(decoder.steps)),
                        list(timeline.at("programs"), program_timeline)};
    if (decoder.timeline.programs.empty()) timeline.at("programs").expected("at least one program");
    return decoder;
}

Check check(const JsonReader& json) {
    return {json.at("name").string(), json.at("ok").boolean(), json.at("detail").string()};
}

Replay replay(const std::string& engine, const std::string& decoder, const JsonReader& json) {
    const std::string& status = json.at("status").string();
    if (status != "pass" && status != "diverged") json.at("status").expected("pass or diverged");
    const bool pass = status == "pass";
    return {engine,
            decoder,
            pass,
            count(json.at("programs")),
            count(json.at("cycles")),
            count(json.at("retires")),
            count(json.at("cells")),
            pass ? "" : json.at("divergence").string()};
}

/// In the order in which engines are always listed.
std::vector<Replay> replays(const JsonReader& json) {
    for (const std::string& engine : json.keys())
        if (std::ranges::find(sim::kEngineNames, engine) == sim::kEngineNames.end())
            json.at(engine).fail(
                fmt::format("the engines are {}", fmt::join(sim::kEngineNames, ", ")));
    std::vector<Replay> replays;
    for (const std::string& engine : sim::kEngineNames)
        if (const auto decoders = json.find(engine))
            for (const std::string& name : decoders->keys())
                replays.push_back(replay(engine, name, decoders->at(name)));
    return replays;
}

/// What other tools write is no decode, and would be refused for a key that nobody misses in it.
void check_writer(const JsonReader& json) {
    constexpr std::array<std::array<std::string_view, 2>, 4> kWriters = {
        {{"admission", "stem_run"},
         {"follows_target", "stem_edit"},
         {"relative_to_control_percent", "capra ledger"},
         {"expert_words", "stem_cache"}}};
    for (const auto& [key, writer] : kWriters)
        if (json.find(std::string(key)))
            json.fail(
                fmt::format("this is what {} wrote: expected the JSON of ch17_run or of "
                            "capra decode",
                            writer));
}

}  // namespace

Data data_from_json(std::string_view text, const std::string& file) {
    const JsonDocument document = parse_strict_json(text, file);
    const JsonReader json(document);
    check_writer(json);
    Data data{.file = file};
    if (const auto about = json.find("about")) data.about = about->string();
    const JsonReader decoders = json.at("decoders");
    for (const std::string& name : decoders.keys())
        data.decoders.push_back(decoder(name, decoders.at(name)));
    if (data.decoders.empty()) decoders.expected("at least one decoder");
    std::ranges::stable_sort(data.decoders, {}, [](const Decoder& d) { return d.cycles(); });
    if (const auto checks = json.find("checks")) data.checks = list(*checks, check);
    if (const auto engines = json.find("engines")) data.replays = replays(*engines);
    return data;
}

}  // namespace capra::report
