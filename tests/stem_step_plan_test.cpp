// A step is as many programs as it has decisions, plus one.
#include "stem/step_plan.hpp"
#include "stem_support.hpp"

#include <algorithm>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace capra::stem {
namespace {

using Kind = Cut::Kind;

std::vector<model::Exact> half() {
    return {model::Exact(1, 2)};
}

StepPlan plan_of(std::string_view decoder, Dispatch dispatch = Dispatch::host) {
    return {make_stack(decoder, "random", 1), dispatch};
}

StepPlan pattern(std::string_view letters, Dispatch dispatch = Dispatch::host) {
    const bool routed = letters.find('R') != std::string_view::npos;
    const auto capacities = routed ? half() : std::vector<model::Exact>{};
    return {make_pattern_stack(letters, "random", 1, capacities), dispatch};
}

TEST(StepPlan, cuts_only_where_a_tokens_own_state_decides) {
    for (const auto* whole :
         {"dense", "stem_mult", "stem_add", "stem_dagger", "stem_gate", "hash", "bigram", "split"})
        EXPECT_TRUE(plan_of(whole).cuts().empty()) << whole;
    EXPECT_EQ(plan_of("on_chip").cuts(), (std::vector<Cut>{{Kind::expert, 1, 0}}));
    EXPECT_EQ(plan_of("top2").cuts(),
              (std::vector<Cut>{{Kind::expert, 1, 0}, {Kind::expert, 1, 1}}));
    EXPECT_EQ(plan_of("product_key").cuts(), (std::vector<Cut>{{Kind::rows, 1, 0}}));
    EXPECT_EQ(plan_of("routed_C50").cuts(),
              (std::vector<Cut>{{Kind::admission, 1, 0}, {Kind::expert, 1, 1}}));
}

TEST(StepPlan, dispatch_on_the_chip_takes_away_the_cuts_of_expert_layers_alone) {
    EXPECT_TRUE(plan_of("on_chip", Dispatch::on_chip).cuts().empty());
    EXPECT_TRUE(plan_of("top2", Dispatch::on_chip).cuts().empty());
    EXPECT_EQ(plan_of("routed_C50", Dispatch::on_chip).cuts(), plan_of("routed_C50").cuts());
    EXPECT_EQ(plan_of("product_key", Dispatch::on_chip).cuts(), plan_of("product_key").cuts());
}

TEST(StepPlan, a_skip_ends_at_the_decision_behind_its_layer_even_if_that_has_one_expert) {
    Stack stack = make_pattern_stack("*R*R", "random", 1, half());
    for (Layer& layer : stack.layers)
        if (auto* routed = std::get_if<RoutedLayer>(&layer)) routed->moe.top = 1;
    const StepPlan plan(stack, Dispatch::host);
    ASSERT_EQ(plan.cuts().size(), 2U);
    EXPECT_EQ(plan.end(1, kSkip), 1U);
    EXPECT_EQ(plan.end(2, kSkip), std::nullopt);
}

TEST(StepPlan, cuts_the_rows_of_a_routed_layer_before_its_admission) {
    Stack stack = make_stack("routed_C50", "random", 1);
    const Stack keyed = make_stack("product_key", "random", 1);
    std::get<RoutedLayer>(stack.layers[1]).table = std::get<StemBlock>(keyed.layers[1]);
    const StepPlan plan(stack, Dispatch::host);
    EXPECT_EQ(plan.cuts(), (std::vector<Cut>{
                               {Kind::rows, 1, 0}, {Kind::admission, 1, 0}, {Kind::expert, 1, 1}}));
    EXPECT_EQ(plan.segment(1, 0, {0, 0}, 7).context, 0U);
}

TEST(StepPlan, goes_on_to_the_next_decision_or_when_not_admitted_to_one_of_a_later_layer) {
    const StepPlan plan = pattern("*R*E");  // cuts: 1 admission, 1 expert, 3 expert, 3 expert
    ASSERT_EQ(plan.cuts().size(), 4U);
    EXPECT_EQ(plan.end(0, 0), 0U);
    EXPECT_EQ(plan.end(1, 2), 1U);
    EXPECT_EQ(plan.end(1, kSkip), 2U);
    EXPECT_EQ(plan.end(2, 2), 2U);
    EXPECT_EQ(plan.end(3, 2), 3U);
    EXPECT_EQ(plan.end(4, 2), std::nullopt);
    EXPECT_EQ(pattern("*E*R").end(3, kSkip), std::nullopt);
}

TEST(StepPlan, gives_a_segment_a_context_only_if_attention_lies_inside) {
    const StepPlan plan = pattern("*R*E");
    EXPECT_EQ(plan.segment(0, 0, {}, 5).context, 5U);
    EXPECT_EQ(plan.segment(1, 2, {}, 5).context, 0U);  // another decision of the same layer follows
    EXPECT_EQ(plan.segment(1, kSkip, {}, 5).context, 5U);
    EXPECT_EQ(plan.segment(2, 2, {}, 5).context, 5U);
    EXPECT_EQ(plan.segment(3, 2, {}, 5).context, 0U);
    EXPECT_EQ(plan.segment(4, 2, {}, 5).context, 0U);
    EXPECT_EQ(pattern("E*").segment(0, 0, {}, 5).context, 0U);
    EXPECT_EQ(pattern("E*").segment(2, 0, {}, 5).context, 5U);
}

TEST(StepPlan, names_the_experts_of_hash_layers_inside_a_segment) {
    Stack stack = make_stack("hash", "random", 1);
    stack.layers.push_back(make_stack("on_chip", "random", 1).layers[1]);
    stack.layers.push_back(stack.layers[1]);
    const StepPlan plan(stack, Dispatch::host);
    const Experts by_layer = plan.hashed(5);
    const std::uint32_t expert = std::get<Moe>(stack.layers[1]).hash[5];
    EXPECT_EQ(by_layer, (Experts{0, expert, 0, expert}));
    EXPECT_EQ(plan.segment(0, 0, {0, 3, 0, 2}, 1).hashed, Experts{3});
    EXPECT_EQ(plan.segment(1, 0, {0, 3, 0, 2}, 1).hashed, Experts{2});
}

TEST(StepPlan, offers_every_expert_and_where_a_token_is_admitted_none) {
    const StepPlan plan = plan_of("routed_C50");
    EXPECT_EQ(plan.choices(0), std::vector<std::uint32_t>{0});
    EXPECT_EQ(plan.choices(1), (std::vector<std::uint32_t>{0, 1, 2, 3, kSkip}));
    EXPECT_EQ(plan.choices(2), (std::vector<std::uint32_t>{0, 1, 2, 3}));
    EXPECT_EQ(plan_of("product_key").choices(1), std::vector<std::uint32_t>{0});
}

TEST(StepPlan, knows_the_alternatives_at_a_decision_whatever_the_token) {
    const StepPlan plan = plan_of("routed_C50");
    EXPECT_EQ(plan.alternatives(0, 7), std::vector<Segment>{{.context = 7}});
    EXPECT_EQ(plan.alternatives(2, 7), (std::vector<Segment>{{.start = 2, .choice = 0},
                                                             {.start = 2, .choice = 1},
                                                             {.start = 2, .choice = 2},
                                                             {.start = 2, .choice = 3}}));
    EXPECT_EQ(plan.alternatives(1, 7).size(), 5U);
    EXPECT_EQ(plan.alternatives(1, 7).back(), (Segment{.start = 1, .choice = kSkip}));
    EXPECT_EQ(plan_of("hash").alternatives(0, 7),
              (std::vector<Segment>{{.hashed = {0}, .context = 7},
                                    {.hashed = {1}, .context = 7},
                                    {.hashed = {2}, .context = 7},
                                    {.hashed = {3}, .context = 7}}));
}

TEST(StepPlan, knows_the_alternatives_of_the_first_token_and_of_the_last) {
    Stack stack = make_stack("hash", "random", 1);
    auto& hash = std::get<Moe>(stack.layers[1]).hash;
    std::fill(hash.begin(), hash.end(), 1);
    hash.front() = 0;
    hash.back() = 3;
    EXPECT_EQ(StepPlan(stack, Dispatch::host).alternatives(0, 1),
              (std::vector<Segment>{{.hashed = {0}, .context = 1},
                                    {.hashed = {1}, .context = 1},
                                    {.hashed = {3}, .context = 1}}));
}

TEST(StepPlan, lists_each_program_of_a_decode_once) {
    EXPECT_EQ(plan_of("dense").segments(24).size(), 24U);
    EXPECT_EQ(plan_of("hash").segments(24).size(), 24U * 4);
    EXPECT_EQ(plan_of("on_chip").segments(24).size(), 24U + 4);
    EXPECT_EQ(plan_of("on_chip", Dispatch::on_chip).segments(24).size(), 24U);
    EXPECT_EQ(plan_of("top2").segments(24).size(), 24U + 4 + 4);
    EXPECT_EQ(plan_of("routed_C50").segments(3).size(), 3U + 5 + 4);
    EXPECT_EQ(plan_of("product_key").segments(3).size(), 3U + 1);
    EXPECT_EQ(pattern("*R*R").segments(3).size(), 3U + (4 + 3) + 4 * 3 + 5 + 4);
}

TEST(StepPlan, names_each_program_differently) {
    for (const StepPlan& plan : {pattern("*R*E*S"), plan_of("hash"), plan_of("product_key")}) {
        std::set<std::string> names;
        const auto segments = plan.segments(3);
        for (const Segment& segment : segments) names.insert(plan.name(segment));
        EXPECT_EQ(names.size(), segments.size());
    }
    const StepPlan plan = pattern("*R*E");
    EXPECT_EQ(plan.name(plan.segment(0, 0, {}, 5)), "step_T5");
    EXPECT_EQ(plan.name(plan.segment(1, 2, {}, 5)), "l1_e2");
    EXPECT_EQ(plan.name(plan.segment(1, kSkip, {}, 5)), "l1_skip_T5");
    EXPECT_EQ(plan.name(plan.segment(2, 3, {}, 5)), "l1_e3_rank1_T5");
    EXPECT_EQ(plan.name(plan.segment(4, 0, {}, 5)), "l3_e0_rank1");
    const StepPlan hash = plan_of("hash");
    EXPECT_EQ(hash.name(hash.segment(0, 0, {0, 3}, 2)), "step_h3_T2");
    const StepPlan keyed = plan_of("product_key");
    EXPECT_EQ(keyed.name(keyed.segment(1, 0, {}, 2)), "l1_rows");
}

TEST(Dispatch, has_a_name) {
    EXPECT_EQ(dispatch_name(Dispatch::on_chip), "on-chip");
    EXPECT_EQ(dispatch_name(Dispatch::host), "host");
}

}  // namespace
}  // namespace capra::stem
