// capra report.
#include "isa/files.hpp"
#include "report/data_json.hpp"
#include "report/page.hpp"
#include "tools/capra/commands.hpp"

#include <memory>
#include <string>

namespace capra::tools {
namespace {

struct Paths {
    std::string in;
    std::string out;
};

}  // namespace

void add_report(CLI::App& app, int& status) {
    (void)status;
    auto paths = std::make_shared<Paths>();
    CLI::App* command = app.add_subcommand(
        "report",
        "Make a page of what a decode did: costs, timeline, routes, roofline, engines\n\n"
        "  ch17_run --json out.json                or: capra decode --json out.json\n"
        "  capra report out.json -o report.html\n"
        "One file that a browser opens without network, light or dark, on a phone or on paper.\n"
        "Every chart has a table with its figures, and is read with the arrow keys.");
    command->add_option("OUT", paths->in, "what `ch17_run --json` or `capra decode --json` wrote")
        ->required();
    command->add_option("-o,--output", paths->out, "page to write")->required();
    command->callback([paths] {
        write_file(paths->out,
                   report::page_html(report::data_from_json(read_file(paths->in), paths->in)));
    });
}

}  // namespace capra::tools
