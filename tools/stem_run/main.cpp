// stem_run: the STEM family from end to end. Checks, replays on all engines, costs, routed layer.
#include "isa/files.hpp"
#include "tools/output_file.hpp"
#include "tools/progress.hpp"
#include "tools/stem_run/family.hpp"
#include "tools/stem_run/report.hpp"
#include "tools/steps.hpp"
#include "tools/tool_main.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <optional>
#include <string>
#include <vector>

namespace {

using namespace capra;

constexpr const char* kDescription =
    "Tables, gates and routed layers on the Capra chip, from end to end.\n\n"
    "Runs the checks of the STEM family, replays the programs of its decoders on the C++ machine,\n"
    "on the RTL in Icarus and on the RTL in Verilator, and prints what everything costs: weights,\n"
    "multiply-accumulates and cycles beside those of a dense gated block. Then the routed layer\n"
    "with its capacity dial, and dispatch on the chip against dispatch by the host.\n\n"
    "Exit status: 0 every check holds, every structured model follows its rule, and all engines\n"
    "agree, 1 otherwise, 2 bad usage.";

struct Options {
    std::vector<std::string> engines;
    std::vector<std::string> decoders;
    std::optional<std::string> pattern;
    std::vector<std::string> capacities;
    std::uint32_t steps = model::kCheckedSteps;
    std::uint32_t start = 0;
    std::optional<std::string> json;
};

void add_options(CLI::App& app, Options& options) {
    tools::add_engines(app, options.engines);
    app.add_option(
           "--decoder", options.decoders,
           "decoder to check, decode and replay; a list, may be repeated; the default is all. "
           "dense always runs, since every ratio is to it")
        ->delimiter(',')
        ->check(
            CLI::IsMember(std::vector<std::string>(tools::kFamily.begin(), tools::kFamily.end())))
        ->allow_extra_args(false);
    auto* pattern = app.add_option(
        "--pattern", options.pattern,
        "also show a stack of these layers: * attention, S table, E experts, R routed, D dense; "
        "'*S*R*E'");
    app.add_option("--capacity", options.capacities,
                   "share of the tokens that the pattern's R layers admit: 1/2, the default, or a "
                   "list with one for each")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->needs(pattern);
    app.add_option("--steps", options.steps, "steps each decoder decodes")
        ->check(CLI::Range(1U, tools::kMaxStackSteps))
        ->capture_default_str();
    app.add_option("--start", options.start, "first token")
        ->check(CLI::Range(0U, stem::kVocabulary - 1))
        ->capture_default_str();
    app.add_option("--json", options.json,
                   "also write every result to this file; its keys: tools/stem_run/report.hpp");
}

int run(const Options& options) {
    if (options.json) tools::check_output(*options.json);
    auto members = tools::chosen_decoders(options.decoders);
    if (options.pattern)
        members.push_back(tools::pattern_member(*options.pattern, options.capacities));
    fmt::print("The STEM family: tables, gates and routed layers on a chip without branches\n\n");
    tools::Progress progress("decoding and checking");
    const auto show = [&](std::string_view decoder) { progress.update(decoder); };
    const auto decodes = tools::decode_family(members, options.steps, options.start, show);
    const auto checks = tools::check_family(decodes, show);
    const auto studies = tools::study_family(members, options.steps, options.start, show);
    progress.finish();
    tools::print_checks(checks);
    const auto replays =
        tools::replay_all(tools::replay_tasks(decodes), tools::chosen_engines(options.engines));
    tools::print_replays(replays, decodes);
    tools::print_costs(decodes);
    tools::print_routed(studies.routed);
    tools::print_dispatch(studies);
    if (options.json)
        write_file(*options.json, tools::report_json(checks, decodes, replays, studies));
    return tools::status_of(checks, decodes, replays, studies);
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{kDescription, "stem_run"};
    Options options;
    add_options(app, options);
    return tools::tool_main(app, argc, argv, [&] { return run(options); });
}
