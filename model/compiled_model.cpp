#include "model/compiled_model.hpp"

#include "compiler/compile.hpp"
#include "compiler/float_interpreter.hpp"
#include "isa/error.hpp"
#include "model/graphs.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include <fmt/core.h>

namespace capra::model {
namespace {

using compiler::Graph;
using compiler::Inputs;
using compiler::Ranges;

constexpr std::array<DecoderKind, 3> kDecoders = {DecoderKind::routed, DecoderKind::dense,
                                                  DecoderKind::single};
/// Tags whose tensors cross from one program to the next.
constexpr std::array<std::string_view, 5> kSharedTags = {"x", "k", "v", "h", "partial"};

Matrix row_matrix(const Vector& values) {
    return {1, static_cast<std::uint32_t>(values.size()), values};
}

/// The first `rows` cached rows of a run. (rows, kWidth)
Matrix cached_rows(const std::vector<FloatStep>& run, std::uint32_t rows,
                   Vector FloatStep::*member) {
    Matrix cache{rows, kWidth, {}};
    for (std::uint32_t t = 0; t < rows; ++t) {
        const Vector& row = run[t].*member;
        cache.values.insert(cache.values.end(), row.begin(), row.end());
    }
    return cache;
}

/// What the program of context T saw in each run.
std::vector<Inputs> context_samples(const CalibrationRuns& runs, std::uint32_t context) {
    std::vector<Inputs> samples;
    for (const auto& run : runs) {
        Inputs inputs{{"x", row_matrix(run[context - 1].x)}};
        if (context > 1) {
            inputs["k_cache"] = cached_rows(run, context - 1, &FloatStep::k);
            inputs["v_cache"] = cached_rows(run, context - 1, &FloatStep::v);
        }
        samples.push_back(std::move(inputs));
    }
    return samples;
}

/// What the layer saw before its experts ran, or, for the second of two, after the first.
Inputs layer_inputs(const FloatStep& step, std::size_t rank) {
    Inputs inputs{{"h", row_matrix(step.h)}};
    if (rank > 0) inputs["y"] = row_matrix(step.sums.front());
    return inputs;
}

/// The h of every step.
std::vector<Inputs> hidden_samples(const CalibrationRuns& runs) {
    std::vector<Inputs> all;
    for (const auto& run : runs)
        for (const auto& step : run) all.push_back({{"h", row_matrix(step.h)}});
    return all;
}

/// The inputs of every step whose choice number `rank`, counted from 0, was this expert; of every
/// step if there is none.
std::vector<Inputs> expert_samples(const CalibrationRuns& runs, std::uint32_t expert,
                                   std::size_t rank) {
    std::vector<Inputs> reached;
    std::vector<Inputs> all;
    for (const auto& run : runs)
        for (const auto& step : run) {
            all.push_back(layer_inputs(step, rank));
            if (step.experts[rank] == expert) reached.push_back(all.back());
        }
    return reached.empty() ? all : reached;
}

Graph context_graph(const LanguageModel& model, DecoderKind decoder, std::uint32_t context) {
    switch (decoder) {
        case DecoderKind::routed:
            return attention_router_graph(model, context);
        case DecoderKind::dense:
            return dense_graph(model, context);
        case DecoderKind::single:
            return single_graph(model, context);
    }
    throw Error("model: no such decoder");
}

/// A context is one row of the softmax and the depth of attention times V, which the target
/// bounds. Checked before the calibration runs, whose cost grows with the square of the steps.
void check_steps(std::uint32_t steps, const isa::Target& target) {
    const auto longest = std::min(target.softmax_max, target.tile_depth);
    if (steps == 0 || steps > longest)
        throw Error(fmt::format("model: a decode has 1 to {} steps, not {}", longest, steps));
}

/// Two experts need a router that names them.
void check_options(const LanguageModel& model, DecoderKind decoder, std::uint32_t top,
                   const LanguageModel& calibrated_on) {
    if (top == 0 || top > 2)
        throw Error(fmt::format("model: a token goes to 1 or 2 experts, not {}", top));
    if (top == 2 && decoder != DecoderKind::routed)
        throw Error(fmt::format("model: the {} decoder does not choose 2 experts, the routed does",
                                decoder_name(decoder)));
    if (calibrated_on.experts != model.experts)
        throw Error(fmt::format("model: {} experts cannot be calibrated on a model of {}",
                                model.experts, calibrated_on.experts));
}

/// What every program of a decoder is calibrated with.
struct Calibration {
    const LanguageModel* model;  ///< compiled
    const LanguageModel* from;   ///< gave the runs, and gives the ranges
    CalibrationRuns runs;

    /// A program of the one model with the ranges of the other.
    template <class BuildGraph>
    [[nodiscard]] CompiledProgram program(BuildGraph graph_of,
                                          const std::vector<Inputs>& samples) const {
        return {graph_of(*model), compiler::calibrate(graph_of(*from), samples), {}};
    }
};

void add_experts(CompiledModel& compiled, const Calibration& calibration) {
    for (std::uint32_t e = 0; e < compiled.model.experts; ++e) {
        const auto samples = expert_samples(calibration.runs, e, 0);
        if (compiled.top == 1) {
            compiled.experts.push_back(calibration.program(
                [&](const auto& model) { return expert_graph(model, e, 1); }, samples));
            continue;
        }
        compiled.experts.push_back(calibration.program(
            [&](const auto& model) { return first_expert_graph(model, e); }, samples));
        compiled.second_experts.push_back(
            calibration.program([&](const auto& model) { return second_expert_graph(model, e); },
                                expert_samples(calibration.runs, e, 1)));
    }
    // It is calibrated on every h, so its range of h is the shared one.
    compiled.skip_ranges =
        compiler::calibrate(skip_graph(*calibration.from, 1), hidden_samples(calibration.runs));
}

/// Every program of a decoder.
template <class Model>
auto program_lists(Model& compiled) {
    return std::array{&compiled.contexts, &compiled.experts, &compiled.second_experts};
}

/// Ranges of the shared tags over all programs; x takes h's.
Ranges shared_ranges(const CompiledModel& compiled) {
    Ranges shared;
    for (const auto* programs : program_lists(compiled))
        for (const auto& program : *programs)
            for (const auto tag : kSharedTags)
                if (const auto range = program.ranges.find(std::string(tag)))
                    shared.widen(std::string(tag), *range);
    shared.widen("x", shared.find("h").value());
    return shared;
}

/// Gives a program's ranges the shared ones of the tags it has.
void share(Ranges& ranges, const Ranges& shared) {
    for (const auto& [tag, range] : shared.all())
        if (ranges.find(tag)) ranges.widen(tag, range);
}

void compile_entry(CompiledProgram& entry, const CompiledModel& compiled) {
    entry.program = compiler::compile(entry.graph, entry.ranges, compiled.target, compiled.scales);
}

/// External memory that every program fits: `words` if that is enough, else a power of two.
std::uint32_t fitting_ext_words(const CompiledModel& compiled, std::uint32_t words) {
    std::uint32_t needed = words;
    for (const auto* programs : program_lists(compiled))
        for (const auto& entry : *programs) needed = std::max(needed, entry.program.memory_words);
    return needed == words ? words : std::bit_ceil(needed);
}

}  // namespace

std::string_view decoder_name(DecoderKind kind) {
    switch (kind) {
        case DecoderKind::routed:
            return "routed";
        case DecoderKind::dense:
            return "dense";
        case DecoderKind::single:
            return "single";
    }
    return "?";
}

DecoderKind decoder_by_name(std::string_view name) {
    for (const auto kind : kDecoders)
        if (decoder_name(kind) == name) return kind;
    throw Error(fmt::format("model: no decoder '{}'; there are routed, dense, single", name));
}

CalibrationRuns calibration_runs(const LanguageModel& model, std::uint32_t steps,
                                 std::uint32_t top) {
    CalibrationRuns runs;
    for (std::uint32_t start = 0; start < kVocabulary; ++start)
        runs.push_back(decode_greedily(model, start, steps, top));
    return runs;
}

CompiledModel compile_model(const LanguageModel& model, DecoderKind decoder, std::uint32_t steps,
                            const isa::Target& target, const CompileOptions& options) {
    check_steps(steps, target.validate());
    const LanguageModel& from = options.calibrated_on ? *options.calibrated_on : model;
    check_options(model, decoder, options.top, from);
    CompiledModel compiled{.model = model,
                           .decoder = decoder,
                           .target = target,
                           .top = options.top,
                           .scales = options.scales};
    compiled.target.ext_words = isa::kMaxExtWords;
    const Calibration calibration{&model, &from, calibration_runs(from, steps, options.top)};
    for (std::uint32_t t = 1; t <= steps; ++t)
        compiled.contexts.push_back(
            calibration.program([&](const auto& one) { return context_graph(one, decoder, t); },
                                context_samples(calibration.runs, t)));
    if (decoder == DecoderKind::routed) add_experts(compiled, calibration);
    const Ranges shared = shared_ranges(compiled);
    for (auto* programs : program_lists(compiled))
        for (auto& entry : *programs) {
            share(entry.ranges, shared);
            compile_entry(entry, compiled);
        }
    compiled.target.ext_words = fitting_ext_words(compiled, target.ext_words);
    return compiled;
}

std::vector<CompiledProgram> compile_expert_rows(const CompiledModel& compiled,
                                                 std::uint32_t rows) {
    if (compiled.top != 1)
        throw Error(
            fmt::format("model: a group is of tokens with one expert each, not {}", compiled.top));
    std::vector<CompiledProgram> result;
    for (std::uint32_t e = 0; e < compiled.experts.size(); ++e) {
        CompiledProgram entry{
            expert_graph(compiled.model, e, rows), compiled.experts[e].ranges, {}};
        compile_entry(entry, compiled);
        result.push_back(std::move(entry));
    }
    return result;
}

CompiledProgram compile_skip_rows(const CompiledModel& compiled, std::uint32_t rows) {
    CompiledProgram entry{skip_graph(compiled.model, rows), compiled.skip_ranges, {}};
    compile_entry(entry, compiled);
    return entry;
}

}  // namespace capra::model
