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

TEST(Stack, tables_are_those_of_S_and_R_and_experts_those_of_E_and_R) {
    std::vector<Layer> layers{Attention{}, StemBlock{}, Moe{}, RoutedLayer{}, DenseBlock{}};
    EXPECT_EQ(table_of(layers[1]), &std::get<StemBlock>(layers[1]).table);
    EXPECT_EQ(table_of(layers[3]), &std::get<RoutedLayer>(layers[3]).table.table);
    EXPECT_EQ(moe_of(layers[2]), &std::get<Moe>(layers[2]));
    EXPECT_EQ(moe_of(layers[3]), &std::get<RoutedLayer>(layers[3]).moe);
    for (const std::size_t i : {0U, 2U, 4U}) EXPECT_EQ(table_of(layers[i]), nullptr) << i;
    for (const std::size_t i : {0U, 1U, 4U}) EXPECT_EQ(moe_of(layers[i]), nullptr) << i;
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
