// Stacks as compiled programs.
#include "isa/error.hpp"
#include "isa/histogram.hpp"
#include "stem/programs.hpp"
#include "stem_support.hpp"

#include <algorithm>
#include <bit>
#include <map>

#include <gtest/gtest.h>

namespace capra::stem {
namespace {

TEST(CompileStack, has_a_program_for_each_segment_named_after_it) {
    const auto programs = compile_stack(make_stack("routed_C50", "random", 1), 2);
    const StepPlan plan(programs.stack, Dispatch::host);
    ASSERT_EQ(programs.programs.size(), plan.segments(2).size());
    for (const auto& [segment, entry] : programs.programs) {
        EXPECT_EQ(entry.program.name, plan.name(segment));
        EXPECT_EQ(entry.graph.name, plan.name(segment));
    }
    EXPECT_EQ(programs.steps, 2U);
}

/// The scales of inputs and outputs of one name, over all programs.
TEST(CompileStack, hands_everything_over_at_one_scale) {
    const auto programs = compile_stack(
        make_pattern_stack("*R*E*R", "random", 1, std::vector{model::Exact(1, 2)}), 2);
    std::map<std::string, double> scales;
    std::size_t again = 0;
    for (const auto& [segment, entry] : programs.programs)
        for (const auto& symbol : entry.program.symbols) {
            if (symbol.kind == isa::SymbolKind::weight || symbol.name == "logits") continue;
            std::string name = symbol.name;
            if (name.ends_with("_cache")) name.resize(name.size() - 6);
            const auto [known, fresh] = scales.try_emplace(name, symbol.scale);
            EXPECT_EQ(known->second, symbol.scale) << entry.program.name << ", " << symbol.name;
            if (!fresh) ++again;
        }
    EXPECT_GT(again, 100U);
    EXPECT_EQ(scales.at("x"), scales.at("l1_h"));
    EXPECT_EQ(scales.at("l5_y1"), scales.at("l1_h"));
    EXPECT_EQ(scales.at("l3_gates"), 1.0 / 127);
}

TEST(CompileStack, asks_for_external_memory_that_all_programs_fit) {
    const auto largest = [](const StackPrograms& programs) {
        std::uint32_t words = 0;
        for (const auto& [segment, entry] : programs.programs)
            words = std::max(words, entry.program.memory_words);
        return words;
    };
    const auto small = compile_stack(make_stack("dense", "random", 1), 1);
    EXPECT_EQ(small.target.ext_words, isa::kDefaultExtWords);
    EXPECT_LE(largest(small), isa::kDefaultExtWords);
    const auto large = compile_stack(make_stack("bigram", "random", 1), 1);
    EXPECT_GT(largest(large), isa::kDefaultExtWords);
    EXPECT_EQ(large.target.ext_words, std::bit_ceil(largest(large)));
    const auto exact = compile_stack(large.stack, 1, isa::reference_target(largest(large)));
    EXPECT_EQ(exact.target.ext_words, largest(large));
    const auto short_by_one =
        compile_stack(large.stack, 1, isa::reference_target(largest(large) - 1));
    EXPECT_EQ(short_by_one.target.ext_words, std::bit_ceil(largest(large)));
}

TEST(CompileStack, takes_as_many_steps_as_the_longest_context_that_the_target_holds) {
    const Stack stack = make_stack("dense", "random", 1);
    auto target = isa::reference_target();
    const auto refused = [&](std::uint32_t steps) -> std::string {
        try {
            compile_stack(stack, steps, target);
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(refused(0), "stem: a decode has 1 to 256 steps, not 0");
    EXPECT_EQ(refused(257), "stem: a decode has 1 to 256 steps, not 257");
    target.softmax_max = 3;
    EXPECT_EQ(refused(3), "");
    EXPECT_EQ(refused(4), "stem: a decode has 1 to 3 steps, not 4");
}

TEST(CompileStack, chooses_experts_by_exact_accumulators_with_one_scale_a_column) {
    const Stack stack = make_stack("top2", "random", 1);
    const auto uses = [&](compiler::WeightScales scales, const std::string& op) {
        const auto programs = compile_stack(stack, 1, isa::reference_target(), {.scales = scales});
        const auto& code = programs.program({.context = 1}).program;
        return isa::histogram(code).contains(op);
    };
    EXPECT_TRUE(uses(compiler::WeightScales::per_column, "TOPKC"));
    EXPECT_TRUE(uses(compiler::WeightScales::per_tensor, "TOPK"));
    EXPECT_EQ(StackOptions{}.scales, compiler::WeightScales::per_column);
}

TEST(CompileStack, lets_the_chip_load_the_experts_it_chose) {
    const auto programs = compile_stack(make_stack("top2", "random", 1), 1, isa::reference_target(),
                                        {.dispatch = Dispatch::on_chip});
    ASSERT_EQ(programs.programs.size(), 1U);
    EXPECT_EQ(isa::histogram(programs.program({.context = 1}).program)["LDX"], 6U);
}

TEST(CompileStack, needs_no_scale_for_a_bias_of_nothing) {
    Stack stack = make_stack("routed_C50", "random", 1);
    for (const double bias : {0.0, 1.0}) {
        std::get<RoutedLayer>(stack.layers[1]).bias = bias;
        const auto programs = compile_stack(stack, 1);
        const auto& symbols = programs.program({.context = 1}).program.symbols;
        EXPECT_EQ(std::any_of(symbols.begin(), symbols.end(),
                              [](const auto& symbol) { return symbol.name == "l1_score_bias"; }),
                  bias != 0);
    }
}

TEST(StackPrograms, tells_which_program_was_not_compiled) {
    const auto programs = compile_stack(make_stack("dense", "random", 1), 2);
    EXPECT_EQ(programs.program({.context = 2}).program.name, "step_T2");
    try {
        static_cast<void>(programs.program({.context = 3}));
        FAIL();
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(),
                     "stem: no program step_T3 was compiled for dense in decodes of 2 steps");
    }
}

}  // namespace
}  // namespace capra::stem
