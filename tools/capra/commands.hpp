// The subcommands of capra. Each adds itself to the command line and returns, through `status`,
// what the process exits with.
#pragma once

#include <CLI/CLI.hpp>

namespace capra::tools {

/// Exit statuses of every tool.
inline constexpr int kOk = 0;
inline constexpr int kCheckFailed = 1;
inline constexpr int kBadInput = 2;

void add_decode(CLI::App& app, int& status);
void add_compile(CLI::App& app, int& status);
void add_run(CLI::App& app, int& status);
void add_disasm(CLI::App& app, int& status);
void add_asm(CLI::App& app, int& status);
void add_verify(CLI::App& app, int& status);
void add_fuzz(CLI::App& app, int& status);

}  // namespace capra::tools
