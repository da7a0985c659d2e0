// Stacks in double precision, one token at a time with the keys and values of every attention layer
// cached: the reference the chip is judged by. It shares no code with the graphs that are compiled.
#pragma once

#include "stem/float_layers.hpp"
#include "stem/override.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace capra::stem {

/// What a stack computes for one token.
struct StackStep {
    std::uint32_t input = 0;           ///< the token read
    std::vector<LayerTrace> layers{};  ///< one a layer
    Vector h{};                        ///< the state after the last layer. (kWidth)
    Vector logits{};                   ///< (kVocabulary)
    std::uint32_t prediction = 0;      ///< the highest logit's token, the lowest on a tie
};

class FloatStack {
  public:
    /// `thresholds` are those of the routed layers, in order: a layer admits a token whose score is
    /// not below its own. An Error unless there is one for each. The stack must outlive this.
    explicit FloatStack(const Stack& stack, const Vector& thresholds = {});

    /// Reads a token and predicts the next one. An Error names a token outside the vocabulary and
    /// an override that does not fit its layer; nothing is read then.
    StackStep step(std::uint32_t token, const Overrides& overrides = {});

  private:
    struct Place {
        double threshold = 0;   // of a routed layer
        KeyValueCache cache{};  // of an attention layer
    };
    static Vector layer_output(const Layer& layer, Place& place, Passage& passage);

    const Stack* stack_;
    std::vector<Place> places_;  // one a layer
    std::uint32_t previous_ = kNoToken;
};

/// The steps that read these tokens in turn.
std::vector<StackStep> read_tokens(const Stack& stack, const Vector& thresholds,
                                   std::span<const std::uint32_t> tokens);

/// `steps` steps from `start`, each reading the token predicted before it.
std::vector<StackStep> decode_greedily(const Stack& stack, const Vector& thresholds,
                                       std::uint32_t start, std::uint32_t steps);

}  // namespace capra::stem
