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
constexpr std::array<std::string_view, 4> kSharedTags = {"x", "k", "v", "h"};

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

/// The h of every step the float router sent to this expert; of every step if there is none.
std::vector<Inputs> expert_samples(const CalibrationRuns& runs, std::uint32_t expert) {
    std::vector<Inputs> reached;
    std::vector<Inputs> all;
    for (const auto& run : runs)
        for (const auto& step : run) {
            all.push_back({{"h", row_matrix(step.h)}});
            if (step.route == expert) reached.push_back(all.back());
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

CompiledProgram calibrated(Graph graph, const std::vector<Inputs>& samples) {
    CompiledProgram result{std::move(graph), {}, {}};
    result.ranges = compiler::calibrate(result.graph, samples);
    return result;
}

/// Ranges of the shared tags over all programs; x takes h's.
Ranges shared_ranges(const CompiledModel& compiled) {
    Ranges shared;
    for (const auto* programs : {&compiled.contexts, &compiled.experts})
        for (const auto& program : *programs)
            for (const auto tag : kSharedTags)
                if (const auto range = program.ranges.find(std::string(tag)))
                    shared.widen(std::string(tag), *range);
    shared.widen("x", shared.find("h").value());
    return shared;
}

/// Gives a program the shared ranges of the tags it has and compiles it.
void finish(CompiledProgram& entry, const Ranges& shared, const isa::Target& target) {
    for (const auto& [tag, range] : shared.all())
        if (entry.ranges.find(tag)) entry.ranges.widen(tag, range);
    entry.program = compiler::compile(entry.graph, entry.ranges, target);
}

/// External memory that every program fits: `words` if that is enough, else a power of two.
std::uint32_t fitting_ext_words(const CompiledModel& compiled, std::uint32_t words) {
    std::uint32_t needed = words;
    for (const auto* programs : {&compiled.contexts, &compiled.experts})
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

CalibrationRuns calibration_runs(const LanguageModel& model, std::uint32_t steps) {
    CalibrationRuns runs;
    for (std::uint32_t start = 0; start < kVocabulary; ++start)
        runs.push_back(decode_greedily(model, start, steps));
    return runs;
}

CompiledModel compile_model(const LanguageModel& model, DecoderKind decoder, std::uint32_t steps,
                            const isa::Target& target) {
    check_steps(steps, target.validate());
    CompiledModel compiled{
        .model = model, .decoder = decoder, .target = target, .contexts = {}, .experts = {}};
    compiled.target.ext_words = isa::kMaxExtWords;
    const auto runs = calibration_runs(model, steps);
    for (std::uint32_t t = 1; t <= steps; ++t)
        compiled.contexts.push_back(
            calibrated(context_graph(model, decoder, t), context_samples(runs, t)));
    if (decoder == DecoderKind::routed)
        for (std::uint32_t e = 0; e < model.experts; ++e)
            compiled.experts.push_back(
                calibrated(expert_graph(model, e, 1), expert_samples(runs, e)));
    const Ranges shared = shared_ranges(compiled);
    for (auto* programs : {&compiled.contexts, &compiled.experts})
        for (auto& entry : *programs) finish(entry, shared, compiled.target);
    compiled.target.ext_words = fitting_ext_words(compiled, target.ext_words);
    return compiled;
}

std::vector<CompiledProgram> compile_expert_rows(const CompiledModel& compiled,
                                                 std::uint32_t rows) {
    std::vector<CompiledProgram> result;
    for (std::uint32_t e = 0; e < compiled.experts.size(); ++e) {
        CompiledProgram entry{
            expert_graph(compiled.model, e, rows), compiled.experts[e].ranges, {}};
        entry.program = compiler::compile(entry.graph, entry.ranges, compiled.target);
        result.push_back(std::move(entry));
    }
    return result;
}

}  // namespace capra::model
