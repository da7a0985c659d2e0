#include "tools/run_report.hpp"

#include "isa/thousands.hpp"
#include "report/data_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <sstream>
#include <string>

namespace capra::tools {
namespace {

using Json = nlohmann::ordered_json;

/// The words of a text in lines that fit a terminal of 80 columns behind their indent.
std::vector<std::string> wrapped(const std::string& text) {
    constexpr std::size_t kWidth = 70;
    std::vector<std::string> lines(1);
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        if (!lines.back().empty() && lines.back().size() + 1 + word.size() > kWidth)
            lines.emplace_back();
        lines.back() += (lines.back().empty() ? "" : " ") + word;
    }
    return lines;
}

Json replay_json(const Replay& replay) {
    Json counters = Json::array();
    for (const auto& c : replay.report.counters)
        counters.push_back({c.total, c.matrix, c.dma, c.vector, c.control});
    const auto& r = replay.report;
    Json json = report::to_json(report::Replay{replay.engine, replay.decoder, r.pass(),
                                               r.counters.size(), r.cycles, r.retires, r.cells,
                                               r.pass() ? "" : sim::to_string(*r.divergence)});
    json["counters"] = std::move(counters);
    return json;
}

}  // namespace

void print_check_lines(const model::Checks& checks) {
    for (const auto& check : checks) {
        fmt::print("   {:<4}  {}\n", check.ok ? "ok" : "FAIL", check.name);
        for (const std::string& line : wrapped(check.detail)) fmt::print("         {}\n", line);
    }
    const auto good = std::count_if(checks.begin(), checks.end(), [](auto& c) { return c.ok; });
    fmt::print("\n   {} of {} checks hold\n\n", good, checks.size());
    std::fflush(stdout);
}

Json checks_json(const model::Checks& checks) {
    Json list = Json::array();
    for (const auto& check : checks)
        list.push_back({{"name", check.name}, {"ok", check.ok}, {"detail", check.detail}});
    return list;
}

Json engines_json(const std::vector<Replay>& replays) {
    Json json;
    for (const auto& replay : replays) json[replay.engine][replay.decoder] = replay_json(replay);
    return json;
}

}  // namespace capra::tools
