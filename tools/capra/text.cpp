// capra disasm, capra asm.
#include "isa/assembler.hpp"
#include "isa/files.hpp"
#include "isa/program_file.hpp"
#include "tools/capra/commands.hpp"
#include "tools/capra/read_program.hpp"

#include <fmt/format.h>

#include <memory>
#include <string>

namespace capra::tools {
namespace {

struct Paths {
    std::string in;
    std::string out;
};

}  // namespace

void add_disasm(CLI::App& app, int& status) {
    (void)status;
    auto paths = std::make_shared<Paths>();
    CLI::App* command = app.add_subcommand("disasm", "Print a program as assembler text");
    command->add_option("PROG", paths->in, "program file")->required();
    command->add_option("-o,--output", paths->out, "write here instead of standard output");
    command->callback([paths] {
        const std::string text = isa::disassemble(read_program(paths->in));
        if (paths->out.empty())
            fmt::print("{}", text);
        else
            write_file(paths->out, text);
    });
}

void add_asm(CLI::App& app, int& status) {
    (void)status;
    auto paths = std::make_shared<Paths>();
    CLI::App* command = app.add_subcommand(
        "asm",
        "Assemble text into a program file\n\n"
        "One instruction a line, fields by name as docs/isa.md lists them, 0 when left out:\n"
        "  .memory 64                 external words the program uses\n"
        "  .data 0 1 -2 3 4           constants at external word 0\n"
        "  LD d=0 n=4 x=0             ; load them\n"
        "  AMAX d=8 a=0 n=4\n"
        "  ST a=8 n=1 x=32\n"
        "  HALT\n"
        "Text from `capra disasm` assembles to the same program again.");
    command->add_option("TEXT", paths->in, "assembler text")->required();
    command->add_option("-o,--output", paths->out, "program file to write")->required();
    command->callback([paths] {
        write_file(paths->out,
                   isa::program_to_json(isa::assemble(read_file(paths->in), paths->in)));
    });
}

}  // namespace capra::tools
