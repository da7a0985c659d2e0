// capra verify.
#include "sim/verify.hpp"
#include "isa/assembler.hpp"
#include "isa/codec.hpp"
#include "isa/files.hpp"
#include "isa/program_file.hpp"
#include "tools/capra/commands.hpp"

#include <fmt/format.h>

#include <array>
#include <map>
#include <memory>
#include <string>

namespace capra::tools {
namespace {

std::string histogram(const isa::Program& program) {
    std::map<std::string_view, unsigned> counts;
    for (const isa::Word& word : program.code) {
        const auto insn = isa::decode(word);
        ++counts[insn ? isa::row_of(insn->op).mnemonic : "illegal"];
    }
    std::string text;
    for (const auto& [mnemonic, count] : counts)
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", mnemonic, count);
    return text;
}

}  // namespace

void add_verify(CLI::App& app, int& status) {
    auto path = std::make_shared<std::string>();
    CLI::App* command = app.add_subcommand(
        "verify",
        "Prove a program safe without running it, and state its exact cost\n\n"
        "Checks every access against its memory, that no scratchpad or accumulator cell is read\n"
        "before it is written, and that the program ends in HALT. Exit status 1 if not.");
    command->add_option("PROG", *path, "program file")->required();
    command->callback([path, &status] {
        const isa::Program program = isa::program_from_json(read_file(*path), *path);
        const isa::Target target = isa::target_by_name(program.target, program.memory_words);
        const sim::Verification report = sim::verify(program, target);
        for (const sim::Finding& finding : report.findings)
            fmt::print("{}: {}\n", *path, finding.text);
        const sim::Counters& c = report.counters;
        fmt::print("{} instructions: {}\n", program.code.size(), histogram(program));
        fmt::print("cycles {} = matrix {} + dma {} + vector {} + control {}\n", c.total, c.matrix,
                   c.dma, c.vector, c.control);
        fmt::print("{}\n", report.ok() ? "safe" : "NOT SAFE");
        if (!report.ok()) status = kCheckFailed;
    });
}

}  // namespace capra::tools
