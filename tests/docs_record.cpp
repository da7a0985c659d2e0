// docs_record: types the commands of pages again, and writes what they print now into the pages.
#include "isa/files.hpp"
#include "tests/docs_console.hpp"
#include "tests/temporary_directory.hpp"
#include "tools/tool_main.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace {

using namespace capra;

/// What is still wrong with the page after its output was written.
std::vector<std::string> record(const std::string& page) {
    const TemporaryDirectory place;
    copy_project(CAPRA_SOURCE, CAPRA_BIN, CAPRA_BENCHES, place.path());
    const std::string before = read_file(page);
    std::vector<ConsoleResult> results =
        run_commands(commands_of(parse_page(before)), place.path());
    const std::string after = with_output(before, results);
    if (after != before) {
        write_file(page, after);
        fmt::print("{}: written\n", page);
    }
    const std::vector<ConsoleCommand> commands = commands_of(parse_page(after));
    for (std::size_t i = 0; i < results.size(); ++i) results[i].command = commands[i];
    return failures_of(page, results);
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{
        "Types the commands of pages again, and writes what they print now into the pages.\n"
        "Exit status 1 if one fails, or prints something else where the page leaves lines "
        "out.",
        "docs_record"};
    std::vector<std::string> pages;
    app.add_option("PAGE", pages, "Markdown files")->required();
    return tools::tool_main(app, argc, argv, [&] {
        int status = tools::kOk;
        for (const std::string& page : pages)
            for (const std::string& failure : record(page)) {
                fmt::print("{}\n", failure);
                status = tools::kCheckFailed;
            }
        return status;
    });
}
