// Calibration and compilation of the programs of a decoder.
#include "compiler/float_interpreter.hpp"
#include "isa/error.hpp"
#include "isa/histogram.hpp"
#include "model/chip_decoder.hpp"
#include "model/compiled_model.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace capra::model {
namespace {

/// The structured model with a router that never chooses expert 2.
LanguageModel without_expert_2() {
    auto model = structured_model(1);
    for (std::uint32_t d = 0; d < kWidth; ++d) model.wr.at(d, 2) = 0.5 * model.wr.at(d, 0);
    return model;
}

bool ever_routed_to(const CalibrationRuns& runs, std::uint32_t expert) {
    for (const auto& run : runs)
        for (const auto& step : run)
            if (step.route == expert) return true;
    return false;
}

TEST(CompiledModel, an_expert_no_run_reached_is_calibrated_on_all_that_reached_the_layer) {
    constexpr std::uint32_t kSteps = 6;
    const auto model = without_expert_2();
    const auto runs = calibration_runs(model, kSteps);
    ASSERT_FALSE(ever_routed_to(runs, 2));
    ASSERT_TRUE(ever_routed_to(runs, 1));
    const auto compiled = compile_model(model, DecoderKind::routed, kSteps);

    double largest_h = 0;
    double largest_logit = 0;
    for (const auto& run : runs)
        for (const auto& step : run) {
            for (const double v : step.h) largest_h = std::max(largest_h, std::abs(v));
            const auto values =
                compiler::evaluate(compiled.experts[2].graph, {{"h", {1, kWidth, step.h}}});
            for (const double v : values.back().values)
                largest_logit = std::max(largest_logit, std::abs(v));
        }
    EXPECT_DOUBLE_EQ(compiled.experts[2].ranges.find("scored").value(), largest_logit);
    EXPECT_GE(compiled.experts[2].ranges.find("h").value(), largest_h);
}

TEST(CompiledModel, an_expert_no_run_reached_still_computes) {
    const auto model = without_expert_2();
    const auto compiled = compile_model(model, DecoderKind::routed, 2);
    const auto engine = sim::make_engine("model", compiled.target);
    for (std::uint32_t token = 0; token < kVocabulary; ++token) {
        ChipDecoder chip(compiled, *engine, [](std::uint32_t) { return 2U; });
        const auto chip_step = chip.step(token);
        const auto float_step = FloatDecoder(model).step(token, {2});
        EXPECT_EQ(chip_step.token, float_step.token) << "token " << token;
        EXPECT_LT(relative_l2(chip_step.logits, float_step.logits), 0.15) << "token " << token;
    }
}

TEST(CompiledModel, an_expert_that_runs_reached_is_calibrated_on_those_only) {
    constexpr std::uint32_t kSteps = 6;
    const auto model = random_model(1);
    const auto runs = calibration_runs(model, kSteps);
    const auto compiled = compile_model(model, DecoderKind::routed, kSteps);
    for (std::uint32_t e = 0; e < model.experts; ++e) {
        ASSERT_TRUE(ever_routed_to(runs, e));
        double largest = 0;
        for (const auto& run : runs)
            for (const auto& step : run)
                if (step.route == e)
                    for (const double v : step.logits) largest = std::max(largest, std::abs(v));
        EXPECT_NEAR(compiled.experts[e].ranges.find("scored").value(), largest, 1e-12);
    }
}

double scale_of(const CompiledProgram& entry, isa::SymbolKind kind, std::string_view name) {
    return isa::find_symbol(entry.program, kind, name).scale;
}

TEST(CompiledModel, tensors_that_cross_programs_have_one_scale) {
    const auto compiled = compile_model(random_model(3), DecoderKind::routed, 5);
    using isa::SymbolKind;
    const auto& first = compiled.contexts.front();
    for (const auto& a : compiled.contexts) {
        for (const std::string_view name : {"k", "v", "h"})
            EXPECT_EQ(scale_of(a, SymbolKind::output, name),
                      scale_of(first, SymbolKind::output, name));
        EXPECT_EQ(scale_of(a, SymbolKind::input, "x"), scale_of(first, SymbolKind::input, "x"));
        if (&a == &first) continue;
        EXPECT_EQ(scale_of(a, SymbolKind::input, "k_cache"),
                  scale_of(first, SymbolKind::output, "k"));
        EXPECT_EQ(scale_of(a, SymbolKind::input, "v_cache"),
                  scale_of(first, SymbolKind::output, "v"));
    }
    for (const auto& b : compiled.experts)
        EXPECT_EQ(scale_of(b, SymbolKind::input, "h"), scale_of(first, SymbolKind::output, "h"));
}

TEST(CompiledModel, the_residual_stream_is_rounded_once) {
    const auto compiled = compile_model(random_model(3), DecoderKind::routed, 5);
    for (const auto& a : compiled.contexts)
        EXPECT_EQ(scale_of(a, isa::SymbolKind::input, "x"),
                  scale_of(a, isa::SymbolKind::output, "h"));
}

TEST(CompiledModel, no_float_run_saturates) {
    const auto model = random_model(6);
    const auto runs = calibration_runs(model, 4);
    const auto compiled = compile_model(model, DecoderKind::routed, 4);
    const double largest = 127 * scale_of(compiled.contexts[0], isa::SymbolKind::output, "h");
    for (const auto& run : runs)
        for (const auto& step : run)
            for (const double v : step.h) EXPECT_LE(std::abs(v), largest * (1 + 1e-12));
}

TEST(CompiledModel, external_memory_is_the_default_or_the_power_of_two_that_fits) {
    EXPECT_EQ(compile_model(structured_model(1), DecoderKind::dense, 2).target.ext_words, 8192U);
    const auto large =
        compile_model(structured_model(1, kStructuredNoise, 16), DecoderKind::dense, 2);
    EXPECT_GT(large.contexts.back().program.memory_words, 16384U);
    EXPECT_EQ(large.target.ext_words, 32768U);
}

TEST(CompiledModel, a_memory_that_just_fits_is_kept_and_a_smaller_one_grows) {
    const auto model = structured_model(1);
    const auto fitted = [&](std::uint32_t ext_words) {
        return compile_model(model, DecoderKind::dense, 2, isa::reference_target(ext_words));
    };
    const auto words = fitted(8192).contexts.back().program.memory_words;
    ASSERT_GT(words, 4096U);
    ASSERT_LT(words, 8192U);
    EXPECT_EQ(fitted(words).target.ext_words, words);
    EXPECT_EQ(fitted(words - 1).target.ext_words, 8192U);
}

std::string refusal(std::uint32_t steps, const isa::Target& target) {
    try {
        compile_model(structured_model(1), DecoderKind::routed, steps, target);
    } catch (const Error& error) {
        return error.what();
    }
    return "accepted";
}

TEST(CompiledModel, a_decode_has_as_many_steps_as_softmax_and_tile_depth_allow) {
    isa::Target target = isa::reference_target();
    target.softmax_max = 2;
    // What follows would not end if this were accepted.
    ASSERT_EQ(refusal(3, target), "model: a decode has 1 to 2 steps, not 3");
    EXPECT_EQ(refusal(2, target), "accepted");
    target.softmax_max = 256;
    target.tile_depth = 2;
    EXPECT_EQ(refusal(3, target), "model: a decode has 1 to 2 steps, not 3");
    EXPECT_EQ(refusal(0, target), "model: a decode has 1 to 2 steps, not 0");
    EXPECT_EQ(refusal(4000000000U, target), "model: a decode has 1 to 2 steps, not 4000000000");
}

TEST(CompiledModel, impossible_requests_are_refused) {
    EXPECT_THROW(compile_model(structured_model(1), DecoderKind::single, 1), Error);
    EXPECT_THROW(compile_model(tiny_model(1), DecoderKind::routed, 1), Error);
    EXPECT_THROW(decoder_by_name("sparse"), Error);
    EXPECT_EQ(decoder_by_name("dense"), DecoderKind::dense);
}

TEST(CompiledModel, every_program_has_the_weight_scales_asked_for) {
    using compiler::WeightScales;
    for (const auto scales : {WeightScales::per_tensor, WeightScales::per_column}) {
        const auto compiled = compile_model(structured_model(1), DecoderKind::routed, 2,
                                            isa::reference_target(), {.scales = scales});
        EXPECT_EQ(compiled.scales, scales);
        const auto tables = [](const CompiledProgram& entry) {
            const auto counts = isa::histogram(entry.program);
            return counts.contains("RQC") ? counts.at("RQC") : 0;
        };
        const bool columns = scales == WeightScales::per_column;
        for (const auto& entry : compiled.contexts) EXPECT_EQ(tables(entry), columns ? 5U : 0U);
        for (const auto& entry : compiled.experts) EXPECT_EQ(tables(entry), columns ? 3U : 0U);
        for (const auto& entry : compile_expert_rows(compiled, 2))
            EXPECT_EQ(tables(entry), columns ? 3U : 0U);
    }
    EXPECT_EQ(compile_model(structured_model(1), DecoderKind::routed, 1).scales,
              WeightScales::per_tensor);
}

}  // namespace
}  // namespace capra::model
