// How the chip is compared with double precision.
#include "stem/calibration.hpp"
#include "stem/quality.hpp"
#include "stem_support.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace capra::stem {
namespace {

/// A run in which the chip is double precision itself.
StackRun float_run(const Model& model, const Tokens& text) {
    StackRun run{.tokens = text};
    FloatStack decoder = model.decoder();
    for (const std::uint32_t token : text) run.steps.push_back(decoder.step(token));
    return run;
}

Agreement compare(const Model& model, const StackRun& run) {
    return compare_with_float(model.stack, model.thresholds, run);
}

TEST(Agreement, with_itself_is_complete) {
    for (const auto* decoder : {"routed_C50", "product_key", "hash", "top2"}) {
        const Model model(decoder, "random", 2);
        const auto agreement = compare(model, float_run(model, {3, 8, 8, 1, 12, 0}));
        EXPECT_EQ(agreement.logit_error.value, 0) << decoder;
        EXPECT_EQ(agreement.score_error.value, 0);
        EXPECT_EQ(agreement.score_error.undefined, 0U);
        EXPECT_EQ(agreement.tokens.same, 6U);
        EXPECT_EQ(agreement.tokens.all, 6U);
        for (const Share& share : {agreement.experts, agreement.admissions, agreement.rows})
            EXPECT_EQ(share.same, share.all);
        EXPECT_EQ(agreement.rows.all, decoder == std::string("product_key") ? 6U : 0U);
        EXPECT_EQ(agreement.admissions.all, decoder == std::string("routed_C50") ? 6U : 0U);
        EXPECT_EQ(agreement.experts.all > 0, decoder[0] == 'r' || decoder[0] == 't');
    }
}

TEST(Agreement, measures_logits_tokens_and_scores) {
    Stack stack = make_stack("routed_C50", "random", 2);
    auto& routed = std::get<RoutedLayer>(stack.layers[1]);
    routed.bias = 0.1;
    for (double& word : routed.score.values) word *= 0.01;
    const Model model(stack);
    auto run = float_run(model, {3, 8});
    for (double& logit : run.steps[1].logits) logit *= 1.5;
    run.steps[0].prediction ^= 1;
    const auto score = [&](std::size_t step) -> double& {
        return *run.steps[step].layers[1].score;
    };
    const double largest = std::max(std::abs(score(0)), std::abs(score(1)));
    score(0) += 0.25 * largest;
    const auto agreement = compare(model, run);
    EXPECT_NEAR(agreement.logit_error.value, 0.5, 1e-12);
    EXPECT_NEAR(agreement.mean_logit_error(), 0.25, 1e-12);
    EXPECT_NEAR(agreement.score_error.value, 0.25, 1e-12);
    EXPECT_EQ(agreement.tokens.same, 1U);
}

/// The experts of the first layer in the other order.
TEST(Agreement, lets_double_precision_do_what_the_chip_did) {
    const Model model(make_pattern_stack("E*S", "random", 2));
    FloatStack undisturbed = model.decoder();
    const Experts chosen = undisturbed.step(3).layers[0].experts;
    StackRun run{.tokens = {3, 8}};
    FloatStack other = model.decoder();
    run.steps.push_back(other.step(3, {{0, {.experts = {chosen[1], chosen[0]}}}}));
    run.steps.push_back(other.step(8));
    const auto agreement = compare(model, run);
    EXPECT_EQ(agreement.logit_error.value, 0);
    EXPECT_EQ(agreement.experts.same, 1U);
    EXPECT_EQ(agreement.experts.all, 2U);
}

TEST(Agreement, notices_another_admission_and_other_rows) {
    const Model routed("routed_C50", "random", 2);
    StackRun run{.tokens = {3}};
    FloatStack decoder = routed.decoder();
    const bool own = decoder.step(3).layers[1].admitted;
    decoder = routed.decoder();
    run.steps = {decoder.step(3, {{1, {.admitted = !own}}})};
    EXPECT_EQ(compare(routed, run).admissions.same, 0U);
    EXPECT_EQ(compare(routed, run).logit_error.value, 0);

    const Model keyed("product_key", "random", 2);
    FloatStack keys = keyed.decoder();
    run.steps = {keys.step(3, {{1, {.rows = {62, 63}}}})};
    EXPECT_EQ(compare(keyed, run).rows.same, 0U);
    EXPECT_EQ(compare(keyed, run).logit_error.value, 0);
}

TEST(Agreement, adds_up) {
    const Model model("routed_C50", "random", 2);
    auto run = float_run(model, {3, 8});
    for (double& logit : run.steps[1].logits) logit *= 1.5;
    Agreement sum = compare(model, run);
    sum += compare(model, float_run(model, {3, 8, 1}));
    EXPECT_EQ(sum.tokens.all, 5U);
    EXPECT_EQ(sum.admissions.all, 5U);
    EXPECT_NEAR(sum.logit_error.value, 0.5, 1e-12);
    EXPECT_NEAR(sum.mean_logit_error(), 0.1, 1e-12);
    for (const auto* decoder : {"top2", "product_key"}) {
        const Model other(decoder, "random", 2);
        sum += compare(other, float_run(other, {3, 8, 1}));
    }
    EXPECT_EQ(sum.tokens.same, 11U);
    EXPECT_EQ(sum.rows.all, 3U);
    EXPECT_GE(sum.experts.all, 3U);
    EXPECT_EQ(sum.score_error.value, 0);
    Agreement reversed = compare(model, float_run(model, {3, 8, 1}));
    reversed += compare(model, run);
    EXPECT_NEAR(reversed.logit_error.value, 0.5, 1e-12);
    EXPECT_NEAR(reversed.mean_logit_error(), 0.1, 1e-12);
    Agreement scored;
    scored.score_error.add(0.5);
    sum += scored;
    EXPECT_EQ(sum.score_error.value, 0.5);
}

TEST(Share, is_a_part_of_one) {
    EXPECT_EQ((Share{.same = 1, .all = 4}.value()), 0.25);
}

}  // namespace
}  // namespace capra::stem
