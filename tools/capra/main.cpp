// capra: compile, run, inspect and compare Capra programs.
#include "tools/capra/commands.hpp"
#include "tools/tool_main.hpp"

namespace {

constexpr const char* kDescription =
    "Capra: a tiny mixture-of-experts accelerator.\n\n"
    "A program (PROG) is a straight list of instructions with its constants, written by\n"
    "`capra compile` or `capra asm`. Three engines run it: the C++ machine (model), the RTL in\n"
    "Verilator, the RTL in Icarus; all agree to the byte and the cycle.\n\n"
    "Try:\n"
    "  capra decode --steps 8                  eight tokens of the structured model\n"
    "  capra decode --programs /tmp/progs      the same, keeping every program that ran\n"
    "  capra disasm PROG                       what is in one of them\n"
    "  capra explain PROG                      what each instruction is for\n"
    "  capra verify PROG                       is it safe, and what does it cost\n"
    "  capra run PROG --engine verilator       run it on the RTL\n"
    "  capra ledger --pattern '*E*S*R*D'       MACs and weights of a stack of layers\n\n"
    "Exit status: 0 fine, 1 a check failed, 2 bad input.";

}  // namespace

int main(int argc, char** argv) {
    using namespace capra::tools;
    CLI::App app{kDescription, "capra"};
    app.require_subcommand(1);
    int status = kOk;
    add_decode(app, status);
    add_compile(app, status);
    add_run(app, status);
    add_disasm(app, status);
    add_explain(app, status);
    add_asm(app, status);
    add_verify(app, status);
    add_fuzz(app, status);
    add_report(app, status);
    add_grade(app, status);
    add_ledger(app, status);
    return tool_main(app, argc, argv, [&] { return status; });
}
