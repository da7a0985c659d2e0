// capra explain.
#include "sim/explain.hpp"
#include "isa/files.hpp"
#include "tools/capra/commands.hpp"
#include "tools/capra/explain_text.hpp"
#include "tools/capra/program_target.hpp"
#include "tools/capra/read_program.hpp"

#include <fmt/format.h>

#include <memory>
#include <string>

namespace capra::tools {
namespace {

struct Options {
    std::string in;
    std::string json;
};

void run(const Options& options) {
    const isa::Program program = read_program(options.in);
    const isa::Target target = target_of(program);
    const sim::Explanation explanation = sim::explain(program, target);
    if (!options.json.empty())
        write_file(options.json, explanation_json(program, explanation).dump(1) + "\n");
    fmt::print("{}", explanation_text(program, target, explanation));
}

}  // namespace

void add_explain(CLI::App& app, int& status) {
    (void)status;
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand(
        "explain",
        "Print what each instruction computes, and what the scratchpad holds when\n\n"
        "In the words of the graph, for a program that was compiled:\n"
        "  wq[:, 0:4]   columns 0 to 3 of wq (rows come first)      ext wq   wq in external "
        "memory\n"
        "  h@y          h, rescaled to the scale of y               acc      the accumulators\n"
        "One that was assembled by hand is explained by its symbols and addresses. `cycles` are "
        "an\n"
        "instruction's own, fetch and decode included; `total` is what the machine's counter "
        "shows.");
    command->add_option("PROG", options->in, "program file")->required();
    command->add_option("--json", options->json, "also write it as data");
    command->callback([options] { run(*options); });
}

}  // namespace capra::tools
