#include "report/shown.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace capra::report {
namespace {

/// Programs of the runs that `takes` says, each name once.
template <typename Takes>
std::vector<NamedCost> programs(const Data& data, Takes takes) {
    std::vector<NamedCost> list;
    for (const Decoder& decoder : data.decoders) {
        std::set<std::string> seen;
        for (const Run& run : decoder.runs)
            if (takes(decoder, run) && seen.insert(run.name).second)
                list.push_back({run.name, about(decoder, run), run.cost});
    }
    return list;
}

bool is_last(const Decoder& decoder, const Run& run) {
    return run.step == decoder.steps.size();
}

}  // namespace

std::string about(const Decoder& decoder, const Run& run) {
    if (!decoder.steps.front().routing) return fmt::format("{}, step {}", decoder.name, run.step);
    const auto first = std::ranges::find(decoder.runs, run.step, &Run::step);
    if (first->name == run.name) return fmt::format("attention and router, step {}", run.step);
    return "expert";
}

const Decoder& shown_decoder(const Data& data) {
    const auto routed = std::ranges::find_if(data.decoders, [](const Decoder& decoder) {
        return decoder.steps.front().routing.has_value();
    });
    return routed == data.decoders.end() ? data.decoders.front() : *routed;
}

std::vector<NamedCost> all_programs(const Data& data) {
    return programs(data, [](const Decoder&, const Run&) { return true; });
}

std::vector<NamedCost> first_and_last_programs(const Data& data) {
    return programs(data, [](const Decoder& decoder, const Run& run) {
        return run.step == 1 || is_last(decoder, run);
    });
}

std::vector<NamedCost> roofline_programs(const Data& data) {
    std::vector<NamedCost> list = programs(data, is_last);
    for (const Decoder& decoder : data.decoders)
        for (const Grouped& grouped : decoder.grouped)
            list.push_back({grouped.name, fmt::format("expert, {} tokens at once", grouped.rows),
                            grouped.cost});
    std::erase_if(list, [](const NamedCost& program) {
        return program.cost.macs == 0 || program.cost.words() == 0;
    });
    return list;
}

}  // namespace capra::report
