// A batch in lock-step: what is grouped, what is dropped, and that each sequence says what it
// would say alone.
#include "model/batch_decoder.hpp"

#include "isa/error.hpp"
#include "model/anatomy.hpp"
#include "model/checks.hpp"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

namespace capra::model {
namespace {

using Tokens = std::vector<std::uint32_t>;

Tokens starts_from(std::uint32_t start, std::uint32_t batch) {
    Tokens starts(batch);
    std::iota(starts.begin(), starts.end(), start);
    for (auto& token : starts) token %= kVocabulary;
    return starts;
}

Admit capacity(std::uint32_t capacity) {
    return [capacity](std::span<const std::uint32_t> routes) {
        return within_capacity(routes, capacity);
    };
}

/// A batch with what it points into.
struct Batch {
    CompiledModel compiled;
    BatchPrograms programs;
    std::unique_ptr<sim::Engine> engine;
    BatchRun run;

    Batch(const LanguageModel& model, std::uint32_t steps, const Tokens& starts,
          const Admit& admit = {})
        : compiled(compile_model(model, DecoderKind::routed, steps)),
          programs(compile_batch(compiled, static_cast<std::uint32_t>(starts.size()))),
          engine(sim::make_engine("model", compiled.target)),
          run(decode_batch(compiled, programs, *engine, steps, starts, admit)) {}
};

std::vector<std::string> names(const BatchStep& step) {
    std::vector<std::string> result;
    for (const auto& run : step.runs) result.push_back(run.program->name);
    return result;
}

TEST(Batch, without_capacity_every_sequence_says_what_it_says_alone) {
    for (const auto& model : {structured_model(1), random_model(1), random_model(3, 8)}) {
        const Tokens starts = starts_from(5, 6);
        const Batch batch(model, 8, starts);
        for (std::size_t i = 0; i < starts.size(); ++i) {
            const auto alone = decode(batch.compiled, *batch.engine, 8, starts[i]);
            EXPECT_EQ(batch.run.tokens(i), alone.tokens);
            EXPECT_EQ(batch.run.routes(i), alone.routes);
            for (std::size_t s = 0; s < 8; ++s)
                EXPECT_EQ(batch.run.steps[s].tokens[i].logits, alone.steps[s].logits);
        }
        EXPECT_EQ(batch.run.drops(), 0U);
    }
}

/// Tokens 0..7 choose experts 0 1 2 3 0 1 2 3, and their successors two of each again.
TEST(Batch, runs_a_for_each_sequence_then_one_program_for_each_expert_asked_for) {
    const Batch batch(structured_model(1), 2, starts_from(0, 8));
    EXPECT_EQ(names(batch.run.steps[0]),
              (std::vector<std::string>{"A1", "A1", "A1", "A1", "A1", "A1", "A1", "A1", "B0x2",
                                        "B1x2", "B2x2", "B3x2"}));
    EXPECT_EQ(batch.run.steps[0].total().total, 8 * 3550U + 4 * 4262);
    EXPECT_EQ(batch.run.steps[1].total().total, 8 * 3651U + 4 * 4262);
    EXPECT_EQ(batch.run.total().total, 8 * (3550U + 3651) + 8 * 4262);
}

TEST(Batch, a_program_has_as_many_rows_as_its_expert_has_tokens) {
    const Batch batch(structured_model(1), 1, {4, 1, 8, 5, 0, 3, 12});
    EXPECT_EQ(
        names(batch.run.steps[0]),
        (std::vector<std::string>{"A1", "A1", "A1", "A1", "A1", "A1", "A1", "B0x4", "B1x2", "B3"}));
    EXPECT_EQ(batch.run.steps[0].taken_by(0), (std::vector<std::size_t>{0, 2, 4, 6}));
    EXPECT_EQ(batch.run.steps[0].taken_by(1), (std::vector<std::size_t>{1, 3}));
    EXPECT_TRUE(batch.run.steps[0].taken_by(2).empty());
    EXPECT_TRUE(batch.run.steps[0].dropped().empty());
}

/// A dropped token of the structured model predicts itself, since y = h; so its sequence waits.
TEST(Batch, beyond_capacity_the_last_tokens_of_an_expert_skip_it) {
    const Batch batch(structured_model(1), 2, {4, 1, 8, 5, 0, 3, 12}, capacity(1));
    const auto& first = batch.run.steps[0];
    EXPECT_EQ(names(first), (std::vector<std::string>{"A1", "A1", "A1", "A1", "A1", "A1", "A1",
                                                      "B0", "B1", "B3", "skipx4"}));
    EXPECT_EQ(first.dropped(), (std::vector<std::size_t>{2, 3, 4, 6}));
    EXPECT_EQ(batch.run.tokens(0), (Tokens{4, 7, 6}));
    EXPECT_EQ(batch.run.tokens(3), (Tokens{5, 5, 12})) << "dropped, then taken";
    EXPECT_EQ(batch.run.routes(3), (Tokens{1, 1})) << "the route of a dropped token is reported";
    EXPECT_EQ(batch.run.tokens(4), (Tokens{0, 0, 0})) << "dropped twice";
    // Tokens 7 8 8 5 0 2 12: experts 3 0 0 1 0 2 0.
    EXPECT_EQ(batch.run.steps[1].dropped(), (std::vector<std::size_t>{2, 4, 6}));
    EXPECT_EQ(batch.run.drops(), 7U);
}

TEST(Batch, a_single_token_too_many_is_dropped_by_itself) {
    const Batch batch(structured_model(1), 1, {14, 15, 0, 1, 2}, capacity(1));
    EXPECT_EQ(batch.run.steps[0].runs.back().program->name, "skip");
    EXPECT_EQ(batch.run.steps[0].dropped(), (std::vector<std::size_t>{4}));
    EXPECT_EQ(batch.run.tokens(4), (Tokens{2, 2}));
}

/// The float model with the same tokens and the same drops.
void expect_float_steps(const BatchRun& run, const LanguageModel& model, double bound) {
    for (std::size_t i = 0; i < run.steps[0].tokens.size(); ++i) {
        FloatDecoder reference(model);
        for (const auto& step : run.steps) {
            const auto& token = step.tokens[i];
            const auto f = reference.step(token.input, token.experts);
            EXPECT_LT(relative_l2(token.logits, f.logits), bound) << "sequence " << i;
        }
    }
}

TEST(Batch, with_drops_the_chip_follows_the_float_model_with_the_same_drops) {
    const Batch structured(structured_model(1), 12, starts_from(0, 16), capacity(3));
    EXPECT_GT(structured.run.drops(), 0U);
    expect_float_steps(structured.run, structured.compiled.model, 0.15);
    for (std::size_t i = 0; i < 16; ++i)
        for (const auto& step : structured.run.steps) {
            const auto& token = step.tokens[i];
            EXPECT_EQ(token.token, token.experts.empty() ? token.input : successor(token.input));
            EXPECT_EQ(token.route, group_of(token.input, 4));
        }
    const Batch random(random_model(1), 12, starts_from(0, 8), capacity(2));
    EXPECT_GT(random.run.drops(), 0U);
    expect_float_steps(random.run, random.compiled.model, 0.30);
}

/// The whole rule by hand: no expert takes more than its capacity, and a token is dropped only
/// when as many before it took the same expert.
TEST(Batch, no_expert_takes_more_than_its_capacity_and_none_drops_without_need) {
    const Batch batch(random_model(1), 12, starts_from(0, 8), capacity(2));
    for (const auto& step : batch.run.steps)
        for (std::size_t i = 0; i < step.tokens.size(); ++i) {
            std::size_t before = 0;
            for (std::size_t j = 0; j < i; ++j)
                before += step.tokens[j].route == step.tokens[i].route ? 1 : 0;
            EXPECT_EQ(step.tokens[i].experts.empty(), before >= 2) << "sequence " << i;
        }
}

TEST(Batch, programs_equal_the_integer_interpreter) {
    const Batch batch(random_model(1), 4, starts_from(0, 8), capacity(2));
    std::uint64_t cells = 0;
    const auto compare = [&](const CompiledProgram& entry) {
        for (const auto& step : batch.run.steps)
            for (const auto& run : step.runs) {
                if (run.program != &entry.program) continue;
                const auto c =
                    compare_with_interpreter(compiler::quantise(entry.graph, entry.ranges), run);
                cells += c.cells;
                EXPECT_EQ(c.different, 0U) << entry.program.name;
            }
    };
    for (const auto& rows : batch.programs.experts)
        for (const auto& entry : rows) compare(entry);
    for (const auto& entry : batch.programs.skip) compare(entry);
    EXPECT_EQ(cells, 4U * 8 * 17) << "token and logits of every token";
}

TEST(Skip, loads_the_output_matrix_and_no_expert) {
    const auto compiled = compile_model(structured_model(1), DecoderKind::routed, 1);
    const auto one = anatomy(compile_skip_rows(compiled, 1).program);
    EXPECT_EQ(histogram_text(one), "LD 2, ST 2, MM 4, RQ 1, AMAX 1, HALT 1");
    EXPECT_EQ(one.words_loaded, 16U + 256);
    EXPECT_EQ(one.words_stored, 17U);
    EXPECT_EQ(anatomy(compile_skip_rows(compiled, 3).program).words_loaded, 3 * 16U + 256);
}

/// Calibrated on all that reached the layer: no logit of the calibration runs saturates.
TEST(Skip, has_the_scale_of_h_and_of_every_logit_of_h) {
    const auto model = random_model(4);
    const auto compiled = compile_model(model, DecoderKind::routed, 3);
    double largest = 0;
    for (const auto& run : calibration_runs(model, 3))
        for (const auto& step : run)
            for (std::uint32_t j = 0; j < kVocabulary; ++j) {
                double logit = 0;
                for (std::uint32_t d = 0; d < kWidth; ++d) logit += step.h[d] * model.wout.at(d, j);
                largest = std::max(largest, std::abs(logit));
            }
    EXPECT_NEAR(compiled.skip_ranges.find("scored").value(), largest, 1e-12);
    EXPECT_EQ(compiled.skip_ranges.find("h").value(), compiled.experts[0].ranges.find("h").value());
}

TEST(BatchPrograms, are_of_the_routed_decoder_with_one_expert_a_token) {
    const auto compile = [](const LanguageModel& model, DecoderKind kind, std::uint32_t top) {
        return compile_batch(compile_model(model, kind, 1, isa::reference_target(), {.top = top}),
                             2);
    };
    const auto programs = compile(structured_model(1), DecoderKind::routed, 1);
    ASSERT_EQ(programs.experts.size(), 2U);
    EXPECT_EQ(programs.skip.size(), 2U);
    EXPECT_EQ(programs.experts[1].size(), 4U);
    EXPECT_EQ(programs.experts[1][3].program.name, "B3x2");
    EXPECT_EQ(programs.skip[0].program.name, "skip");
    EXPECT_THROW(compile(structured_model(1), DecoderKind::routed, 2), Error);
    EXPECT_THROW(compile(structured_model(1), DecoderKind::dense, 1), Error);
    EXPECT_THROW(compile(tiny_model(1), DecoderKind::single, 1), Error);
}

TEST(BatchPrograms, of_32_rows_fit_the_accumulators_and_33_do_not) {
    const auto compiled = compile_model(structured_model(1), DecoderKind::routed, 1);
    EXPECT_NO_THROW(compile_batch(compiled, 32));
    EXPECT_THROW(compile_batch(compiled, 33), Error);
}

TEST(Batch, bad_requests_are_refused) {
    const auto compiled = compile_model(structured_model(1), DecoderKind::routed, 2);
    const auto programs = compile_batch(compiled, 2);
    const auto engine = sim::make_engine("model", compiled.target);
    const auto run = [&](const Tokens& starts, std::uint32_t steps, const Admit& admit = {}) {
        return decode_batch(compiled, programs, *engine, steps, starts, admit);
    };
    EXPECT_NO_THROW(run({0, 1}, 2));
    EXPECT_NO_THROW(run({0}, 2));
    EXPECT_THROW(run({}, 2), Error);
    EXPECT_THROW(run({0, 1, 2}, 2), Error) << "there are programs for two tokens";
    EXPECT_THROW(run({0, 1}, 3), Error) << "no program for context 3";
    EXPECT_THROW(run({0, 16}, 1), Error) << "no such token";
    for (const std::size_t answers : {1U, 3U})
        EXPECT_THROW(
            run({0, 1}, 1,
                [&](std::span<const std::uint32_t>) { return std::vector<bool>(answers, true); }),
            Error)
            << answers;
}

}  // namespace
}  // namespace capra::model
