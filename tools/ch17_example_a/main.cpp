// ch17_example_a: one token at a time through the router, the experts and the chip.
#include "isa/files.hpp"
#include "tools/ch17_example_a/report.hpp"
#include "tools/output_file.hpp"
#include "tools/tool_main.hpp"

#include <CLI/CLI.hpp>

#include <optional>
#include <string>

namespace {

using namespace capra;

constexpr const char* kDescription =
    "Example A: one token at a time through a mixture of experts.\n\n"
    "Prints the router's scores for all 16 tokens, token 5 step by step in float and on the chip,\n"
    "what wrong experts predict, a decode by a host that starts the wrong expert, and what two\n"
    "programs consist of and cost. Everything runs on the C++ machine.\n\n"
    "Exit status: 0 done, 2 bad usage.";

int run(const std::optional<std::string>& json) {
    if (json) tools::check_output(*json);
    const tools::ExampleA example;
    tools::print_introduction(example);
    tools::print_router_table(example);
    tools::print_followed_token(example);
    tools::print_forced_experts(example);
    tools::print_dispatch(example);
    tools::print_programs(example);
    if (json) write_file(*json, tools::report_json(example));
    return tools::kOk;
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{kDescription, "ch17_example_a"};
    std::optional<std::string> json;
    app.add_option("--json", json, "also write every result to this file");
    return tools::tool_main(app, argc, argv, [&] { return run(json); });
}
