// mutgen: writes the mutant schema of Verilog files, and the list of the mutants in it.
#include "isa/error.hpp"
#include "isa/files.hpp"
#include "mutation/verilog_schema.hpp"
#include "tools/status.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

namespace {

/// A selector has 16 bits, and 0 selects nothing.
constexpr std::size_t kMostMutants = 65'535;

struct Options {
    std::string out;
    std::string top = "capra_top";
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

void write_schema(const Options& options) {
    const auto files = load_in_order(options);
    const std::filesystem::path out(options.out);
    std::filesystem::create_directories(out);
    std::vector<capra::mutation::Mutant> mutants;
    for (const capra::mutation::VerilogFile& file : files) {
        const auto first = static_cast<std::uint32_t>(mutants.size() + 1);
        const auto name = std::filesystem::path(file.source.name).filename();
        capra::write_file((out / name).string(),
                          capra::mutation::render_schema(file, options.top, first));
        std::ranges::move(capra::mutation::find_mutants(file), std::back_inserter(mutants));
    }
    if (mutants.size() > kMostMutants)
        throw capra::Error(fmt::format("{} mutants are more than a schema can select from {}",
                                       mutants.size(), kMostMutants));
    capra::write_file((out / "mutants.json").string(), capra::mutation::mutants_to_json(mutants));
    fmt::print("{} mutants in {} files\n", mutants.size(), files.size());
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{"Writes the mutant schema of Verilog files, and mutants.json beside it."};
    Options options;
    app.add_option("out", options.out, "folder to write to")->required();
    app.add_option("files", options.files, "Verilog files, the top module's among them")
        ->required();
    app.add_option("--top", options.top, "module that gets the selector")->capture_default_str();
    try {
        app.parse(argc, argv);
        write_schema(options);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error);
        fmt::print(stderr, "mutgen: {}\n", error.what());
        return capra::tools::kBadInput;
    } catch (const std::exception& error) {
        fmt::print(stderr, "mutgen: {}\n", error.what());
        return capra::tools::kBadInput;
    }
    return capra::tools::kOk;
}
