// mutgen: writes the mutant schema of Verilog or C++ files, and the list of the mutants in it.
#include "isa/error.hpp"
#include "isa/files.hpp"
#include "mutation/cxx_schema.hpp"
#include "mutation/mutant_json.hpp"
#include "mutation/verilog_schema.hpp"
#include "tools/tool_main.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

namespace {

using capra::mutation::Mutant;

/// The selector of a Verilog schema has 16 bits, and 0 selects nothing.
constexpr std::size_t kMostVerilogMutants = 65'535;
/// mutation/cxx_runtime.hpp has room for these.
constexpr std::size_t kMostCxxMutants = 16'383;

struct Options {
    std::string out;
    std::string top = "capra_top";
    std::string root = ".";
    std::vector<std::string> files;
};

std::vector<capra::mutation::VerilogFile> load_in_order(const Options& options) {
    std::vector<capra::mutation::VerilogFile> files;
    for (const std::string& path : options.files)
        files.push_back(capra::mutation::load_verilog(path));
    std::ranges::sort(files, {}, [](const auto& file) { return file.source.name; });
    const auto has_top = [&](const capra::mutation::VerilogFile& file) {
        return std::ranges::find(file.modules, options.top, &capra::mutation::Module::name) !=
               file.modules.end();
    };
    if (std::ranges::none_of(files, has_top))
        throw capra::Error(fmt::format("no file holds the module {}", options.top));
    return files;
}

void write_list(const Options& options, const std::vector<Mutant>& mutants, std::size_t most) {
    if (mutants.size() > most)
        throw capra::Error(fmt::format("{} mutants are more than a schema can select from {}",
                                       mutants.size(), most));
    const std::filesystem::path out(options.out);
    capra::write_file((out / "mutants.json").string(), capra::mutation::mutants_to_json(mutants));
    fmt::print("{} mutants in {} files\n", mutants.size(), options.files.size());
}

int write_verilog(const Options& options) {
    const auto files = load_in_order(options);
    const std::filesystem::path out(options.out);
    std::filesystem::create_directories(out);
    std::vector<Mutant> mutants;
    for (const capra::mutation::VerilogFile& file : files) {
        const auto first = static_cast<std::uint32_t>(mutants.size() + 1);
        const auto name = std::filesystem::path(file.source.name).filename();
        capra::write_file((out / name).string(),
                          capra::mutation::render_schema(file, options.top, first));
        std::ranges::move(capra::mutation::find_mutants(file), std::back_inserter(mutants));
    }
    write_list(options, mutants, kMostVerilogMutants);
    return capra::tools::kOk;
}

int write_cxx(const Options& options) {
    const std::filesystem::path out(options.out);
    const std::filesystem::path root(options.root);
    std::vector<Mutant> mutants;
    for (const std::string& name : options.files) {
        const capra::mutation::SourceFile source{name, capra::read_file((root / name).string())};
        const auto first = static_cast<std::uint32_t>(mutants.size() + 1);
        auto schema = capra::mutation::cxx::make_schema(source, first);
        std::filesystem::create_directories((out / name).parent_path());
        capra::write_file((out / name).string(), schema.text);
        std::ranges::move(schema.mutants, std::back_inserter(mutants));
    }
    write_list(options, mutants, kMostCxxMutants);
    return capra::tools::kOk;
}

void add_files(CLI::App& command, Options& options, const std::string& what) {
    command.add_option("out", options.out, "folder to write to")->required();
    command.add_option("files", options.files, what)->required();
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{"Writes the mutant schema of source files, and mutants.json beside it.", "mutgen"};
    app.require_subcommand(1);
    Options options;
    CLI::App* verilog = app.add_subcommand("verilog", "the schema of a design");
    add_files(*verilog, options, "Verilog files, the top module's among them");
    verilog->add_option("--top", options.top, "module that gets the selector")
        ->capture_default_str();
    CLI::App* cxx = app.add_subcommand("cpp", "the schema of C++ files");
    add_files(*cxx, options, "C++ files, relative to the root");
    cxx->add_option("--root", options.root, "folder of the project")->capture_default_str();
    return capra::tools::tool_main(app, argc, argv, [&] {
        return verilog->parsed() ? write_verilog(options) : write_cxx(options);
    });
}
