// The float models against the figures of the chapter. Every figure is copied here, so that the
// project tests itself wherever it is cloned.
#include "isa/error.hpp"
#include "model/float_decoder.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <type_traits>

#include <gtest/gtest.h>

namespace capra::model {
namespace {

static_assert(!std::is_constructible_v<FloatDecoder, LanguageModel>,
              "a decoder would point into a model that is gone");

/// Rounded to this many decimals.
double rounded(double value, double unit) {
    return std::round(value / unit) * unit;
}

TEST(StructuredModel, router_scores_at_context_1_are_the_published_table) {
    constexpr std::array<std::array<double, 4>, 16> kTable = {{{1.99, -0.03, -0.06, -0.36},
                                                               {0.0, 1.58, -0.12, 0.14},
                                                               {0.34, -0.05, 1.64, -0.07},
                                                               {-0.16, -0.34, -0.12, 1.58},
                                                               {1.88, 0.44, -0.07, 0.15},
                                                               {0.16, 1.56, 0.07, -0.13},
                                                               {0.23, 0.14, 1.72, 0.1},
                                                               {0.16, 0.07, 0.32, 2.19},
                                                               {1.9, 0.06, 0.39, 0.18},
                                                               {0.25, 2.14, 0.05, 0.16},
                                                               {-0.04, 0.02, 2.01, -0.03},
                                                               {0.09, 0.07, -0.05, 1.92},
                                                               {1.89, -0.11, -0.47, 0.33},
                                                               {0.3, 1.77, -0.23, 0.27},
                                                               {-0.04, 0.13, 2.2, -0.1},
                                                               {-0.09, -0.08, 0.06, 2.04}}};
    const auto model = structured_model(1);
    for (std::uint32_t t = 0; t < kVocabulary; ++t) {
        const auto step = FloatDecoder(model).step(t);
        for (std::uint32_t e = 0; e < 4; ++e)
            EXPECT_NEAR(rounded(step.router[e], 0.01), kTable[t][e], 1e-9)
                << "token " << t << " expert " << e;
    }
}

TEST(StructuredModel, token_5_gives_the_published_logits_through_one_hidden_unit) {
    constexpr std::array<double, 16> kLogits = {-0.3, -0.2, 0.4, 0.2, 0.3, 0.0,  -0.5, -0.5,
                                                0.4,  -0.7, 0.2, 0.1, 7.9, -0.4, 0.1,  -0.4};
    const auto model = structured_model(1);
    const auto step = FloatDecoder(model).step(5);
    EXPECT_EQ(step.route, 1U);
    EXPECT_EQ(step.token, 12U);
    for (std::uint32_t j = 0; j < kVocabulary; ++j)
        EXPECT_NEAR(rounded(step.logits[j], 0.1), kLogits[j], 1e-9) << "logit " << j;
    for (std::uint32_t i = 0; i < kHidden; ++i) {
        if (i == 1)
            EXPECT_NEAR(rounded(step.hidden[i], 0.01), 3.80, 1e-9);
        else
            EXPECT_LE(step.hidden[i], 0.05) << "hidden unit " << i;
    }
}

class StructuredOfAnySize : public testing::TestWithParam<std::uint32_t> {};
INSTANTIATE_TEST_SUITE_P(Experts, StructuredOfAnySize, testing::Values(2U, 4U, 8U, 16U),
                         [](const auto& size) { return "E" + std::to_string(size.param); });

TEST_P(StructuredOfAnySize, every_token_goes_to_its_group_and_the_rule_holds) {
    const auto model = structured_model(1, kStructuredNoise, GetParam());
    for (std::uint32_t start = 0; start < kVocabulary; ++start)
        for (const auto& step : decode_greedily(model, start, 24)) {
            EXPECT_EQ(step.route, step.input % GetParam());
            EXPECT_EQ(step.token, (5 * step.input + 3) % 16);
        }
}

TEST_P(StructuredOfAnySize, each_wrong_expert_gives_a_wrong_token) {
    const auto model = structured_model(1, kStructuredNoise, GetParam());
    std::uint32_t wrong_choices = 0;
    for (std::uint32_t token = 0; token < kVocabulary; ++token)
        for (std::uint32_t e = 0; e < GetParam(); ++e) {
            if (e == token % GetParam()) continue;
            ++wrong_choices;
            EXPECT_NE(FloatDecoder(model).step(token, {e}).token, (5 * token + 3) % 16)
                << "token " << token << " expert " << e;
        }
    EXPECT_EQ(wrong_choices, 16 * (GetParam() - 1));  // 48 with four experts
}

TEST(StructuredModel, forced_experts_predict_what_the_chapter_prints) {
    const auto model = structured_model(1);
    constexpr std::array<std::uint32_t, 4> kToken5 = {5, 12, 5, 5};
    constexpr std::array<std::uint32_t, 4> kToken6 = {6, 6, 1, 6};
    for (std::uint32_t e = 0; e < 4; ++e) {
        EXPECT_EQ(FloatDecoder(model).step(5, {e}).token, kToken5[e]);
        EXPECT_EQ(FloatDecoder(model).step(6, {e}).token, kToken6[e]);
        EXPECT_EQ(FloatDecoder(model).step(6, {e}).route, 2U)
            << "forcing does not change the route";
    }
}

TEST(RandomModel, experts_chosen_and_margins_are_the_published_ones) {
    std::array<int, 4> chosen{};
    std::vector<double> margins;
    for (std::uint32_t seed = 1; seed <= 3; ++seed) {
        const auto model = random_model(seed);
        for (std::uint32_t start = 0; start < kVocabulary; ++start)
            for (const auto& step : decode_greedily(model, start, 12)) {
                ++chosen[step.route];
                margins.push_back(route_margin(step.router));
            }
    }
    EXPECT_EQ(chosen, (std::array<int, 4>{165, 107, 196, 108}));
    ASSERT_EQ(margins.size(), 576U);
    std::sort(margins.begin(), margins.end());
    EXPECT_NEAR(rounded((margins[287] + margins[288]) / 2, 0.01), 0.32, 1e-9);
    const auto share_under = [&](double bound) {
        const auto below = std::lower_bound(margins.begin(), margins.end(), bound);
        return 100.0 * static_cast<double>(below - margins.begin()) / 576;
    };
    EXPECT_NEAR(rounded(share_under(0.05), 0.1), 9.9, 1e-9);
    EXPECT_NEAR(rounded(share_under(0.15), 0.1), 25.9, 1e-9);
}

TEST(TinyModel, the_rule_holds_for_24_steps_from_every_start) {
    const auto model = tiny_model(1);
    EXPECT_FALSE(model.has_router());
    for (std::uint32_t start = 0; start < kVocabulary; ++start)
        for (const auto& step : decode_greedily(model, start, 24))
            EXPECT_EQ(step.token, (5 * step.input + 3) % 16);
}

TEST(TinyModel, its_block_perturbs_the_logits) {
    const auto model = tiny_model(1);
    auto without = model;
    for (double& value : without.w2[0].values) value = 0;
    const auto with_block = FloatDecoder(model).step(3).logits;
    const auto perturbation = relative_l2(FloatDecoder(without).step(3).logits, with_block);
    EXPECT_GT(perturbation, 0.02);
    EXPECT_LT(perturbation, 0.5);
}

/// x W. (rows) x (rows, cols) -> (cols)
Vector product(const Vector& x, const Matrix& w) {
    Vector result(w.cols);
    for (std::uint32_t j = 0; j < w.cols; ++j)
        for (std::uint32_t t = 0; t < w.rows; ++t) result[j] += x[t] * w.at(t, j);
    return result;
}

TEST(FloatDecoder, of_scores_further_apart_than_exp_can_hold_attention_takes_the_largest) {
    auto model = tiny_model(1);
    for (double& weight : model.wq.values) weight *= 1e6;
    FloatDecoder decoder(model);
    std::vector<FloatStep> run;
    for (const std::uint32_t token : {3U, 7U, 5U}) run.push_back(decoder.step(token));
    const Vector q = product(run.back().x, model.wq);
    Vector scores;
    for (const FloatStep& step : run)
        scores.push_back(kAttentionScale *
                         std::inner_product(q.begin(), q.end(), step.k.begin(), 0.0));
    const std::uint32_t best = argmax(scores);
    std::sort(scores.begin(), scores.end());
    ASSERT_GT(scores[2], 710) << "its exponential is infinite";
    ASSERT_GT(scores[2] - scores[1], 750) << "beside it the others vanish";
    const Vector projected = product(run[best].v, model.wo);
    for (std::uint32_t d = 0; d < kWidth; ++d)
        EXPECT_NEAR(run.back().h[d], run.back().x[d] + projected[d], 1e-12) << d;
}

TEST(LanguageModel, impossible_requests_are_refused_with_the_value) {
    EXPECT_THROW(structured_model(1, kStructuredNoise, 3), Error);
    EXPECT_THROW(random_model(1, 0), Error);
    EXPECT_THROW(random_model(1, 32), Error);
    EXPECT_THROW(make_model("large", 1, 4), Error);
    EXPECT_THROW(embedding(tiny_model(1), 16), Error);
    try {
        random_model(1, 6);
        FAIL() << "6 experts were accepted";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find('6'), std::string::npos);
    }
}

TEST(Argmax, the_lowest_index_wins_a_tie) {
    EXPECT_EQ(argmax({1, 3, 3}), 1U);
    EXPECT_EQ(argmax({-2, -2}), 0U);
    EXPECT_EQ(argmax({0, 1, 2}), 2U);
}

TEST(RelativeL2, is_the_norm_of_the_difference_over_the_norm_of_the_second) {
    EXPECT_DOUBLE_EQ(relative_l2({3, 5}, {3, 4}), 0.2);
    EXPECT_DOUBLE_EQ(relative_l2({3, 4}, {3, 4}), 0);
}

TEST(RouteMargin, is_the_lead_over_the_range) {
    EXPECT_DOUBLE_EQ(route_margin({1, 3, 2, -1}), 0.25);
    EXPECT_DOUBLE_EQ(route_margin({2, 2, 0}), 0);
    EXPECT_DOUBLE_EQ(route_margin({2, 2, 2}), 0);
}

TEST(RouteMargin, is_no_number_when_a_score_is_none) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const Vector& router : {Vector{nan, 3, 2}, Vector{3, nan, 2}, Vector{3, 2, nan}})
        EXPECT_TRUE(std::isnan(route_margin(router)));
    EXPECT_TRUE(std::isnan(route_margin({std::numeric_limits<double>::infinity(), 3, 2})));
}

}  // namespace
}  // namespace capra::model
