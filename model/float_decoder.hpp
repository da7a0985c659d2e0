// The models in double precision, one token at a time with a key and value cache: the reference
// the chip is judged by. It shares no code with the graphs that are compiled.
#pragma once

#include "model/language_model.hpp"
#include "model/routing.hpp"
#include "model/vectors.hpp"

#include <cstdint>
#include <vector>

namespace capra::model {

/// Everything one decode step computes.
struct FloatStep {
    std::uint32_t input = 0;    ///< the token read
    Vector x{}, k{}, v{}, h{};  // (kWidth)
    Vector router{};            // (experts); empty in a model without router
    Vector hidden{};            // (kHidden), of the last expert that ran
    Vector logits{};            // (kVocabulary)
    std::uint32_t route = 0;    ///< the router's first choice
    Experts experts{};          ///< that ran: the router's choice unless others were forced
    /// [i]: h plus the outputs of the first i + 1 experts that ran. (experts) x (kWidth)
    std::vector<Vector> sums{};
    std::uint32_t token = 0;  ///< the prediction
};

class FloatDecoder {
  public:
    /// A token goes to the `top` best experts, whose outputs are added without weights.
    explicit FloatDecoder(const LanguageModel& model, std::uint32_t top = 1)
        : model_(&model), top_(top) {}

    /// Reads a token and predicts the next one.
    FloatStep step(std::uint32_t token);
    /// The same with these experts, whatever the router says; with none, y = h.
    FloatStep step(std::uint32_t token, const Experts& forced);

    /// Cached positions so far. (steps, kWidth)
    [[nodiscard]] const Matrix& keys() const { return keys_; }
    [[nodiscard]] const Matrix& values() const { return values_; }

  private:
    [[nodiscard]] Vector attention(const Vector& x) const;
    FloatStep attend(std::uint32_t token);
    void run_experts(FloatStep& s, const Experts& experts) const;

    const LanguageModel* model_;
    std::uint32_t top_;
    Matrix keys_{0, kWidth, {}};
    Matrix values_{0, kWidth, {}};
};

/// `steps` steps from `start`, each reading the token predicted before it.
std::vector<FloatStep> decode_greedily(const LanguageModel& model, std::uint32_t start,
                                       std::uint32_t steps, std::uint32_t top = 1);

/// How clear a route is: (top1 - top2) / (top1 - min) of the router scores, 0 for a tie. NaN if
/// a score is not finite.
double route_margin(const Vector& router);

/// ||a - b|| / ||b||; NaN or infinite if a value is not finite or b is zero.
double relative_l2(const Vector& a, const Vector& b);

}  // namespace capra::model
