// capra decode.
#include "isa/files.hpp"
#include "isa/program_file.hpp"
#include "model/chip_decoder.hpp"
#include "model/compiled_model.hpp"
#include "model/language_model.hpp"
#include "report/collect.hpp"
#include "report/data_json.hpp"
#include "sim/engine.hpp"
#include "sim/timeline.hpp"
#include "tools/capra/commands.hpp"
#include "tools/steps.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>

namespace capra::tools {
namespace {

struct Options {
    std::string model;
    std::string decoder = "routed";
    std::string engine = "model";
    std::uint32_t seed = 1;
    std::uint32_t experts = 4;
    std::uint32_t steps = 24;
    std::uint32_t start = 0;
    std::string json;
    std::string programs;
    std::string trace;
};

nlohmann::json counters_json(const sim::Counters& c) {
    return {c.total, c.matrix, c.dma, c.vector, c.control};
}

nlohmann::json to_json(const Options& options, const model::CompiledModel& compiled,
                       const model::DecodeRun& run) {
    nlohmann::json programs = nlohmann::json::array();
    for (const model::ProgramRun& program : run.runs)
        programs.push_back({{"name", program.program->name},
                            {"counters", counters_json(program.result.counters)}});
    return {{"model", options.model},
            {"decoder", options.decoder},
            {"engine", options.engine},
            {"seed", options.seed},
            {"experts", compiled.model.experts},
            {"tokens", run.tokens},
            {"routes", run.routes},
            {"programs", programs},
            {"total", counters_json(run.total())},
            {"decoders", {{options.decoder, report::to_json(report::collect(compiled, run))}}}};
}

/// Every program that ran, its memory image as data, so that `capra run` repeats it exactly.
void write_programs(const std::string& directory, const model::DecodeRun& run) {
    std::error_code failed;
    std::filesystem::create_directories(directory, failed);
    for (std::size_t i = 0; i < run.runs.size(); ++i) {
        isa::Program program = *run.runs[i].program;
        isa::DataBlock image{.address = 0, .values = {}};
        for (const std::int32_t word : run.runs[i].image)
            image.values.push_back(static_cast<std::int8_t>(word));
        program.data = {std::move(image)};
        write_file(fmt::format("{}/{:03}-{}.json", directory, i, program.name),
                   isa::program_to_json(program));
    }
}

/// Every step with its programs, and between them what the host decided.
std::string timeline_json(const isa::Target& target, const model::DecodeRun& run) {
    sim::Timeline timeline(target);
    const std::size_t per_step = run.runs.size() / run.steps.size();
    for (std::size_t i = 0; i < run.steps.size(); ++i) {
        const model::ChipStep& step = run.steps[i];
        timeline.begin_group(fmt::format("step {}: token {} -> {}", i + 1, step.input, step.token));
        for (std::size_t p = 0; p < per_step; ++p) {
            if (p > 0)
                timeline.mark(fmt::format("route {}: expert {}", step.route, step.experts.front()));
            const model::ProgramRun& program = run.runs[i * per_step + p];
            timeline.add(*program.program, program.result);
        }
        timeline.end_group();
    }
    return timeline.to_json();
}

void print(const Options& options, const model::DecodeRun& run) {
    fmt::print("{} model, {} decoder, {} engine, start token {}\n", options.model, options.decoder,
               options.engine, options.start);
    fmt::print("tokens  {}\n", fmt::join(run.tokens, " "));
    if (!run.routes.empty()) fmt::print("routes  {}\n", fmt::join(run.routes, " "));
    fmt::print("\n{:>7}  {:<12} {:>8} {:>8} {:>8} {:>8} {:>8}\n", "program", "name", "cycles",
               "matrix", "dma", "vector", "control");
    for (std::size_t i = 0; i < run.runs.size(); ++i) {
        const sim::Counters& c = run.runs[i].result.counters;
        fmt::print("{:>7}  {:<12} {:>8} {:>8} {:>8} {:>8} {:>8}\n", i, run.runs[i].program->name,
                   c.total, c.matrix, c.dma, c.vector, c.control);
    }
    const sim::Counters total = run.total();
    fmt::print("{:>7}  {:<12} {:>8} {:>8} {:>8} {:>8} {:>8}\n", "all", "", total.total,
               total.matrix, total.dma, total.vector, total.control);
}

void run(Options options) {
    if (options.model.empty()) options.model = options.decoder == "single" ? "tiny" : "structured";
    const model::CompiledModel compiled =
        model::compile_model(model::make_model(options.model, options.seed, options.experts),
                             model::decoder_by_name(options.decoder), options.steps);
    const auto engine = sim::make_engine(options.engine, compiled.target);
    const model::DecodeRun result = model::decode(compiled, *engine, options.steps, options.start);
    if (!options.trace.empty()) write_file(options.trace, timeline_json(compiled.target, result));
    if (!options.programs.empty()) write_programs(options.programs, result);
    if (!options.json.empty())
        write_file(options.json, to_json(options, compiled, result).dump(1) + "\n");
    print(options, result);
}

}  // namespace

void add_decode(CLI::App& app, int& status) {
    (void)status;
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand(
        "decode",
        "Decode tokens with a language model on the chip\n\n"
        "routed: program A (attention, router), then program B of the expert the router chose;\n"
        "dense: one program that evaluates every expert; single: one feed-forward block.\n"
        "Prints tokens, routes and the counters of every program.");
    command
        ->add_option("--model", options->model,
                     "structured, random or tiny; the default is structured, and tiny for the "
                     "single decoder")
        ->check(CLI::IsMember({"structured", "random", "tiny"}));
    command->add_option("--decoder", options->decoder, "routed, dense or single")
        ->check(CLI::IsMember({"routed", "dense", "single"}))
        ->capture_default_str();
    command->add_option("--engine", options->engine, "engine to run on")
        ->check(CLI::IsMember(sim::kEngineNames))
        ->capture_default_str();
    command->add_option("--seed", options->seed, "seed of the weights")->capture_default_str();
    command->add_option("--experts", options->experts, "2, 4, 8 or 16")
        ->check(CLI::IsMember({2, 4, 8, 16}))
        ->capture_default_str();
    command->add_option("--steps", options->steps, "tokens to decode")
        ->check(CLI::Range(1U, kMaxSteps))
        ->capture_default_str();
    command->add_option("--start", options->start, "first token")
        ->check(CLI::Range(0U, model::kVocabulary - 1))
        ->capture_default_str();
    command->add_option("--json", options->json,
                        "also write the result as JSON, which `capra report` makes a page of");
    command->add_option("--programs", options->programs,
                        "directory for every program that ran, as PROG files with their inputs");
    command->add_option("--trace", options->trace,
                        "write a timeline that Perfetto and chrome://tracing open: steps and "
                        "programs, a track per unit; 1 us is 1 cycle");
    command->callback([options] { run(*options); });
}

}  // namespace capra::tools
