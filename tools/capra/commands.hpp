// The subcommands of capra. Each adds itself to the command line and returns, through `status`,
// what the process exits with.
#pragma once

#include "tools/status.hpp"

#include <CLI/CLI.hpp>

namespace capra::tools {

void add_decode(CLI::App& app, int& status);
void add_compile(CLI::App& app, int& status);
void add_run(CLI::App& app, int& status);
void add_disasm(CLI::App& app, int& status);
void add_explain(CLI::App& app, int& status);
void add_asm(CLI::App& app, int& status);
void add_verify(CLI::App& app, int& status);
void add_fuzz(CLI::App& app, int& status);
void add_report(CLI::App& app, int& status);
void add_grade(CLI::App& app, int& status);
void add_ledger(CLI::App& app, int& status);

}  // namespace capra::tools
