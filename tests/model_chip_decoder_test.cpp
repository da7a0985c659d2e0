// Decodes on the C++ machine against the published figures, which are copied here.
#include "isa/error.hpp"
#include "model/anatomy.hpp"
#include "model/chip_decoder.hpp"
#include "model/grouped.hpp"

#include <array>
#include <cmath>
#include <set>
#include <type_traits>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace capra::model {
namespace {

static_assert(!std::is_constructible_v<ChipDecoder, CompiledModel, sim::Engine&>,
              "a decoder would point into a model that is gone");

using Tokens = std::vector<std::uint32_t>;

/// A decode with what it points into.
struct Decoded {
    CompiledModel compiled;
    std::unique_ptr<sim::Engine> engine;
    DecodeRun run;

    Decoded(const LanguageModel& model, DecoderKind kind, std::uint32_t steps, std::uint32_t start,
            Dispatch dispatch = {})
        : compiled(compile_model(model, kind, steps)),
          engine(sim::make_engine("model", compiled.target)),
          run(decode(compiled, *engine, steps, start, std::move(dispatch))) {}
};

const Tokens kTokens = {0,  3,  2, 13, 4, 7, 6,  1, 8, 11, 10, 5, 12,
                        15, 14, 9, 0,  3, 2, 13, 4, 7, 6,  1,  8};
const Tokens kRoutes = {0, 3, 2, 1, 0, 3, 2, 1, 0, 3, 2, 1, 0, 3, 2, 1, 0, 3, 2, 1, 0, 3, 2, 1};

using Parts = std::array<std::uint64_t, 5>;

Parts parts(const ProgramRun& run) {
    const auto& c = run.result.counters;
    return {c.total, c.matrix, c.dma, c.vector, c.control};
}

TEST(RoutedDecode, tokens_routes_and_cycles_are_the_published_ones) {
    const Decoded d(structured_model(1), DecoderKind::routed, 24, 0);
    EXPECT_EQ(d.run.tokens, kTokens);
    EXPECT_EQ(d.run.routes, kRoutes);
    ASSERT_EQ(d.run.runs.size(), 48U);
    EXPECT_EQ(parts(d.run.runs[0]), (Parts{3550, 2006, 1221, 229, 94}));
    EXPECT_EQ(parts(d.run.runs[14]), (Parts{4165, 2338, 1463, 264, 100}));
    EXPECT_EQ(parts(d.run.runs[46]), (Parts{5589, 3162, 1975, 344, 108}));
    for (std::size_t i = 1; i < 48; i += 2)
        EXPECT_EQ(parts(d.run.runs[i]), (Parts{3696, 2144, 1353, 141, 58})) << "program " << i;
    EXPECT_EQ(d.run.step_cycles(1), 7246U);
    EXPECT_EQ(d.run.step_cycles(24), 9285U);
    EXPECT_EQ(d.run.total().total, 198614U);
}

TEST(RoutedDecode, instructions_and_words_are_the_published_ones) {
    const Decoded d(structured_model(1), DecoderKind::routed, 8, 0);
    const auto a8 = anatomy(d.compiled.contexts[7].program);
    EXPECT_EQ(histogram_text(a8), "LD 8, ST 5, MM 23, RQ 10, VADD 1, SM 1, AMAX 1, HALT 1");
    EXPECT_EQ(a8.words_loaded, 1328U);
    EXPECT_EQ(a8.words_stored, 53U);  // h 16, route 1, router 4, k 16, v 16
    for (const auto& b : d.compiled.experts) {
        const auto text = anatomy(b.program);
        EXPECT_EQ(histogram_text(text), "LD 4, ST 2, MM 16, RQ 4, VADD 1, AMAX 1, HALT 1");
        EXPECT_EQ(text.words_loaded, 1296U);
        EXPECT_EQ(text.words_stored, 17U);  // token 1, logits 16
    }
}

TEST(RoutedDecode, multiply_accumulates_are_those_of_the_matrix_shapes) {
    const CompiledModel routed = compile_model(structured_model(1), DecoderKind::routed, 8);
    // q, k, v and projection 16 x 16; scores and their sum over 8 rows of 16; router 16 x 4
    EXPECT_EQ(multiply_accumulates(routed.contexts[7].program), 4U * 256 + 2 * 8 * 16 + 64);
    EXPECT_EQ(multiply_accumulates(routed.experts[0].program), 2U * 16 * 32 + 16 * 16);
    const auto three_rows = compile_expert_rows(routed, 3);
    EXPECT_EQ(multiply_accumulates(three_rows[0].program), 3U * (2 * 16 * 32 + 16 * 16));
}

TEST(SingleDecode, tokens_and_cycles_are_the_published_ones) {
    const Decoded d(tiny_model(1), DecoderKind::single, 24, 0);
    EXPECT_EQ(d.run.tokens, kTokens);
    EXPECT_TRUE(d.run.routes.empty());
    EXPECT_EQ(d.run.runs.size(), 24U);
    EXPECT_EQ(d.run.step_cycles(1), 7000U);
    EXPECT_EQ(d.run.step_cycles(24), 9039U);
    EXPECT_EQ(d.run.total().total, 192710U);
}

TEST(DenseDecode, tokens_and_cycles_are_the_published_ones) {
    const Decoded d(structured_model(1), DecoderKind::dense, 24, 0);
    EXPECT_EQ(d.run.tokens, kTokens);
    EXPECT_EQ(d.run.runs.size(), 24U);
    EXPECT_EQ(d.run.step_cycles(1), 15618U);
    EXPECT_EQ(d.run.step_cycles(24), 17657U);
    EXPECT_EQ(d.run.total().total, 399542U);
}

TEST(DecodeRun, the_total_is_the_sum_of_its_parts) {
    const Decoded d(structured_model(1), DecoderKind::routed, 5, 9);
    const auto total = d.run.total();
    EXPECT_EQ(total.total, total.matrix + total.dma + total.vector + total.control);
    std::uint64_t steps = 0;
    for (std::uint32_t s = 1; s <= 5; ++s) steps += d.run.step_cycles(s);
    EXPECT_EQ(total.total, steps);
}

TEST(Dispatch, the_next_expert_decodes_24_zeros) {
    const Decoded d(structured_model(1), DecoderKind::routed, 24, 0,
                    [](std::uint32_t route) { return (route + 1) % 4; });
    EXPECT_EQ(d.run.tokens, Tokens(25, 0));
    EXPECT_EQ(d.run.routes, Tokens(24, 0)) << "the route is the chip's, not the dispatched expert";
    for (const auto& step : d.run.steps) EXPECT_EQ(step.experts, Experts{1});
}

TEST(Dispatch, an_expert_that_does_not_exist_is_refused) {
    EXPECT_THROW(
        Decoded(structured_model(1), DecoderKind::routed, 1, 0, [](std::uint32_t) { return 4U; }),
        Error);
}

class RoutedOfAnySize : public testing::TestWithParam<std::uint32_t> {};
INSTANTIATE_TEST_SUITE_P(Experts, RoutedOfAnySize, testing::Values(2U, 8U, 16U),
                         [](const auto& size) { return "E" + std::to_string(size.param); });

TEST_P(RoutedOfAnySize, the_structured_model_follows_the_rule_routed_and_dense) {
    const auto model = structured_model(1, kStructuredNoise, GetParam());
    for (const auto kind : {DecoderKind::routed, DecoderKind::dense}) {
        const Decoded d(model, kind, 16, 0);
        EXPECT_EQ(d.run.tokens, Tokens(kTokens.begin(), kTokens.begin() + 17));
        for (std::size_t i = 0; i < d.run.routes.size(); ++i)
            EXPECT_EQ(d.run.routes[i], d.run.tokens[i] % GetParam());
    }
}

TEST_P(RoutedOfAnySize, a_random_model_decodes_routed_and_dense) {
    for (const auto kind : {DecoderKind::routed, DecoderKind::dense}) {
        const Decoded d(random_model(1, GetParam()), kind, 6, 3);
        EXPECT_EQ(d.run.tokens.size(), 7U);
        for (const auto token : d.run.tokens) EXPECT_LT(token, kVocabulary);
    }
}

TEST_P(RoutedOfAnySize, the_cost_of_b_does_not_depend_on_the_number_of_experts) {
    const Decoded d(structured_model(1, kStructuredNoise, GetParam()), DecoderKind::routed, 1, 0);
    EXPECT_EQ(parts(d.run.runs[1]), (Parts{3696, 2144, 1353, 141, 58}));
}

TEST(Grouping, two_tokens_a_program_cost_what_is_published_and_say_the_same) {
    const Decoded d(structured_model(1), DecoderKind::routed, 24, 0);
    const auto programs = compile_expert_rows(d.compiled, 2);
    const auto grouped = run_grouped(programs, std::span(d.run.steps).subspan(8, 8), *d.engine);
    ASSERT_EQ(grouped.runs.size(), 4U);
    for (const auto& run : grouped.runs) EXPECT_EQ(parts(run), (Parts{4262, 2544, 1386, 272, 60}));
    EXPECT_EQ(grouped.cycles(), 17048U);
    EXPECT_EQ(8 * d.run.runs[1].result.counters.total, 29568U);
    EXPECT_EQ(grouped.tokens, Tokens(kTokens.begin() + 9, kTokens.begin() + 17));
}

TEST(Grouping, groups_of_any_size_say_what_separate_programs_say) {
    const Decoded d(random_model(2), DecoderKind::routed, 11, 5);
    std::set<std::size_t> sizes;
    for (std::uint32_t rows = 1; rows <= 4; ++rows) {
        const auto programs = compile_expert_rows(d.compiled, rows);
        const auto grouped = run_grouped(programs, d.run.steps, *d.engine);
        EXPECT_EQ(grouped.tokens, Tokens(d.run.tokens.begin() + 1, d.run.tokens.end()));
        sizes.insert(grouped.runs.size());
    }
    EXPECT_GT(sizes.size(), 1U) << "larger groups need fewer programs";
}

TEST(Host, inputs_are_quantised_half_up_and_saturated) {
    isa::Program program;
    program.name = "p";
    program.memory_words = 6;
    program.symbols = {{isa::SymbolKind::input, "x", 1, 1, 4, 0.5}};
    const auto image = memory_image(program, {{"x", {1, 4, {0.25, -0.25, 1000, -1000}}}});
    EXPECT_EQ(image, (std::vector<std::int32_t>{0, 1, 0, 127, -128, 0}));
}

TEST(Host, an_input_without_a_scale_is_an_index_and_stored_as_it_is) {
    isa::Program program;
    program.name = "p";
    program.memory_words = 2;
    program.symbols = {{isa::SymbolKind::input, "token", 1, 1, 1, 0}};
    const auto stored = [&](double index) {
        return memory_image(program, {{"token", {1, 1, {index}}}})[1];
    };
    for (const int index : {0, 1, 127, 128, 300, 65534, (1 << 24) - 1})
        EXPECT_EQ(stored(index), index);
    for (const double wrong : {-1.0, 0.5, 16777216.0, std::nan("")}) {
        try {
            stored(wrong);
            ADD_FAILURE() << wrong;
        } catch (const Error& error) {
            EXPECT_EQ(
                error.what(),
                fmt::format("program p: input 'token' is an index in 0..16777215, got {}", wrong));
        }
    }
}

TEST(Host, inputs_that_the_program_does_not_have_are_ignored) {
    isa::Program program;
    program.memory_words = 1;
    program.symbols = {{isa::SymbolKind::input, "x", 0, 1, 1, 1},
                       {isa::SymbolKind::output, "y", 0, 1, 1, 1}};
    EXPECT_EQ(memory_image(program, {{"x", {1, 1, {7}}}, {"y", {1, 1, {8}}}, {"z", {}}}),
              (std::vector<std::int32_t>{7}));
}

TEST(Host, the_jobs_of_a_decode_are_its_programs_on_their_images) {
    const Decoded d(structured_model(1), DecoderKind::routed, 2, 5);
    const auto jobs = jobs_of(d.run.runs);
    ASSERT_EQ(jobs.size(), 4U);
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        EXPECT_EQ(jobs[i].program, d.run.runs[i].program);
        EXPECT_EQ(jobs[i].memory.data(), d.run.runs[i].image.data());
        EXPECT_EQ(jobs[i].memory.size(), d.run.runs[i].image.size());
    }
}

TEST(Host, outputs_are_real_values_and_indices) {
    isa::Program program;
    program.name = "p";
    program.symbols = {{isa::SymbolKind::output, "y", 0, 1, 2, 0.5},
                       {isa::SymbolKind::output, "i", 2, 1, 1, 0}};
    const std::vector<std::int32_t> memory = {3, -2, 7};
    EXPECT_EQ(read_output(program, memory, "y"), (Matrix{1, 2, {1.5, -1}}));
    EXPECT_EQ(read_output(program, memory, "i"), (Matrix{1, 1, {7}}));
    EXPECT_THROW(read_output(program, memory, "z"), Error);
}

TEST(Host, a_cell_that_holds_no_int8_is_refused) {
    isa::Program program;
    program.name = "p";
    program.symbols = {{isa::SymbolKind::output, "y", 0, 1, 1, 0.5},
                       {isa::SymbolKind::output, "i", 0, 1, 1, 0}};
    for (const char* name : {"y", "i"}) {
        const auto read = [&](std::int32_t cell) {
            return read_output(program, std::vector<std::int32_t>{cell}, name);
        };
        for (const std::int32_t cell : {-128, 127}) EXPECT_NO_THROW(read(cell)) << name << cell;
        for (const std::int32_t cell : {-129, 128, 300}) EXPECT_THROW(read(cell), Error) << cell;
    }
}

TEST(Host, bad_requests_are_refused) {
    const Decoded d(structured_model(1), DecoderKind::routed, 2, 0);
    const auto& a1 = d.compiled.contexts[0].program;
    EXPECT_THROW(memory_image(a1, {}), Error);
    EXPECT_THROW(memory_image(a1, {{"x", {1, 3, {0, 0, 0}}}}), Error);
    EXPECT_THROW(memory_image(a1, {{"x", {2, kWidth, Vector(2 * kWidth)}}}), Error);
    EXPECT_THROW(decode(d.compiled, *d.engine, 3, 0), Error) << "no program for context 3";
    EXPECT_THROW(decode(d.compiled, *d.engine, 1, 16), Error) << "no such token";
    isa::Program endless;  // no HALT: it runs off its end
    endless.name = "endless";
    EXPECT_THROW(run_program(*d.engine, endless, {}), Error);
}

}  // namespace
}  // namespace capra::model
