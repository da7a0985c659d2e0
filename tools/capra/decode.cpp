// capra decode.
#include "isa/error.hpp"
#include "model/compiled_model.hpp"
#include "model/language_model.hpp"
#include "sim/engine.hpp"
#include "tools/capra/commands.hpp"
#include "tools/capra/decode_output.hpp"
#include "tools/output_file.hpp"
#include "tools/quant_option.hpp"
#include "tools/steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>

namespace capra::tools {
namespace {

/// The largest batch: all its tokens may choose one expert, whose hidden layer of 32 values a token
/// must fit the 1,024 accumulators of the reference target.
constexpr std::uint32_t kMaxBatch = 32;

model::CompiledModel compiled_for(const DecodeOptions& options) {
    const auto decoder = model::decoder_by_name(options.decoder);
    const auto plain = model::make_model(options.model, options.seed, options.experts);
    model::CompileOptions how{.top = options.top, .scales = options.scales};
    if (!options.router_scale)
        return model::compile_model(plain, decoder, options.steps, isa::reference_target(), how);
    if (decoder != model::DecoderKind::routed)
        throw Error(fmt::format("--router-scale: the {} decoder has no router", options.decoder));
    if (!options.recalibrate) how.calibrated_on = plain;
    return model::compile_model(model::with_router_scale(plain, *options.router_scale), decoder,
                                options.steps, isa::reference_target(), how);
}

/// Start tokens start, start + 1, ... of a batch.
std::vector<std::uint32_t> start_tokens(std::uint32_t start, std::uint32_t batch) {
    std::vector<std::uint32_t> tokens(batch);
    std::iota(tokens.begin(), tokens.end(), start);
    for (std::uint32_t& token : tokens) token %= model::kVocabulary;
    return tokens;
}

model::Admit admission(const DecodeOptions& options) {
    if (!options.capacity) return {};
    return [capacity = *options.capacity](std::span<const std::uint32_t> routes) {
        return model::within_capacity(routes, capacity);
    };
}

void run(DecodeOptions options) {
    if (options.model.empty()) options.model = options.decoder == "single" ? "tiny" : "structured";
    if (!options.json.empty()) check_output(options.json);
    if (!options.trace.empty()) check_output(options.trace, "--trace");
    const model::CompiledModel compiled = compiled_for(options);
    const auto engine = sim::make_engine(options.engine, compiled.target);
    if (!options.batch) {
        report(options, compiled, model::decode(compiled, *engine, options.steps, options.start));
        return;
    }
    const auto programs = model::compile_batch(compiled, *options.batch);
    report(options, compiled,
           model::decode_batch(compiled, programs, *engine, options.steps,
                               start_tokens(options.start, *options.batch), admission(options)));
}

/// What the exercises of the chapter ask for.
void add_experiments(CLI::App& command, DecodeOptions& options) {
    command
        .add_option(
            "--top", options.top,
            "experts a token goes to: the best by score, lowest index first; outputs add up")
        ->check(CLI::Range(1U, 2U))
        ->capture_default_str();
    auto* scale = command.add_option(
        "--router-scale", options.router_scale,
        "multiply the router's weights by this after calibration: the scores keep the int8 steps "
        "of the unscaled model");
    command
        .add_flag("--recalibrate", options.recalibrate,
                  "calibrate the scaled model instead: its scores get int8 steps of their own")
        ->needs(scale);
    auto* batch = command.add_option(
        "--batch", options.batch,
        "sequences in lock-step from tokens start, start + 1, ...; tokens of one expert share a "
        "program");
    batch->check(CLI::Range(1U, kMaxBatch));
    command
        .add_option("--capacity", options.capacity,
                    "the most tokens an expert takes in a step, first come, first served; for the "
                    "others y = h")
        ->check(CLI::Range(1U, kMaxBatch))
        ->needs(batch);
}

}  // namespace

void add_decode(CLI::App& app, int& status) {
    (void)status;
    auto options = std::make_shared<DecodeOptions>();
    CLI::App* command = app.add_subcommand(
        "decode",
        "Decode tokens with a language model on the chip\n\n"
        "routed: program A (attention, router), then program B of each expert the router chose;\n"
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
    add_experiments(*command, *options);
    add_quant(*command, options->scales);
    command->add_option("--json", options->json,
                        "also write the result as JSON, which `capra report` makes a page of, "
                        "but for a batch");
    command->add_option("--programs", options->programs,
                        "directory for every program that ran, as PROG files with their inputs");
    command->add_option("--trace", options->trace,
                        "write a timeline that Perfetto and chrome://tracing open: steps and "
                        "programs, a track per unit; 1 us is 1 cycle");
    command->callback([options] { run(*options); });
}

}  // namespace capra::tools
