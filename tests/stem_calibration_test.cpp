// What a stack is calibrated on, and the ranges that come of it.
#include "compiler/float_interpreter.hpp"
#include "stem/calibration.hpp"
#include "stem/layer_nodes.hpp"
#include "stem_support.hpp"

#include <set>

#include <gtest/gtest.h>

namespace capra::stem {
namespace {

TEST(CalibrationTexts, follow_the_rule_from_each_start) {
    const auto texts = calibration_texts(make_stack("bigram", "structured", 1), 4);
    ASSERT_EQ(texts.size(), 16U);
    EXPECT_EQ(texts[2], (Tokens{2, next_token(Rule::bigram, kNoToken, 2),
                                next_token(Rule::bigram, 2, texts[2][1]),
                                next_token(Rule::bigram, texts[2][1], texts[2][2])}));
    for (std::uint32_t start = 0; start < 16; ++start) EXPECT_EQ(texts[start][0], start);
    EXPECT_EQ(calibration_texts(make_stack("dense", "structured", 1), 1)[7], Tokens{7});
}

TEST(CalibrationTexts, of_random_weights_are_random_and_the_seeds_own) {
    const Stack stack = make_stack("dense", "random", 3);
    const auto texts = calibration_texts(stack, 24);
    EXPECT_EQ(texts, calibration_texts(stack, 24));
    EXPECT_NE(texts, calibration_texts(make_stack("dense", "random", 4), 24));
    std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (const Tokens& text : texts)
        for (std::size_t i = 1; i < text.size(); ++i) pairs.insert({text[i - 1], text[i]});
    EXPECT_GT(pairs.size(), 150U);  // of 256; a rule has 16
    for (std::uint32_t start = 0; start < 16; ++start) {
        EXPECT_EQ(texts[start].size(), 24U);
        EXPECT_EQ(texts[start][0], start);
        for (const std::uint32_t token : texts[start]) EXPECT_LT(token, 16U);
    }
}

TEST(Capacities, are_those_of_the_routed_layers_in_order) {
    const std::vector capacities = {model::Exact(1, 2), model::Exact(1, 8)};
    const Stack stack = make_pattern_stack("R*SR", "random", 1, capacities);
    EXPECT_EQ(capacities_of(stack), capacities);
    EXPECT_TRUE(capacities_of(make_stack("top2", "random", 1)).empty());
}

/// The thresholds, and the share of tokens that each routed layer then admits.
TEST(Thresholds, admit_each_layers_capacity_of_the_texts) {
    const std::vector capacities = {model::Exact(1, 2), model::Exact(1, 8)};
    const Stack stack = make_pattern_stack("*R*R", "random", 1, capacities);
    const StepPlan plan(stack, Dispatch::host);
    SegmentGraphs graphs(stack, plan);
    // No token twice in a row: it would have the score of the one before it.
    const auto texts = calibration_texts(make_stack("dense", "structured", 1), 4);
    std::vector<HostLoop> loops(texts.size(), HostLoop(stack, Dispatch::host, in_double(graphs)));
    const auto thresholds = thresholds_of(loops, texts, capacities);
    ASSERT_EQ(thresholds.size(), 2U);
    std::vector<std::uint32_t> admitted(2);
    for (const Tokens& text : texts) {
        HostLoop loop(stack, Dispatch::host, in_double(graphs));
        for (const std::uint32_t token : text)
            loop.step(token, [&](std::size_t routed, double score) {
                admitted[routed] += score >= thresholds[routed] ? 1 : 0;
                return score >= thresholds[routed];
            });
    }
    EXPECT_EQ(admitted, (std::vector<std::uint32_t>{32, 8}));
}

/// The reference's own calibration shares no code with this one.
TEST(Thresholds, of_one_text_are_those_of_the_float_decoder) {
    const std::vector capacities = {model::Exact(1, 4), model::Exact(1, 3), model::Exact(1, 2)};
    const Stack stack = make_pattern_stack("*R*R*R", "random", 5, capacities);
    const StepPlan plan(stack, Dispatch::host);
    SegmentGraphs graphs(stack, plan);
    const std::vector<Tokens> texts = {calibration_texts(stack, 24)[1]};
    std::vector<HostLoop> loops = {HostLoop(stack, Dispatch::host, in_double(graphs))};
    const auto thresholds = thresholds_of(loops, texts, capacities);
    const auto expected = calibrated_thresholds(stack, texts[0]);
    ASSERT_EQ(thresholds.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
        EXPECT_NEAR(thresholds[i], expected[i], 1e-9) << "layer " << i;
}

struct Calibrated {
    Stack stack;
    StepPlan plan;
    ProgramRanges ranges;

    Calibrated(Stack s, std::uint32_t steps, Dispatch dispatch = Dispatch::host)
        : stack(std::move(s)),
          plan(stack, dispatch),
          ranges(calibrate_ranges(stack, plan, calibration_texts(stack, steps))) {}
};

TEST(CalibrateRanges, covers_every_program_once_for_all_contexts) {
    for (const auto& decoder : decoder_names()) {
        const Calibrated c(make_stack(decoder, "structured", 1), 2);
        std::set<Segment> programs;
        for (const Segment& segment : c.plan.segments(2)) programs.insert(any_context(segment));
        std::set<Segment> calibrated;
        for (const auto& [segment, ranges] : c.ranges) calibrated.insert(segment);
        EXPECT_EQ(calibrated, programs) << decoder;
    }
}

/// What comes to a decision is the same for each choice.
TEST(CalibrateRanges, runs_every_program_on_all_that_came_to_its_decision) {
    const Calibrated c(make_stack("top2", "random", 1), 2);
    for (const std::uint32_t start : {1U, 2U})
        for (std::uint32_t e = 1; e < 4; ++e) {
            const auto& first = c.ranges.at({.start = start, .choice = 0});
            const auto& other = c.ranges.at({.start = start, .choice = e});
            EXPECT_EQ(first.find("l1_h"), other.find("l1_h"));
            const std::string pre = "l1_e" + std::to_string(e) + "_pre";
            EXPECT_GT(other.find(pre).value(), 0);
        }
    // The second expert of a token is never its first: here all of them ran in both places.
    EXPECT_EQ(c.ranges.at({.start = 1, .choice = 2}).find("l1_e2_pre"),
              c.ranges.at({.start = 2, .choice = 2}).find("l1_e2_pre"));
}

TEST(CalibrateRanges, has_one_range_for_the_contexts_of_a_program) {
    const Stack stack = make_stack("dense", "random", 1);
    const auto range = [&](std::uint32_t steps) {
        return Calibrated(stack, steps).ranges.at({}).find("l0_scores").value();
    };
    EXPECT_GT(range(6), range(1));
}

/// Ranges of the programs that run when every routed layer admits all tokens, or none.
ProgramRanges ranges_when(const Calibrated& c, bool admitted, const std::vector<Tokens>& texts) {
    SegmentGraphs graphs(c.stack, c.plan);
    ProgramRanges ranges;
    const auto observe = [&](const Segment& segment, const TokenWalk& walk) {
        const auto& graph = graphs.graph(segment);
        compiler::observe(ranges[any_context(segment)], graph, inputs_of(graph, walk.values));
        return graphs.evaluate(segment, walk.values);
    };
    for (const Tokens& text : texts) {
        HostLoop loop(c.stack, Dispatch::host, observe);
        for (const std::uint32_t token : text)
            loop.step(token, [&](std::size_t, double) { return admitted; });
    }
    return ranges;
}

TEST(CalibrateRanges, has_seen_all_tokens_admitted_and_none) {
    for (const auto& capacity : {model::Exact(1, 16), model::Exact(1)}) {
        const Calibrated c(make_pattern_stack("*R*R*R", "random", 2, std::vector{capacity}), 3);
        for (const bool admitted : {true, false})
            for (const auto& [segment, ranges] :
                 ranges_when(c, admitted, calibration_texts(c.stack, 3)))
                for (const auto& [key, range] : ranges.all())
                    EXPECT_GE(c.ranges.at(segment).find(key).value(), range)
                        << key << ", " << admitted << ", " << model::to_string(capacity);
    }
}

TEST(ShareRanges, gives_what_crosses_programs_one_range_and_weights_the_range_of_1) {
    Calibrated c(make_stack("routed_C50", "random", 1), 3);
    const auto before = c.ranges;
    share_ranges(c.stack, c.ranges);
    double widest = 0;
    for (const auto& [segment, ranges] : before)
        widest = std::max(widest, ranges.find("h").value_or(0));
    for (const auto& [segment, ranges] : c.ranges) {
        EXPECT_EQ(ranges.find("h").value_or(widest), widest);
        EXPECT_EQ(ranges.find("l1_gates").value_or(1), 1);
        for (const auto& [key, range] : ranges.all()) {
            const bool shared = key == "h" || key == "l0_k" || key == "l0_v" || key == "l1_gates";
            if (!shared) {
                EXPECT_EQ(range, before.at(segment).find(key)) << key;
            }
        }
    }
    EXPECT_EQ(c.ranges.at({}).find("l1_gates"), 1);
    Calibrated first(make_pattern_stack("R*", "random", 1, std::vector{model::Exact(1, 2)}), 1);
    share_ranges(first.stack, first.ranges);
    EXPECT_EQ(first.ranges.at({}).find("l0_gates"), 1);
}

}  // namespace
}  // namespace capra::stem
