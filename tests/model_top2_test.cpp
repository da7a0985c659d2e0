// Two experts a token: the chip against the float model, and what the programs cost.
#include "isa/error.hpp"
#include "model/anatomy.hpp"
#include "model/checks.hpp"
#include "model/chip_decoder.hpp"
#include "model/worst.hpp"

#include <array>

#include <gtest/gtest.h>

namespace capra::model {
namespace {

struct Top2 {
    CompiledModel compiled;
    std::unique_ptr<sim::Engine> engine;

    Top2(const LanguageModel& model, std::uint32_t steps,
         compiler::WeightScales scales = compiler::WeightScales::per_tensor)
        : compiled(compile_model(model, DecoderKind::routed, steps, isa::reference_target(),
                                 {.top = 2, .scales = scales})),
          engine(sim::make_engine("model", compiled.target)) {}
};

using Parts = std::array<std::uint64_t, 5>;

Parts parts(const ProgramRun& run) {
    const auto& c = run.result.counters;
    return {c.total, c.matrix, c.dma, c.vector, c.control};
}

TEST(FloatTop2, adds_the_outputs_of_both_experts_to_h) {
    const auto model = random_model(7);
    const auto step = FloatDecoder(model, 2).step(4);
    ASSERT_EQ(step.experts.size(), 2U);
    EXPECT_EQ(step.experts[0], step.route);
    EXPECT_NE(step.experts[1], step.route);
    for (std::uint32_t e = 0; e < model.experts; ++e)
        EXPECT_TRUE(e == step.route || step.router[e] <= step.router[step.experts[1]]);
    const auto first = FloatDecoder(model).step(4, {step.experts[0]});
    const auto second = FloatDecoder(model).step(4, {step.experts[1]});
    const auto none = FloatDecoder(model).step(4, Experts{});
    for (std::uint32_t j = 0; j < kVocabulary; ++j)
        EXPECT_NEAR(step.logits[j], first.logits[j] + second.logits[j] - none.logits[j], 1e-12);
}

TEST(FloatDecoder, without_any_expert_predicts_from_h_alone) {
    const auto model = structured_model(1);
    for (std::uint32_t token = 0; token < kVocabulary; ++token) {
        const auto step = FloatDecoder(model).step(token, Experts{});
        EXPECT_EQ(step.token, token) << "y = h is nearest to the token read";
        EXPECT_TRUE(step.experts.empty());
        EXPECT_TRUE(step.sums.empty());
    }
}

/// The other expert does not know the token: it adds little, at worst a quarter of y.
TEST(FloatTop2, the_structured_model_follows_the_rule_from_every_start) {
    const auto model = structured_model(1);
    Worst added;  // by the second expert, relative to y
    double sum = 0;
    std::uint32_t steps = 0;
    for (std::uint32_t start = 0; start < kVocabulary; ++start)
        for (const auto& step : decode_greedily(model, start, kCheckedSteps, 2)) {
            EXPECT_EQ(step.token, successor(step.input));
            EXPECT_EQ(step.experts[0], group_of(step.input, model.experts));
            added.add(relative_l2(step.sums[0], step.sums[1]));
            sum += relative_l2(step.sums[0], step.sums[1]);
            ++steps;
        }
    EXPECT_TRUE(added.within(0.25)) << added.value;
    EXPECT_LT(sum / steps, 0.05);
    EXPECT_GT(sum / steps, 0.01) << "it is added all the same";
}

TEST(ChipTop2, the_structured_model_follows_the_rule_from_every_start_with_the_float_routes) {
    const Top2 chip(structured_model(1), kCheckedSteps);
    std::uint32_t same_second = 0;
    for (std::uint32_t start = 0; start < kVocabulary; ++start) {
        FloatDecoder reference(chip.compiled.model, 2);
        for (const auto& step : decode(chip.compiled, *chip.engine, kCheckedSteps, start).steps) {
            const auto f = reference.step(step.input);
            EXPECT_EQ(step.token, successor(step.input));
            EXPECT_EQ(step.experts[0], f.experts[0]);
            if (step.experts != f.experts) continue;
            ++same_second;
            EXPECT_LT(relative_l2(step.logits, f.logits), 0.15);
        }
    }
    // Its score is noise, but not a lottery: the int8 scores are nearly the real ones.
    EXPECT_GE(same_second, 16 * kCheckedSteps * 95 / 100) << same_second;
}

TEST(ChipTop2, random_models_have_the_float_logits_where_they_have_the_float_experts) {
    for (std::uint32_t seed = 1; seed <= 3; ++seed) {
        const Top2 chip(random_model(seed), kRandomSteps);
        std::uint32_t same = 0;
        for (std::uint32_t start = 0; start < kVocabulary; ++start) {
            ChipDecoder decoder(chip.compiled, *chip.engine);
            for (const auto& f : decode_greedily(chip.compiled.model, start, kRandomSteps, 2)) {
                const auto step = decoder.step(f.input);
                EXPECT_EQ(step.experts, top_experts(step.router, 2));
                EXPECT_EQ(step.experts[0], step.route) << "the chip's argmax is the first of two";
                if (step.experts != f.experts) continue;
                ++same;
                EXPECT_LT(relative_l2(step.logits, f.logits), 0.25) << "seed " << seed;
            }
        }
        EXPECT_GE(same, 16 * kRandomSteps * 90 / 100) << "seed " << seed << ": " << same;
    }
}

TEST(ChipTop2, the_chips_choice_comes_first_where_its_int8_scores_do_not_tell_it) {
    const Top2 chip(random_model(1, 16), 1, compiler::WeightScales::per_column);
    ChipDecoder decoder(chip.compiled, *chip.engine);
    const auto step = decoder.step(0);
    EXPECT_EQ(step.route, 10U) << "of the exact sums";
    EXPECT_EQ(top_experts(step.router, 2), (Experts{3, 10})) << "of the rounded scores, a tie";
    EXPECT_EQ(step.experts, (Experts{10, 3}));
}

TEST(Routing, the_runner_up_is_the_best_of_the_others_and_the_lowest_on_a_tie) {
    const auto second = [](std::vector<double> scores, std::uint32_t best) {
        return runner_up(scores, best);
    };
    EXPECT_EQ(second({2, 1, 1.5}, 0), 2U);
    EXPECT_EQ(second({1, 2, 1}, 1), 0U);
    EXPECT_EQ(second({3, 1, 1}, 0), 1U);
    EXPECT_EQ(second({0, 3}, 1), 0U);
    EXPECT_EQ(second({-4, -5, -3, 9}, 3), 2U);
    EXPECT_EQ(second({2, 2, 1}, 1), 0U) << "one as good as the best";
}

TEST(ChipTop2, a_step_runs_a_then_the_programs_of_both_experts) {
    const Top2 chip(structured_model(1), 2);
    ChipDecoder decoder(chip.compiled, *chip.engine);
    const auto step = decoder.step(5);
    const auto& runs = decoder.runs();
    ASSERT_EQ(runs.size(), 3U);
    EXPECT_EQ(runs[0].program, &chip.compiled.contexts[0].program);
    EXPECT_EQ(runs[1].program, &chip.compiled.experts[step.experts[0]].program);
    EXPECT_EQ(runs[2].program, &chip.compiled.second_experts[step.experts[1]].program);
    EXPECT_EQ(runs[1].program->name, "B1_first");
    EXPECT_EQ(runs[2].program->name.substr(2), "_second");
    EXPECT_EQ(read_output(*runs[1].program, runs[1].result.memory, "y").cols, kWidth);
    EXPECT_EQ(stored_matrix(*runs[1].program,
                            isa::find_symbol(*runs[1].program, isa::SymbolKind::output, "y"),
                            runs[1].result.memory),
              stored_matrix(*runs[2].program,
                            isa::find_symbol(*runs[2].program, isa::SymbolKind::input, "y"),
                            runs[2].image))
        << "the second program is given what the first stored";
}

/// Without Wout (4 of the 16 tiles) and argmax, the first costs less than B_e; the second loads 16
/// words more.
TEST(ChipTop2, costs_are_those_of_the_text) {
    const Top2 chip(structured_model(1), 1);
    const auto run = decode(chip.compiled, *chip.engine, 1, 0);
    EXPECT_EQ(parts(run.runs[0]), (Parts{3550, 2006, 1221, 229, 94})) << "A(1) as with one expert";
    EXPECT_EQ(parts(run.runs[1]), (Parts{2935, 1704, 1085, 104, 42}));
    EXPECT_EQ(parts(run.runs[2]), (Parts{3723, 2144, 1378, 141, 60}));
    EXPECT_EQ(run.step_cycles(1), 10208U);
    for (std::uint32_t e = 0; e < 4; ++e) {
        const auto first = anatomy(chip.compiled.experts[e].program);
        EXPECT_EQ(histogram_text(first), "LD 3, ST 1, MM 12, RQ 3, VADD 1, HALT 1");
        EXPECT_EQ(first.words_loaded, 16U + 512 + 512);
        EXPECT_EQ(first.words_stored, 16U);
        const auto second = anatomy(chip.compiled.second_experts[e].program);
        EXPECT_EQ(histogram_text(second), "LD 5, ST 2, MM 16, RQ 4, VADD 1, AMAX 1, HALT 1");
        EXPECT_EQ(second.words_loaded, 2 * 16U + 512 + 512 + 256);
        EXPECT_EQ(second.words_stored, 17U);
    }
}

TEST(ChipTop2, programs_equal_the_integer_interpreter) {
    const Top2 chip(random_model(2), 6);
    const auto run = decode(chip.compiled, *chip.engine, 6, 9);
    CellComparison sum;
    for (const auto* programs : {&chip.compiled.experts, &chip.compiled.second_experts})
        for (const auto& entry : *programs)
            for (const auto& one : run.runs)
                if (one.program == &entry.program) {
                    const auto cells = compare_with_interpreter(
                        compiler::quantise(entry.graph, entry.ranges), one);
                    sum.cells += cells.cells;
                    sum.different += cells.different;
                }
    EXPECT_EQ(sum.cells, 6U * (16 + 17));
    EXPECT_EQ(sum.different, 0U);
}

TEST(ChipTop2, both_choices_are_dispatched) {
    const Top2 chip(structured_model(1), 1);
    const auto next = [](std::uint32_t route) { return (route + 1) % 4; };
    ChipDecoder broken(chip.compiled, *chip.engine, next);
    const auto step = broken.step(5);
    const auto right = ChipDecoder(chip.compiled, *chip.engine).step(5);
    EXPECT_EQ(step.experts, (Experts{next(right.experts[0]), next(right.experts[1])}));
}

TEST(ChipTop2, each_rank_of_an_expert_is_calibrated_on_the_steps_that_chose_it_so) {
    const auto model = random_model(1);
    const auto runs = calibration_runs(model, 6, 2);
    const Top2 chip(model, 6);
    for (std::uint32_t e = 0; e < model.experts; ++e) {
        double largest_logit = 0;
        for (const auto& run : runs)
            for (const auto& step : run)
                if (step.experts[1] == e)
                    for (const double v : step.logits)
                        largest_logit = std::max(largest_logit, std::abs(v));
        EXPECT_NEAR(chip.compiled.second_experts[e].ranges.find("scored").value(), largest_logit,
                    1e-12)
            << "expert " << e;
    }
}

TEST(ChipTop2, an_expert_that_never_was_the_second_is_calibrated_on_all_that_reached_the_layer) {
    auto model = structured_model(1);
    for (std::uint32_t d = 0; d < kWidth; ++d) model.wr.at(d, 2) = -4 * model.wr.at(d, 0);
    const auto runs = calibration_runs(model, 1, 2);
    double largest = 0;
    bool second = false;
    for (const auto& run : runs) {
        second = second || run[0].experts[1] == 2;
        for (const double v : run[0].sums[0]) largest = std::max(largest, std::abs(v));
    }
    const Top2 chip(model, 1);
    const auto reached = [&](std::uint32_t e) {
        return chip.compiled.second_experts[e].ranges.find("partial").value();
    };
    EXPECT_EQ(reached(0), reached(2)) << "partial sums share one range";
    EXPECT_GE(reached(2), largest);
    ChipDecoder decoder(chip.compiled, *chip.engine);
    auto step = decoder.attend(6);
    decoder.run_experts(step, {2, 2});
    EXPECT_EQ(step.experts, (Experts{2, 2})) << "what runs is the caller's decision";
}

TEST(ChipTop2, experts_the_programs_are_not_for_are_refused) {
    const Top2 two(structured_model(1), 1);
    const auto run = [](const CompiledModel& compiled, sim::Engine& engine, Experts experts) {
        ChipDecoder decoder(compiled, engine);
        auto step = decoder.attend(3);
        decoder.run_experts(step, std::move(experts));
    };
    EXPECT_NO_THROW(run(two.compiled, *two.engine, {3, 0}));
    for (const Experts& experts : {Experts{}, Experts{3}, Experts{3, 0, 1}, Experts{3, 4}})
        EXPECT_THROW(run(two.compiled, *two.engine, experts), Error);
    const auto one = compile_model(structured_model(1), DecoderKind::routed, 1);
    EXPECT_NO_THROW(run(one, *two.engine, {3}));
    for (const Experts& experts : {Experts{}, Experts{3, 0}, Experts{4}})
        EXPECT_THROW(run(one, *two.engine, experts), Error);
}

TEST(ChipTop2, is_of_the_routed_decoder_with_one_or_two_experts) {
    const auto compile = [](const LanguageModel& model, DecoderKind kind, std::uint32_t top) {
        return compile_model(model, kind, 1, isa::reference_target(), {.top = top});
    };
    const auto model = structured_model(1);
    EXPECT_EQ(compile(model, DecoderKind::routed, 1).second_experts.size(), 0U);
    EXPECT_EQ(compile(model, DecoderKind::routed, 2).second_experts.size(), 4U);
    for (const std::uint32_t top : {0U, 3U})
        EXPECT_THROW(compile(model, DecoderKind::routed, top), Error) << top;
    EXPECT_THROW(compile(model, DecoderKind::dense, 2), Error);
    EXPECT_THROW(compile(tiny_model(1), DecoderKind::single, 2), Error);
    EXPECT_NO_THROW(compile(model, DecoderKind::dense, 1));
}

class Top2OfAnySize : public testing::TestWithParam<std::uint32_t> {};
INSTANTIATE_TEST_SUITE_P(Experts, Top2OfAnySize, testing::Values(2U, 8U, 16U),
                         [](const auto& size) { return "E" + std::to_string(size.param); });

TEST_P(Top2OfAnySize, the_structured_model_follows_the_rule) {
    const Top2 chip(structured_model(1, kStructuredNoise, GetParam()), 16);
    for (const auto& step : decode(chip.compiled, *chip.engine, 16, 0).steps)
        EXPECT_EQ(step.token, successor(step.input));
}

}  // namespace
}  // namespace capra::model
