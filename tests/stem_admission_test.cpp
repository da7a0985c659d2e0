// Who is admitted to the experts: expert choice over a sequence, thresholds at decode.
#include "stem_support.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace capra::stem {
namespace {

using model::Exact;
using Admitted = std::vector<bool>;

TEST(AdmittedCount, is_the_exact_ceiling) {
    EXPECT_EQ(admitted_count({1, 2}, 16), 8U);
    EXPECT_EQ(admitted_count({1, 2}, 17), 9U);
    EXPECT_EQ(admitted_count({1, 10}, 10), 1U);
    EXPECT_EQ(admitted_count({7, 100}, 100), 7U) << "a double's 0.07 * 100 is above 7";
    EXPECT_EQ(admitted_count({13, 32}, 16), 7U);
    EXPECT_EQ(admitted_count({1, 8}, 1), 1U);
    EXPECT_EQ(admitted_count(1, 5), 5U);
}

TEST(ExpertChoice, admits_the_highest_scores_and_the_earlier_of_equals) {
    EXPECT_EQ(expert_choice(std::vector{1.0, 3.0, 2.0, -1.0}, {1, 2}),
              (Admitted{false, true, true, false}));
    EXPECT_EQ(expert_choice(std::vector{2.0, 1.0, 2.0, 2.0}, {1, 2}),
              (Admitted{true, false, true, false}));
    EXPECT_EQ(expert_choice(std::vector{2.0, 1.0, 2.0}, {1, 3}), (Admitted{true, false, false}));
    EXPECT_EQ(expert_choice(std::vector{2.0, 1.0}, 1), (Admitted{true, true}));
}

/// Scores among which some are equal, and a capacity above 0.
std::vector<double> some_scores() {
    std::vector<double> scores;
    for (const int score :
         *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(-20, 20))))
        scores.push_back(score / 4.0);
    return scores;
}
Exact some_capacity() {
    const int denominator = *rc::gen::inRange(1, 33);
    return {*rc::gen::inRange(1, denominator + 1), denominator};
}

RC_GTEST_PROP(ExpertChoice, admits_whom_fewer_than_the_capacity_outrank, ()) {
    const std::vector<double> scores = some_scores();
    const Exact capacity = some_capacity();
    const Admitted admitted = expert_choice(scores, capacity);
    for (std::size_t i = 0; i < scores.size(); ++i) {
        std::int64_t above = 0;
        for (std::size_t j = 0; j < scores.size(); ++j)
            above += scores[j] > scores[i] || (scores[j] == scores[i] && j < i) ? 1 : 0;
        // Rank i is admitted when i < capacity * tokens, which ceil(capacity * tokens) says too.
        RC_ASSERT(admitted[i] == (above * capacity.denominator() <
                                  capacity.numerator() * std::int64_t(scores.size())));
    }
}

RC_GTEST_PROP(Threshold, admits_on_its_own_scores_whom_expert_choice_does_and_equals_of_the_last,
              ()) {
    const std::vector<double> scores = some_scores();
    const Exact capacity = some_capacity();
    const double threshold = threshold_for(scores, capacity);
    const Admitted admitted = expert_choice(scores, capacity);
    double lowest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < scores.size(); ++i)
        if (admitted[i]) lowest = std::min(lowest, scores[i]);
    for (const double score : scores) RC_ASSERT((score >= threshold) == (score >= lowest));
}

TEST(Threshold, stands_half_way_between_the_last_admitted_and_the_first_refused) {
    EXPECT_EQ(threshold_for(std::vector{5.0, 1.0, 2.0, 8.0}, {1, 2}), 3.5);
    EXPECT_EQ(threshold_for(std::vector{5.0, 1.0, 2.0, 8.0}, {3, 4}), 1.5);
    EXPECT_EQ(threshold_for(std::vector{5.0, 1.0, 2.0, 8.0}, {1, 8}), 6.5);
    EXPECT_EQ(threshold_for(std::vector{4.0, 4.0, 1.0}, {1, 3}), 4.0) << "equal to the last";
}

TEST(Threshold, of_all_is_minus_infinity) {
    EXPECT_EQ(threshold_for(std::vector{3.0, 2.0}, 1), -std::numeric_limits<double>::infinity());
    EXPECT_EQ(threshold_for(std::vector{3.0}, {1, 8}), -std::numeric_limits<double>::infinity());
}

TEST(Threshold, between_neighbouring_numbers_still_refuses_the_lower) {
    for (const double lower : {1.0, std::nextafter(1.0, 2.0)}) {
        const double upper = std::nextafter(lower, 2.0);
        EXPECT_EQ(threshold_for(std::vector{lower, upper}, {1, 2}), upper);
    }
}

Stack random_routed(std::string_view pattern, const Exact& capacity) {
    const std::vector<Exact> capacities{capacity};
    return make_pattern_stack(pattern, "random", 3, capacities);
}

/// How many of the steps each routed layer admitted.
std::vector<std::size_t> counts(const std::vector<StackStep>& steps) {
    std::vector<std::size_t> admitted;
    for (std::size_t layer = 0; layer < steps[0].layers.size(); ++layer)
        if (steps[0].layers[layer].score.has_value())
            admitted.push_back(static_cast<std::size_t>(
                std::count_if(steps.begin(), steps.end(),
                              [&](const StackStep& step) { return step.layers[layer].admitted; })));
    return admitted;
}

TEST(Prefill, is_a_decode_whose_thresholds_were_calibrated_on_the_same_text) {
    const std::vector<Exact> capacities{{1, 8}, {13, 32}, {3, 4}};
    const Stack stack = with_capacities(random_routed("*R*RS*R", {1, 2}), capacities);
    auto text = calibration_text(stack);
    text.resize(75);
    const auto whole = prefill(stack, text);
    EXPECT_EQ(counts(whole), (std::vector<std::size_t>{10, 31, 57}));
    const auto decoded = read_tokens(stack, calibrated_thresholds(stack, text), text);
    ASSERT_EQ(whole.size(), decoded.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        EXPECT_EQ(whole[i].logits, decoded[i].logits) << i;
        EXPECT_EQ(whole[i].input, text[i]);
    }
}

TEST(Prefill, admits_whom_expert_choice_does_wherever_the_text_begins) {
    const Stack stack = random_routed("*R", {1, 8});
    for (std::uint32_t start = 0; start < kVocabulary; ++start) {
        std::vector<std::uint32_t> text;
        for (std::uint32_t i = 0; i < kVocabulary; ++i) text.push_back((start + i) % kVocabulary);
        const auto steps = prefill(stack, text);
        Vector scores;
        for (const StackStep& step : steps) scores.push_back(*step.layers[1].score);
        const Admitted admitted = expert_choice(scores, {1, 8});
        for (std::size_t i = 0; i < text.size(); ++i)
            EXPECT_EQ(steps[i].layers[1].admitted, admitted[i]) << start << " + " << i;
    }
}

TEST(Prefill, of_equal_scores_admits_the_earlier_where_a_threshold_admits_all) {
    const Stack stack = random_routed("RR", {1, 2});
    const std::vector<std::uint32_t> text(5, 9);
    EXPECT_EQ(counts(prefill(stack, text)), (std::vector<std::size_t>{3, 3}));
    const auto steps = prefill(stack, text);
    for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(steps[i].layers[0].admitted, i < 3) << i;
    const auto decoded = read_tokens(stack, calibrated_thresholds(stack, text), text);
    EXPECT_EQ(counts(decoded)[0], 5U);
}

TEST(Calibration, makes_every_layer_admit_the_ceiling_of_its_capacity_of_the_text) {
    Stack stack = random_routed("*R*RS*R", {1, 2});
    const std::vector<Exact> capacities{{1, 8}, {13, 32}, {3, 4}};
    stack = with_capacities(stack, capacities);
    auto text = calibration_text(stack);
    text.resize(75);
    const auto steps = read_tokens(stack, calibrated_thresholds(stack, text), text);
    EXPECT_EQ(counts(steps), (std::vector<std::size_t>{10, 31, 57}));
}

TEST(Calibration, to_more_capacity_lowers_the_thresholds_and_changes_no_weight) {
    const Stack half = random_routed("*R*R", {1, 2});
    const std::vector<Exact> quarter{{1, 4}};
    Stack less = with_capacities(half, quarter);
    const auto text = calibration_text(half);
    EXPECT_GT(calibrated_thresholds(less, text)[0], calibrated_thresholds(half, text)[0]);
    EXPECT_EQ(std::get<RoutedLayer>(less.layers[1]).capacity, Exact(1, 4));
    EXPECT_EQ(std::get<RoutedLayer>(less.layers[3]).capacity, Exact(1, 4));
    const std::vector<Exact> before{{1, 2}};
    less = with_capacities(less, before);
    EXPECT_EQ(calibrated_thresholds(less, text), calibrated_thresholds(half, text));
}

TEST(Calibration, of_a_stack_without_routed_layers_is_empty) {
    const Stack stack = make_stack("dense", "random", 1);
    EXPECT_TRUE(calibrated_thresholds(stack, calibration_text(stack)).empty());
    const std::vector<Exact> half{{1, 2}};
    expect_refused([&] { with_capacities(stack, half); }, "no R layer");
    EXPECT_EQ(with_capacities(stack, {}).name, "dense");
}

TEST(CalibrationText, is_every_token_once_where_there_is_a_rule_and_else_256_drawn_ones) {
    EXPECT_EQ(calibration_text(make_stack("routed_C25", "structured", 5)),
              (std::vector<std::uint32_t>{0, 3, 2, 13, 4, 7, 6, 1, 8, 11, 10, 5, 12, 15, 14, 9}));
    const auto drawn = calibration_text(make_stack("routed_C25", "random", 5));
    EXPECT_EQ(drawn.size(), 256U);
    EXPECT_NE(drawn, calibration_text(make_stack("routed_C25", "random", 6)));
    for (std::uint32_t token = 0; token < kVocabulary; ++token)
        EXPECT_GE(std::count(drawn.begin(), drawn.end(), token), 4) << token;
}

TEST(Admission, a_score_at_the_threshold_is_admitted) {
    EXPECT_TRUE(admits(0.5, 0.5));
    EXPECT_TRUE(admits(0.75, 0.5));
    EXPECT_FALSE(admits(0.25, 0.5));
    EXPECT_TRUE(admits(-1e300, -std::numeric_limits<double>::infinity()));
}

}  // namespace
}  // namespace capra::stem
