// What every main does: parse, run, report an exception as one line, finish standard output.
#pragma once

#include "tools/status.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>

namespace capra::tools {

/// One line on standard error, which may itself be closed or full.
inline void complain(const std::string& tool, std::string what) {
    std::replace_if(
        what.begin(), what.end(), [](unsigned char c) { return std::iscntrl(c) != 0; }, '?');
    std::fputs((tool + ": " + what + "\n").c_str(), stderr);
}

/// Parses the command line and runs `body`, which returns the exit status. Bad input of any kind
/// is one line and `kBadInput`; so is a standard output that did not take everything.
template <typename Body>
int tool_main(CLI::App& app, int argc, const char* const* argv, Body body) {
    const std::string tool = app.get_name();
    app.failure_message([&](const CLI::App*, const CLI::Error& error) {
        return tool + ": " + error.what() + "\n";
    });
    int status = kOk;
    try {
        app.parse(argc, argv);
        status = body();
    } catch (const CLI::ParseError& error) {
        status = app.exit(error) == 0 ? kOk : kBadInput;
    } catch (const std::exception& error) {
        complain(tool, error.what());
        return kBadInput;
    }
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
    complain(tool, std::string("cannot write standard output: ") + std::strerror(errno));
    return kBadInput;
}

}  // namespace capra::tools
