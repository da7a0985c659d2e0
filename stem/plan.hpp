// What a stack consists of before it has weights: structured and random stacks are built from the
// same plans.
#pragma once

#include "stem/stack.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace capra::stem {

inline constexpr std::uint32_t kExperts = 4;
inline constexpr std::uint32_t kBigramSlots = kVocabulary * (kVocabulary + 1);  ///< one a pair
inline constexpr std::uint32_t kSubKeys = 8;      ///< in each of the two sets
inline constexpr std::uint32_t kQueryHalf = 8;    ///< words of a sub-key
inline constexpr std::uint32_t kSplitWords = 16;  ///< of either part of a split row

/// How a token finds its row.
enum class Address : std::uint8_t { token, bigram, token_and_bigram, product_key };

struct LayerPlan {
    char letter = '*';                          ///< of model::kLayerLetters
    Combine combine = Combine::multiplicative;  ///< S
    Address address = Address::token;           ///< S
    std::uint32_t top = 2;                      ///< E and R
    bool shared = false;                        ///< E
    bool hash = false;                          ///< E: the hash in place of a router; top 1
    model::Exact capacity{1, 2};                ///< R
};

struct StackPlan {
    std::string name;
    Rule rule = Rule::successor;  ///< of the structured stack
    std::vector<LayerPlan> layers;
};

/// The names `decoder_plan` knows, as users write them.
std::vector<std::string_view> decoder_names();

/// One attention and one feed-forward layer. An Error lists the names for an unknown one.
StackPlan decoder_plan(std::string_view decoder);

/// One layer a letter: S multiplicative, E of the two best experts and a shared one, R additive
/// with the two best experts. Named after the pattern. Errors as model::check_layers.
StackPlan pattern_plan(std::string_view pattern, std::span<const model::Exact> capacities);

}  // namespace capra::stem
