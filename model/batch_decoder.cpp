#include "model/batch_decoder.hpp"

#include "isa/error.hpp"

#include <map>

#include <fmt/core.h>

namespace capra::model {
namespace {

/// Rows of h, below each other. (sequences, kWidth)
Matrix hidden_states(const BatchStep& step, const std::vector<std::size_t>& sequences) {
    Matrix h{0, kWidth, {}};
    for (const std::size_t i : sequences) append_row(h, step.tokens[i].h);
    return h;
}

/// Runs a program on the tokens of these sequences and reads their predictions.
void run_group(BatchStep& step, const std::vector<std::size_t>& sequences,
               const CompiledProgram& entry, sim::Engine& engine) {
    step.runs.push_back(
        run_program(engine, entry.program, {{"h", hidden_states(step, sequences)}}));
    const auto& memory = step.runs.back().result.memory;
    const Matrix tokens = read_output(entry.program, memory, "token");   // (sequences, 1)
    const Matrix logits = read_output(entry.program, memory, "logits");  // (sequences, 16)
    for (std::size_t r = 0; r < sequences.size(); ++r) {
        ChipStep& token = step.tokens[sequences[r]];
        token.token = static_cast<std::uint32_t>(tokens.values[r]);
        const auto row = logits.values.begin() + static_cast<std::ptrdiff_t>(r * kVocabulary);
        token.logits.assign(row, row + kVocabulary);
    }
}

/// Sends each token to the expert it chose, or to none.
void assign_experts(BatchStep& step, const Admit& admit) {
    std::vector<std::uint32_t> routes;
    for (const ChipStep& token : step.tokens) routes.push_back(token.route);
    const auto admitted = admit ? admit(routes) : std::vector<bool>(routes.size(), true);
    if (admitted.size() != routes.size())
        throw Error(fmt::format("model: {} tokens were admitted or dropped, the batch has {}",
                                admitted.size(), routes.size()));
    for (std::size_t i = 0; i < routes.size(); ++i)
        if (admitted[i]) step.tokens[i].experts = {routes[i]};
}

/// A program for each expert that took any token, then one for those that none took.
void run_layer(BatchStep& step, const BatchPrograms& programs, sim::Engine& engine) {
    std::map<std::uint32_t, std::vector<std::size_t>> groups;
    for (std::size_t i = 0; i < step.tokens.size(); ++i)
        for (const std::uint32_t expert : step.tokens[i].experts) groups[expert].push_back(i);
    for (const auto& [expert, group] : groups)
        run_group(step, group, programs.experts[group.size() - 1][expert], engine);
    if (const auto group = step.dropped(); !group.empty())
        run_group(step, group, programs.skip[group.size() - 1], engine);
}

std::vector<std::size_t> sequences_with(const BatchStep& step, const Experts& experts) {
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < step.tokens.size(); ++i)
        if (step.tokens[i].experts == experts) result.push_back(i);
    return result;
}

}  // namespace

BatchPrograms compile_batch(const CompiledModel& compiled, std::uint32_t rows) {
    if (compiled.decoder != DecoderKind::routed)
        throw Error(
            fmt::format("model: a batch groups tokens by the expert the router chose; the "
                        "{} decoder has none",
                        decoder_name(compiled.decoder)));
    BatchPrograms programs;
    for (std::uint32_t r = 1; r <= rows; ++r) {
        programs.experts.push_back(compile_expert_rows(compiled, r));
        programs.skip.push_back(compile_skip_rows(compiled, r));
    }
    return programs;
}

sim::Counters BatchStep::total() const {
    return total_counters(runs);
}

std::vector<std::size_t> BatchStep::taken_by(std::uint32_t expert) const {
    return sequences_with(*this, {expert});
}

std::vector<std::size_t> BatchStep::dropped() const {
    return sequences_with(*this, {});
}

sim::Counters BatchRun::total() const {
    sim::Counters sum;
    for (const auto& step : steps) sum += step.total();
    return sum;
}

std::vector<std::uint32_t> BatchRun::tokens(std::size_t sequence) const {
    std::vector<std::uint32_t> result = {steps.front().tokens[sequence].input};
    for (const auto& step : steps) result.push_back(step.tokens[sequence].token);
    return result;
}

std::vector<std::uint32_t> BatchRun::routes(std::size_t sequence) const {
    std::vector<std::uint32_t> result;
    for (const auto& step : steps) result.push_back(step.tokens[sequence].route);
    return result;
}

std::size_t BatchRun::drops() const {
    std::size_t count = 0;
    for (const auto& step : steps) count += step.dropped().size();
    return count;
}

BatchRun decode_batch(const CompiledModel& compiled, const BatchPrograms& programs,
                      sim::Engine& engine, std::uint32_t steps,
                      std::span<const std::uint32_t> starts, const Admit& admit) {
    if (starts.empty() || starts.size() > programs.skip.size())
        throw Error(fmt::format("model: a batch has 1 to {} sequences, not {}",
                                programs.skip.size(), starts.size()));
    std::vector<ChipDecoder> decoders(starts.size(), ChipDecoder(compiled, engine));
    std::vector<std::uint32_t> tokens(starts.begin(), starts.end());
    BatchRun run;
    for (std::uint32_t s = 0; s < steps; ++s) {
        BatchStep& step = run.steps.emplace_back();
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            step.tokens.push_back(decoders[i].attend(tokens[i]));
            for (auto& attention : decoders[i].take_runs())
                step.runs.push_back(std::move(attention));
        }
        assign_experts(step, admit);
        run_layer(step, programs, engine);
        for (std::size_t i = 0; i < tokens.size(); ++i) tokens[i] = step.tokens[i].token;
    }
    return run;
}

}  // namespace capra::model
