// What is called proved is equal, and what differs is not proved.
#include "isa/files.hpp"
#include "mutation/miter.hpp"

#include <gtest/gtest.h>

#include <string>

namespace capra::mutation {
namespace {

const std::string kSource = CAPRA_SOURCE;

/// The only place where `original` is, changed.
Mutant change(const std::string& file, const std::string& original,
              const std::string& replacement) {
    const std::string text = read_file(kSource + "/" + file);
    const std::size_t begin = text.find(original);
    EXPECT_NE(begin, std::string::npos) << original;
    EXPECT_EQ(text.find(original, begin + 1), std::string::npos) << original;
    return {.file = file,
            .begin = begin,
            .end = begin + original.size(),
            .original = original,
            .replacement = replacement};
}

TEST(MutationMiter, equal_logic_is_proved) {
    EXPECT_TRUE(
        proves_equal(kSource, change("rtl/requant.v", "negative && relu_i", "relu_i && negative")));
}

TEST(MutationMiter, an_equal_next_state_is_proved_through_memories_and_instances) {
    EXPECT_TRUE(proves_equal(
        kSource, change("rtl/ram_1r1w.v", "we_i && waddr_i <= LAST", "waddr_i <= LAST && we_i")));
    EXPECT_TRUE(proves_equal(kSource, change("rtl/rq_unit.v", "rst_i || start_i || busy_q",
                                             "busy_q || rst_i || start_i")));
}

TEST(MutationMiter, another_output_is_not_proved) {
    EXPECT_FALSE(
        proves_equal(kSource, change("rtl/requant.v", "negative && relu_i", "negative || relu_i")));
}

TEST(MutationMiter, another_next_state_is_not_proved) {
    EXPECT_FALSE(proves_equal(
        kSource, change("rtl/requant.v", "if (valid_i) prod_q <=", "if (!valid_i) prod_q <=")));
}

TEST(MutationMiter, another_input_of_an_instance_is_not_proved) {
    EXPECT_FALSE(
        proves_equal(kSource, change("rtl/rq_unit.v", ".valid_i(vld_q)", ".valid_i(ask_q)")));
}

TEST(MutationMiter, a_latch_is_not_proved) {
    EXPECT_FALSE(proves_equal(kSource, change("rtl/dma_unit.v", "    state_d = state_q;\n", "\n")));
}

}  // namespace
}  // namespace capra::mutation
