// The language models of the chapter: constructed weights, one attention head, feed-forward
// blocks (experts) of which a router picks one.
//
//     h = x + Attention(x)          one head, softmax over all cached positions, scale 1/sqrt(16)
//     r = h Wr                      router, one score per expert
//     e = argmax r                  the lowest index wins a tie
//     y = h + relu(h W1_e) W2_e
//     logits = y Wout
#pragma once

#include "compiler/graph.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace capra::model {

using compiler::Matrix;

inline constexpr std::uint32_t kVocabulary = 16;
inline constexpr std::uint32_t kWidth = 16;
inline constexpr std::uint32_t kHidden = 32;

/// 1/sqrt(kWidth), the factor on q K^T.
inline constexpr double kAttentionScale = 0.25;

inline constexpr double kStructuredNoise = 0.45;

enum class ModelKind : std::uint8_t {
    structured,  ///< follows the rule, but only with the right expert
    random,      ///< every weight drawn; the router spreads tokens unevenly
    tiny,        ///< one feed-forward block, no router; follows the rule
};

std::string_view kind_name(ModelKind kind);

struct LanguageModel {
    ModelKind kind = ModelKind::structured;
    std::uint32_t seed = 0;
    std::uint32_t experts = 0;
    Matrix emb{};                   // (kVocabulary, kWidth)
    Matrix wout{};                  // (kWidth, kVocabulary)
    Matrix wr{};                    // (kWidth, experts); empty in the tiny model
    std::vector<Matrix> w1{};       // experts x (kWidth, kHidden)
    std::vector<Matrix> w2{};       // experts x (kHidden, kWidth)
    Matrix wq{}, wk{}, wv{}, wo{};  // (kWidth, kWidth)

    [[nodiscard]] bool has_router() const { return wr.cols != 0; }
    /// Weights of all feed-forward blocks.
    [[nodiscard]] std::uint64_t feed_forward_weights() const {
        return std::uint64_t{experts} * 2 * kWidth * kHidden;
    }
};

/// The rule the structured and the tiny model follow: the token after `token`.
constexpr std::uint32_t successor(std::uint32_t token) {
    return (5 * token + 3) % kVocabulary;
}

/// The group, and so the expert, of a token.
constexpr std::uint32_t group_of(std::uint32_t token, std::uint32_t experts) {
    return token % experts;
}

/// Attention perturbs the hidden state (`noise` sets how much), the router reads the group, and
/// each expert rewrites only the tokens of its own group; a wrong expert predicts its input.
/// An Error unless `experts` is 2, 4, 8 or 16.
LanguageModel structured_model(std::uint32_t seed, double noise = kStructuredNoise,
                               std::uint32_t experts = 4);

/// Every weight normal; the same restriction on `experts`.
LanguageModel random_model(std::uint32_t seed, std::uint32_t experts = 4);

/// One small feed-forward block that only perturbs the logits; the output matrix carries the rule.
LanguageModel tiny_model(std::uint32_t seed);

/// A model by the name of its kind: "structured", "random" or "tiny" (which ignores `experts`).
/// An Error lists the names for an unknown one.
LanguageModel make_model(std::string_view kind, std::uint32_t seed, std::uint32_t experts);

/// The model with every weight of its router multiplied by `factor`: the same routes in real
/// numbers. An Error unless there is a router and the factor is positive and finite.
LanguageModel with_router_scale(LanguageModel model, double factor);

/// Row `token` of the embedding. (1, kWidth)
Matrix embedding(const LanguageModel& model, std::uint32_t token);

}  // namespace capra::model
