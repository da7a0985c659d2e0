// Stacks: the letters of their layers, the slots of bigrams.
#include "stem/stack.hpp"

#include <set>

#include <gtest/gtest.h>

namespace {

using namespace capra::stem;

TEST(Stack, pattern_names_each_kind_of_layer_by_its_letter) {
    const Stack stack{.name = "all",
                      .layers = {Attention{}, StemBlock{}, Moe{}, RoutedLayer{}, DenseBlock{}}};
    EXPECT_EQ(pattern_of(stack), "*SERD");
}

TEST(Stack, every_pair_of_tokens_has_a_slot_of_its_own_from_272_slots_on) {
    for (const std::uint32_t slots : {271U, 272U}) {
        std::set<std::uint32_t> seen;
        for (std::uint32_t previous = 0; previous <= kNoToken; ++previous)
            for (std::uint32_t token = 0; token < kVocabulary; ++token)
                seen.insert(bigram_slot(previous, token, slots));
        EXPECT_EQ(seen.size(), slots);
    }
    EXPECT_EQ(bigram_slot(3, 5, 272), 53U);
    EXPECT_EQ(bigram_slot(3, 5, 50), 3U);
}

}  // namespace
