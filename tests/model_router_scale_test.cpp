// A router whose weights were scaled after the chip was calibrated: how many steps of int8 its
// scores have left decides whether the routes survive.
#include "isa/error.hpp"
#include "model/checks.hpp"
#include "model/quality.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace capra::model {
namespace {

CompiledModel scaled(const LanguageModel& model, double factor, std::uint32_t steps,
                     bool calibrated_anew = false) {
    CompileOptions options;
    if (!calibrated_anew) options.calibrated_on = model;
    return compile_model(with_router_scale(model, factor), DecoderKind::routed, steps,
                         isa::reference_target(), options);
}

Quality quality(const CompiledModel& compiled, std::uint32_t steps) {
    const auto engine = sim::make_engine("model", compiled.target);
    return measure_quality(compiled, *engine, steps);
}

/// Flips over random models of seeds 1-3.
std::size_t random_flips(double factor, bool calibrated_anew = false) {
    Quality sum;
    for (std::uint32_t seed = 1; seed <= 3; ++seed)
        sum += quality(scaled(random_model(seed), factor, kRandomSteps, calibrated_anew),
                       kRandomSteps);
    return sum.flips.size();
}

double scale_of_scores(const CompiledModel& compiled) {
    return isa::find_symbol(compiled.contexts[0].program, isa::SymbolKind::output, "router").scale;
}

TEST(RouterScale, multiplies_every_weight_of_the_router_and_nothing_else) {
    const auto model = random_model(2);
    auto half = with_router_scale(model, 0.5);
    for (std::size_t i = 0; i < model.wr.values.size(); ++i)
        EXPECT_EQ(half.wr.values[i], model.wr.values[i] / 2);
    half.wr = model.wr;
    EXPECT_EQ(half.emb, model.emb);
    EXPECT_EQ(half.wout, model.wout);
    EXPECT_EQ(half.w1, model.w1);
    EXPECT_EQ(half.w2, model.w2);
}

TEST(RouterScale, is_a_positive_finite_number_of_a_model_with_a_router) {
    EXPECT_THROW(with_router_scale(tiny_model(1), 0.5), Error);
    for (const double factor : {0.0, -0.5, std::numeric_limits<double>::infinity(),
                                std::numeric_limits<double>::quiet_NaN()})
        EXPECT_THROW(with_router_scale(structured_model(1), factor), Error) << factor;
}

TEST(RouterScale, does_not_change_the_float_routes) {
    const auto model = random_model(1);
    for (const double factor : {1.0 / 1024, 64.0})
        for (std::uint32_t start = 0; start < kVocabulary; ++start) {
            const auto plain = decode_greedily(model, start, kRandomSteps);
            const auto other =
                decode_greedily(with_router_scale(model, factor), start, kRandomSteps);
            for (std::size_t i = 0; i < plain.size(); ++i)
                EXPECT_EQ(plain[i].route, other[i].route);
        }
}

TEST(RouterScale, calibrated_before_the_scores_keep_their_scale_and_anew_they_get_their_own) {
    const auto plain = compile_model(structured_model(1), DecoderKind::routed, 2);
    EXPECT_EQ(scale_of_scores(scaled(structured_model(1), 0.25, 2)), scale_of_scores(plain));
    EXPECT_EQ(scale_of_scores(scaled(structured_model(1), 0.25, 2, true)),
              scale_of_scores(plain) / 4);
}

/// A power of two changes no rounding: the very same instructions.
TEST(RouterScale, calibrated_anew_the_program_is_the_same) {
    const auto plain = compile_model(random_model(1), DecoderKind::routed, 3);
    const auto anew = scaled(random_model(1), 1.0 / 64, 3, true);
    const auto before = scaled(random_model(1), 1.0 / 64, 3);
    for (std::size_t t = 0; t < 3; ++t) {
        EXPECT_EQ(anew.contexts[t].program.code, plain.contexts[t].program.code);
        EXPECT_NE(before.contexts[t].program.code, plain.contexts[t].program.code);
    }
}

/// The right score of the structured model is about 2 and the others near 0: it is still a step
/// ahead at a factor of 0.008, and the lowest index wins where all are rounded to 0.
TEST(RouterScale, routes_of_the_structured_model_flip_when_the_scores_round_to_the_same_step) {
    const auto model = structured_model(1);
    for (const double factor : {0.5, 0.2, 0.05, 0.01, 0.008})
        EXPECT_EQ(quality(scaled(model, factor, kCheckedSteps), kCheckedSteps).flips.size(), 0U)
            << factor;
    EXPECT_GT(quality(scaled(model, 0.005, kCheckedSteps), kCheckedSteps).flips.size(), 0U);
    const auto none = quality(scaled(model, 0.002, kCheckedSteps), kCheckedSteps);
    EXPECT_EQ(none.flips.size(), 16 * kCheckedSteps * 3 / 4) << "all tokens go to expert 0";
}

TEST(RouterScale, routes_of_random_models_flip_the_more_the_smaller_the_scale) {
    const auto at_1 = random_flips(1);
    EXPECT_GE(random_flips(0.2), 2 * at_1 + 1);
    EXPECT_GE(random_flips(0.05), 2 * random_flips(0.2));
    EXPECT_GE(random_flips(0.01), 2 * random_flips(0.05));
    EXPECT_GE(random_flips(5), 2 * at_1 + 1) << "a large scale saturates the best scores";
    EXPECT_EQ(random_flips(0.01, true), at_1) << "calibrated anew nothing flips";
}

TEST(CalibratedOn, another_number_of_experts_is_refused) {
    const auto compile = [](std::uint32_t experts) {
        CompileOptions options;
        options.calibrated_on = random_model(1, experts);
        return compile_model(random_model(1, 4), DecoderKind::routed, 1, isa::reference_target(),
                             options);
    };
    EXPECT_NO_THROW(compile(4));
    EXPECT_THROW(compile(2), Error);
    EXPECT_THROW(compile(8), Error);
}

TEST(CalibratedOn, the_weights_are_the_compiled_models_and_every_range_the_others) {
    CompileOptions options;
    options.calibrated_on = random_model(1);
    const auto compiled =
        compile_model(random_model(2), DecoderKind::routed, 2, isa::reference_target(), options);
    const auto other = compile_model(random_model(1), DecoderKind::routed, 2);
    for (std::size_t e = 0; e < 4; ++e) {
        EXPECT_EQ(compiled.experts[e].ranges.all(), other.experts[e].ranges.all());
        EXPECT_NE(compiled.experts[e].graph, other.experts[e].graph);
    }
    EXPECT_EQ(compiled.contexts[1].ranges.all(), other.contexts[1].ranges.all());
    EXPECT_EQ(compiled.skip_ranges.all(), other.skip_ranges.all());
    EXPECT_EQ(compiled.model.emb, random_model(2).emb);
}

}  // namespace
}  // namespace capra::model
