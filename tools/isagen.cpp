// isagen: prints a file generated from the instruction table.
#include "isa/generate.hpp"
#include "tools/tool_main.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <string>

int main(int argc, char** argv) {
    CLI::App app{"Prints a file generated from the instruction table (isa/table.hpp).", "isagen"};
    app.require_subcommand(1);
    const auto print = [](const std::string& text) { std::fputs(text.c_str(), stdout); };
    app.add_subcommand("verilog", "rtl/isa.vh")->callback([&] {
        print(capra::isa::generate_verilog_header());
    });
    app.add_subcommand("mnemonics", "tb/mnemonic.vh")->callback([&] {
        print(capra::isa::generate_mnemonic_function());
    });
    app.add_subcommand("manual", "docs/isa.md")->callback([&] {
        print(capra::isa::generate_manual());
    });
    return capra::tools::tool_main(app, argc, argv, [] { return capra::tools::kOk; });
}
