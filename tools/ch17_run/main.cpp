// ch17_run: the chapter from end to end. Checks, replays on all engines, costs, anatomy.
#include "isa/files.hpp"
#include "tools/ch17_run/chapter.hpp"
#include "tools/ch17_run/report.hpp"
#include "tools/output_file.hpp"
#include "tools/progress.hpp"
#include "tools/steps.hpp"
#include "tools/tool_main.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <optional>
#include <string>
#include <vector>

namespace {

using namespace capra;

using tools::kCheckFailed;
using tools::kOk;

constexpr const char* kDescription =
    "The chapter from end to end: a mixture of experts on the Capra chip.\n\n"
    "Runs the software checks, replays the programs of the three decoders on the C++ machine, on\n"
    "the RTL in Icarus and on the RTL in Verilator, and prints what everything costs in cycles.\n\n"
    "Exit status: 0 every check holds and all engines agree, 1 otherwise, 2 bad usage.";

struct Options {
    std::vector<std::string> engines;
    std::uint32_t steps = model::kCheckedSteps;
    std::uint32_t start = 0;
    std::optional<std::string> json;
};

void add_options(CLI::App& app, Options& options) {
    tools::add_engines(app, options.engines);
    app.add_option("--steps", options.steps, "steps each decoder decodes")
        ->check(CLI::Range(1U, tools::kMaxSteps))
        ->capture_default_str();
    app.add_option("--start", options.start, "first token")
        ->check(CLI::Range(0U, model::kVocabulary - 1))
        ->capture_default_str();
    app.add_option("--json", options.json,
                   "also write every result to this file, which `capra report` makes a page of");
}

model::Checks checked() {
    tools::Progress progress("checking");
    return model::run_all_checks([&](std::string_view phase) { progress.update(phase); });
}

int run(const Options& options) {
    if (options.json) tools::check_output(*options.json);
    fmt::print("Chapter 17: a mixture of experts on a chip without branches\n\n");
    const auto checks = checked();
    tools::print_checks(checks);
    const auto decodes = tools::decode_all(options.steps, options.start);
    const auto replays =
        tools::replay_all(tools::replay_tasks(decodes), tools::chosen_engines(options.engines));
    tools::print_replays(replays, decodes);
    tools::print_costs(decodes);
    tools::print_anatomy(decodes);
    if (options.json) write_file(*options.json, tools::report_json(checks, decodes, replays));
    return model::all_ok(checks) && tools::all_agree(replays) ? kOk : kCheckFailed;
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{kDescription, "ch17_run"};
    Options options;
    add_options(app, options);
    return tools::tool_main(app, argc, argv, [&] { return run(options); });
}
