// capra verify.
#include "sim/verify.hpp"
#include "isa/histogram.hpp"
#include "tools/capra/commands.hpp"
#include "tools/capra/program_target.hpp"
#include "tools/capra/read_program.hpp"

#include <fmt/format.h>

#include <memory>
#include <string>

namespace capra::tools {

void add_verify(CLI::App& app, int& status) {
    auto path = std::make_shared<std::string>();
    CLI::App* command = app.add_subcommand(
        "verify",
        "Prove a program safe without running it, and state its exact cost\n\n"
        "Checks every access against its memory, that no scratchpad or accumulator cell is read\n"
        "before it is written, and that the program ends in HALT. Exit status 1 if not.");
    command->add_option("PROG", *path, "program file")->required();
    command->callback([path, &status] {
        const isa::Program program = read_program(*path);
        const isa::Target target = target_of(program);
        const sim::Verification report = sim::verify(program, target);
        for (const sim::Finding& finding : report.findings)
            fmt::print("{}: {}\n", *path, finding.text);
        const sim::Counters& c = report.counters;
        fmt::print("{} instructions: {}\n", program.code.size(),
                   isa::histogram_text(isa::histogram(program)));
        fmt::print("cycles {} = matrix {} + dma {} + vector {} + control {}\n", c.total, c.matrix,
                   c.dma, c.vector, c.control);
        fmt::print("{}\n", report.ok() ? "safe" : "NOT SAFE");
        if (!report.indexed.empty())
            fmt::print("ends earlier if an index names no row, at instruction {}\n",
                       fmt::join(report.indexed, " or "));
        if (!report.ok()) status = kCheckFailed;
    });
}

}  // namespace capra::tools
