#include "model/language_model.hpp"

#include "isa/error.hpp"
#include "model/py_random.hpp"

#include <bit>
#include <cmath>

#include <fmt/core.h>

namespace capra::model {
namespace {

constexpr double kExpertNoise = 0.02;   // sd of the entries an expert does not use
constexpr double kDetectorGain = 4.0;   // column of W1_e: how strongly a token fires its unit
constexpr double kRouterGain = 2.0;     // column of Wr
constexpr double kLogitGain = 8.0;      // column of Wout
constexpr double kTinyHiddenSd = 0.25;  // the tiny model's block: enough to perturb the logits,
constexpr double kTinyOutputSd = 0.05;  // too little to change which one is largest

/// Drawn row by row. (rows, cols)
Matrix drawn(PyRandom& rng, std::uint32_t rows, std::uint32_t cols, double sd) {
    Matrix m{rows, cols, std::vector<double>(std::size_t{rows} * cols)};
    for (double& value : m.values) value = rng.gauss(sd);
    return m;
}

void draw_attention(PyRandom& rng, LanguageModel& model, double sd) {
    for (Matrix* m : {&model.wq, &model.wk, &model.wv, &model.wo})
        *m = drawn(rng, kWidth, kWidth, sd);
}

/// Rows of the Sylvester Hadamard matrix of order 16, divided by 4: orthonormal.
Matrix hadamard_embedding() {
    Matrix m{kVocabulary, kWidth, std::vector<double>(std::size_t{kVocabulary} * kWidth)};
    for (std::uint32_t t = 0; t < kVocabulary; ++t)
        for (std::uint32_t d = 0; d < kWidth; ++d)
            m.at(t, d) = std::popcount(t & d) % 2 == 0 ? 0.25 : -0.25;
    return m;
}

void check_experts(std::uint32_t experts) {
    if (experts < 2 || experts > kVocabulary || !std::has_single_bit(experts))
        throw Error(fmt::format("model: experts must be 2, 4, 8 or 16, not {}", experts));
}

/// Expert e's j-th token fires hidden unit j, which replaces the token's embedding by its
/// successor's.
void teach_expert(LanguageModel& model, std::uint32_t e) {
    for (std::uint32_t j = 0; j * model.experts + e < kVocabulary; ++j) {
        const std::uint32_t token = j * model.experts + e;
        for (std::uint32_t d = 0; d < kWidth; ++d) {
            model.w1[e].at(d, j) = kDetectorGain * model.emb.at(token, d);
            model.w2[e].at(j, d) =
                (model.emb.at(successor(token), d) - model.emb.at(token, d)) / kDetectorGain;
        }
    }
}

/// Column e: the sum of the embeddings of group e. (kWidth, experts)
Matrix group_router(const LanguageModel& model) {
    Matrix wr{kWidth, model.experts, std::vector<double>(std::size_t{kWidth} * model.experts)};
    for (std::uint32_t t = 0; t < kVocabulary; ++t)
        for (std::uint32_t d = 0; d < kWidth; ++d)
            wr.at(d, group_of(t, model.experts)) += kRouterGain * model.emb.at(t, d);
    return wr;
}

}  // namespace

std::string_view kind_name(ModelKind kind) {
    switch (kind) {
        case ModelKind::structured:
            return "structured";
        case ModelKind::random:
            return "random";
        case ModelKind::tiny:
            return "tiny";
    }
    return "?";
}

LanguageModel structured_model(std::uint32_t seed, double noise, std::uint32_t experts) {
    check_experts(experts);
    PyRandom rng(seed);
    LanguageModel model{.kind = ModelKind::structured, .seed = seed, .experts = experts};
    model.emb = hadamard_embedding();
    for (std::uint32_t e = 0; e < experts; ++e) {
        model.w1.push_back(drawn(rng, kWidth, kHidden, kExpertNoise));
        model.w2.push_back(drawn(rng, kHidden, kWidth, kExpertNoise));
        teach_expert(model, e);
    }
    draw_attention(rng, model, noise / 4);
    model.wr = group_router(model);
    model.wout = Matrix{kWidth, kVocabulary, std::vector<double>(model.emb.values.size())};
    for (std::uint32_t d = 0; d < kWidth; ++d)
        for (std::uint32_t t = 0; t < kVocabulary; ++t)
            model.wout.at(d, t) = kLogitGain * model.emb.at(t, d);
    return model;
}

LanguageModel random_model(std::uint32_t seed, std::uint32_t experts) {
    check_experts(experts);
    PyRandom rng(seed);
    LanguageModel model{.kind = ModelKind::random, .seed = seed, .experts = experts};
    model.emb = drawn(rng, kVocabulary, kWidth, 1.0);
    for (double& value : model.emb.values) value /= 4;
    model.wout = drawn(rng, kWidth, kVocabulary, 0.25);
    model.wr = drawn(rng, kWidth, experts, 1.0);
    for (std::uint32_t e = 0; e < experts; ++e) {
        model.w1.push_back(drawn(rng, kWidth, kHidden, 0.25));
        model.w2.push_back(drawn(rng, kHidden, kWidth, 1 / std::sqrt(double{kHidden})));
    }
    draw_attention(rng, model, 0.25);
    return model;
}

LanguageModel tiny_model(std::uint32_t seed) {
    PyRandom rng(seed);
    LanguageModel model{.kind = ModelKind::tiny, .seed = seed, .experts = 1};
    model.emb = hadamard_embedding();
    model.w1.push_back(drawn(rng, kWidth, kHidden, kTinyHiddenSd));
    model.w2.push_back(drawn(rng, kHidden, kWidth, kTinyOutputSd));
    draw_attention(rng, model, kStructuredNoise / 4);
    model.wout = Matrix{kWidth, kVocabulary, std::vector<double>(model.emb.values.size())};
    for (std::uint32_t d = 0; d < kWidth; ++d)
        for (std::uint32_t t = 0; t < kVocabulary; ++t)
            model.wout.at(d, successor(t)) = kLogitGain * model.emb.at(t, d);
    return model;
}

LanguageModel make_model(std::string_view kind, std::uint32_t seed, std::uint32_t experts) {
    if (kind == "structured") return structured_model(seed, kStructuredNoise, experts);
    if (kind == "random") return random_model(seed, experts);
    if (kind == "tiny") return tiny_model(seed);
    throw Error(fmt::format("model: no kind '{}'; there are structured, random, tiny", kind));
}

LanguageModel with_router_scale(LanguageModel model, double factor) {
    if (!model.has_router())
        throw Error(fmt::format("model: the {} model has no router", kind_name(model.kind)));
    if (!std::isfinite(factor) || factor <= 0)
        throw Error(fmt::format("model: the router's scale must be positive, not {}", factor));
    for (double& weight : model.wr.values) weight *= factor;
    return model;
}

Matrix embedding(const LanguageModel& model, std::uint32_t token) {
    if (token >= kVocabulary)
        throw Error(fmt::format("model: token {} is outside 0..{}", token, kVocabulary - 1));
    const auto first = model.emb.values.begin() + std::ptrdiff_t{token} * kWidth;
    return {1, kWidth, std::vector<double>(first, first + kWidth)};
}

}  // namespace capra::model
