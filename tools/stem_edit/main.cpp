// stem_edit: the rows of a table edited, the input text unchanged.
#include "isa/files.hpp"
#include "tools/output_file.hpp"
#include "tools/stem_edit/report.hpp"
#include "tools/tool_main.hpp"

#include <CLI/CLI.hpp>

namespace {

using namespace capra;

constexpr const char* kDescription =
    "Editing what a model with tables knows, on the chip.\n\n"
    "Reads a text twice: as it is, and with some of its positions reading the rows of other\n"
    "tokens. The input text stays as it is; what is predicted at these positions follows the "
    "rows.\n"
    "Prints both runs side by side, and what changed where nothing was edited.\n\n"
    "The model is a constructed one whose table rows alone know the rule, that 5 t + 3 mod 16\n"
    "follows token t.\n\n"
    "Exit status: 0 the predictions follow the edit, 1 one does not, 2 bad input.";

int run(const CLI::App& app, const tools::EditOptions& options) {
    tools::check_options(app, options);
    if (options.json) tools::check_output(*options.json);
    const tools::EditStudy study = tools::study_edit(options);
    if (options.json) write_file(*options.json, tools::edit_json(options, study));
    return tools::print_study(options, study);
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{kDescription, "stem_edit"};
    tools::EditOptions options;
    tools::add_edit_options(app, options);
    return tools::tool_main(app, argc, argv, [&] { return run(app, options); });
}
