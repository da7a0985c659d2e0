#include "tools/ch17_example_b/example.hpp"

#include "model/anatomy.hpp"
#include "model/grouped.hpp"
#include "tools/progress.hpp"

#include <fmt/format.h>

#include <cassert>
#include <span>

namespace capra::tools {
namespace {

constexpr std::uint32_t kSteps = 12;  // of the decodes on random models
constexpr std::uint32_t kFirstSeeds = 3;
constexpr std::uint32_t kAllSeeds = 30;

/// Fills in a result's comparisons on the first seeds and on all.
template <typename Result>
void compare_routes(Result& result, compiler::WeightScales scales, Progress& progress) {
    model::Quality quality;
    for (std::uint32_t seed = 1; seed <= kAllSeeds; ++seed) {
        progress.update(fmt::format("decoding random model {} of {}, {}", seed, kAllSeeds,
                                    weight_scales_name(scales)));
        quality += model::measure_random_models(seed, seed, kSteps, scales);
        if (seed == kFirstSeeds)
            result.three = {seed, model::measure_float_routes(1, seed, kSteps), quality};
    }
    result.thirty = {kAllSeeds, model::measure_float_routes(1, kAllSeeds, kSteps), quality};
}

ProgramCost cost_of(const model::ProgramRun& run) {
    return {run.program->code.size(), model::anatomy(*run.program).words_loaded,
            run.result.counters.total};
}

/// Of the structured model's decode from token 0. No cost depends on what is computed.
ScalesCost measure_cost(compiler::WeightScales scales) {
    const auto compiled =
        model::compile_model(model::structured_model(1), model::DecoderKind::routed, kScalesSteps,
                             isa::reference_target(), {.scales = scales});
    const auto engine = sim::make_engine("model", compiled.target);
    const auto runs = model::decode(compiled, *engine, kScalesSteps, 0).runs;
    constexpr std::size_t kShown = 2 * (kScalesContext - 1);  // every step is an A and a B
    ScalesCost result{cost_of(runs[kShown]), cost_of(runs[kShown + 1]), {}};
    for (const auto& run : runs) {
        const ProgramCost cost = cost_of(run);
        result.decode.instructions += cost.instructions;
        result.decode.words_loaded += cost.words_loaded;
        result.decode.cycles += cost.cycles;
    }
    return result;
}

PerChannel compare_scales(Progress& progress) {
    using compiler::WeightScales;
    PerChannel result;
    compare_routes(result, WeightScales::per_column, progress);
    result.per_tensor = measure_cost(WeightScales::per_tensor);
    result.per_channel = measure_cost(WeightScales::per_column);
    return result;
}

std::vector<DistinctExperts> distinct_experts(const model::Shares& skewed, std::uint32_t seed) {
    const auto uniform = model::uniform_shares(static_cast<std::uint32_t>(skewed.size()));
    const auto uniform_means = model::simulated_distinct(uniform, kLargestBatch, kTrials, seed);
    const auto skewed_means = model::simulated_distinct(skewed, kLargestBatch, kTrials, seed);
    std::vector<DistinctExperts> result;
    for (std::uint32_t batch = 1; batch <= kLargestBatch; ++batch)
        result.push_back({batch, model::expected_distinct(uniform, batch), uniform_means[batch - 1],
                          model::expected_distinct(skewed, batch), skewed_means[batch - 1]});
    return result;
}

BatchCost batch_cost(std::span<const model::ProgramRun> runs, std::uint32_t rows) {
    assert(!runs.empty());
    BatchCost cost{static_cast<std::uint32_t>(runs.size()), rows, runs.front().result.counters, 0};
    for (const auto& run : runs) cost.cycles += run.result.counters.total;
    return cost;
}

/// Steps 9 to 16 of the structured model's decode from token 0: the routes 0 3 2 1 0 3 2 1, two
/// tokens for each expert.
Grouping measure_grouping() {
    constexpr std::uint32_t kFirst = 8;
    constexpr std::uint32_t kTokens = 8;
    constexpr std::uint32_t kRows = 2;
    const auto compiled = model::compile_model(model::structured_model(1),
                                               model::DecoderKind::routed, kFirst + kTokens);
    const auto engine = sim::make_engine("model", compiled.target);
    const auto decode = model::decode(compiled, *engine, kFirst + kTokens, 0);
    const auto steps = std::span(decode.steps).subspan(kFirst, kTokens);
    const auto programs = model::compile_expert_rows(compiled, kRows);
    const auto grouped = model::run_grouped(programs, steps, *engine);
    const auto separate = model::run_grouped(compiled.experts, steps, *engine);
    Grouping result{.first_step = kFirst + 1, .tokens = kTokens};
    result.separate = batch_cost(separate.runs, 1);
    result.grouped = batch_cost(grouped.runs, kRows);
    for (std::uint32_t i = 0; i < kTokens; ++i)
        result.same_tokens += grouped.tokens[i] == steps[i].token ? 1 : 0;
    return result;
}

std::vector<ServingRow> serving_rows(const model::ServingAssumptions& assumed) {
    std::vector<ServingRow> rows;
    for (const std::uint32_t experts : {1U, 4U, 16U, 64U})
        rows.push_back({experts, assumed.total_gb(experts),
                        model::expected_distinct(model::uniform_shares(experts), kServingBatch),
                        assumed.tokens_per_second(experts, 1),
                        assumed.tokens_per_second(experts, kServingBatch)});
    return rows;
}

}  // namespace

double Grouping::ratio() const {
    return static_cast<double>(grouped.cycles) / static_cast<double>(separate.cycles);
}

ExampleB compute_example_b(std::uint32_t seed, compiler::WeightScales scales) {
    Progress progress("computing");
    ExampleB example;
    compare_routes(example, compiler::WeightScales::per_tensor, progress);
    progress.update("drawing batches");
    example.shares = model::measured_shares(example.three.routes.chosen);
    example.distinct = distinct_experts(example.shares, seed);
    example.grouping = measure_grouping();
    example.serving = serving_rows(example.assumptions);
    if (scales == compiler::WeightScales::per_column)
        example.per_channel = compare_scales(progress);
    return example;
}

}  // namespace capra::tools
