// ch17_example_b: routes under int8, load balance, grouped execution, serving arithmetic.
#include "isa/files.hpp"
#include "tools/ch17_example_b/report.hpp"
#include "tools/output_file.hpp"
#include "tools/quant_option.hpp"
#include "tools/tool_main.hpp"

#include <CLI/CLI.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace {

using namespace capra;

constexpr const char* kDescription =
    "Example B: experts and 8-bit integers, load balance, batches, serving.\n\n"
    "Prints how often the chip routes as the float model does on 30 random models, how many\n"
    "experts a batch needs, what grouping a batch by expert saves on the chip, and the arithmetic\n"
    "of serving a large model. With --quant per-channel also what finer scales of the weights "
    "gain\n"
    "and cost. Everything runs on the C++ machine.\n\n"
    "Exit status: 0 done, 2 bad usage.";

struct Options {
    std::uint32_t seed = 1;
    compiler::WeightScales scales = compiler::WeightScales::per_tensor;
    std::optional<std::string> json;
};

int run(const Options& options) {
    if (options.json) tools::check_output(*options.json);
    const auto example = tools::compute_example_b(options.seed, options.scales);
    tools::print_routes(example);
    tools::print_load(example);
    tools::print_grouping(example);
    tools::print_serving(example);
    if (example.per_channel) tools::print_per_channel(example);
    if (options.json) write_file(*options.json, tools::report_json(example));
    return tools::kOk;
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{kDescription, "ch17_example_b"};
    Options options;
    app.add_option("--seed", options.seed, "seed of the simulated batches")->capture_default_str();
    tools::add_quant(app, options.scales);
    app.add_option("--json", options.json, "also write every result to this file");
    return tools::tool_main(app, argc, argv, [&] { return run(options); });
}
