// capra compile.
#include "compiler/compile.hpp"
#include "compiler/calibrate.hpp"
#include "compiler/graph_json.hpp"
#include "isa/error.hpp"
#include "isa/files.hpp"
#include "isa/program_file.hpp"
#include "sim/verify.hpp"
#include "tools/capra/commands.hpp"
#include "tools/quant_option.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>

namespace capra::tools {
namespace {

struct Options {
    std::string in;
    std::string out;
    std::string target = "reference";
    std::uint32_t ext_words = isa::kDefaultExtWords;
    compiler::WeightScales scales = compiler::WeightScales::per_tensor;
};

isa::Program compiled(const compiler::ParsedGraph& parsed, const Options& options,
                      std::uint32_t ext_words) {
    return compiler::compile(parsed.graph, compiler::calibrate(parsed.graph, parsed.samples),
                             isa::target_by_name(options.target, ext_words), options.scales);
}

/// The external words of the program if it compiles with all that there can be.
std::optional<std::uint32_t> words_needed(const compiler::ParsedGraph& parsed,
                                          const Options& options) {
    try {
        return compiled(parsed, options, isa::kMaxExtWords).memory_words;
    } catch (const Error&) {
        return std::nullopt;
    }
}

/// An Error that more external memory would mend says how much.
isa::Program compiled(const compiler::ParsedGraph& parsed, const Options& options) {
    try {
        return compiled(parsed, options, options.ext_words);
    } catch (const Error& error) {
        const auto words = words_needed(parsed, options);
        if (!words) throw;
        throw Error(fmt::format("{}: --ext-words {} is enough", error.what(), *words));
    }
}

void run(const Options& options) {
    const compiler::ParsedGraph parsed = compiler::parse_graph(read_file(options.in), options.in);
    const isa::Target target = isa::target_by_name(options.target, options.ext_words);
    const isa::Program program = compiled(parsed, options);
    const sim::Counters cost = sim::verify(program, target).counters;
    write_file(options.out, isa::program_to_json(program));
    fmt::print("{}: {} instructions, {} external words, {} cycles\n", options.out,
               program.code.size(), program.memory_words, cost.total);
}

}  // namespace

void add_compile(CLI::App& app, int& status) {
    (void)status;
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand(
        "compile",
        "Compile a graph into a program\n\n"
        "GRAPH.json holds nodes (input, index, weight, matmul, add, mul, relu, silu, sigmoid, "
        "gelu,\n"
        "softmax, argmax, topk, topk_values, element, lookup, concat_rows, concat_cols, output) "
        "and\n"
        "the calibration samples that fix the int8 scales; examples/mlp.json is one.");
    command->add_option("GRAPH", options->in, "graph file (JSON)")->required();
    command->add_option("-o,--output", options->out, "program file to write")->required();
    command->add_option("--target", options->target, "target to compile for")
        ->capture_default_str();
    command->add_option("--ext-words", options->ext_words, "words of external memory")
        ->capture_default_str()
        ->check(CLI::Range(1U, isa::kMaxExtWords));
    add_quant(*command, options->scales);
    command->callback([options] { run(*options); });
}

}  // namespace capra::tools
