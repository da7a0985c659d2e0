#include "mutation/check_output.hpp"

#include "isa/error.hpp"
#include "mutation/source_lines.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace capra::mutation {
namespace {

using Json = nlohmann::ordered_json;

void count(CheckOutput& output, bool holds, const std::string& name, const std::string& detail) {
    if (holds) {
        ++output.held;
        return;
    }
    output.failed.push_back(name);
    if (output.first.empty()) output.first = fmt::format("{} {}", name, detail);
}

}  // namespace

CheckOutput read_laws(std::string_view json, const std::string& file) {
    CheckOutput output;
    try {
        const Json data = Json::parse(json);
        for (const Json& law : data.at("checks"))
            count(output, law.at("ok").get<bool>(), law.at("name"), law.at("detail"));
        for (const auto& [engine, decoders] : data.at("engines").items())
            for (const auto& [decoder, replay] : decoders.items())
                count(output, replay.at("status") == "pass",
                      fmt::format("replay_{}_{}", engine, decoder),
                      replay.value("divergence", std::string()));
    } catch (const Json::exception& error) {
        throw Error(fmt::format("{}: {}", file, error.what()));
    }
    return output;
}

CheckOutput read_tests(std::string_view output) {
    constexpr std::string_view kRun = "[ RUN      ] ";
    constexpr std::string_view kOk = "[       OK ] ";
    constexpr std::string_view kFailed = "[  FAILED  ] ";
    CheckOutput results;
    std::string_view running;
    std::string_view said;  // first line of the running test
    const auto fail = [&] {
        results.failed.emplace_back(running);
        if (results.first.empty()) results.first = std::string(said);
        running = {};
    };
    for (const auto line : lines_of(output)) {
        if (line.starts_with(kRun)) {
            running = line.substr(kRun.size());
            said = {};
        } else if (line.starts_with(kOk)) {
            ++results.held;
            running = {};
        } else if (line.starts_with(kFailed) && !running.empty()) {
            fail();
        } else if (said.empty()) {
            said = line;
        }
    }
    if (!running.empty()) fail();
    return results;
}

}  // namespace capra::mutation
