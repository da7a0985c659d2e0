// Targets: what they may cost, and which there are.
#include "isa/target.hpp"

#include "isa/error.hpp"

#include <gtest/gtest.h>

namespace capra::isa {
namespace {

using I = Instruction;

/// The reference profile where an opcode costs these terms instead.
bool accepts(Opcode op, std::vector<CostTerm> terms) {
    Target target = reference_target();
    for (OpcodeCost& cost : target.costs)
        if (cost.op == op) cost.terms = std::move(terms);
    try {
        (void)target.validate();
    } catch (const Error&) {
        return false;
    }
    return true;
}

/// The machine of the published figures.
TEST(IsaTarget, the_reference_profile_has_the_published_sizes) {
    const Target target = reference_target(5000);
    EXPECT_EQ(target.spad_bytes, 8192U);
    EXPECT_EQ(target.acc_words, 1024U);
    EXPECT_EQ(target.prog_words, 1024U);
    EXPECT_EQ(target.ext_words, 5000U);
    EXPECT_EQ(target.tile_rows, 4U);
    EXPECT_EQ(target.tile_cols, 4U);
    EXPECT_EQ(target.tile_depth, 256U);
    EXPECT_EQ(target.softmax_max, 256U);
    EXPECT_EQ(target.argmax_max, 128U);
    EXPECT_EQ(target.ext_latency_cycles, 8U);
}

TEST(IsaTarget, what_an_opcode_can_cost_is_bounded_at_the_limits_of_its_fields) {
    // 2^32 - 1 = 256 * 16777215 + 255 = 128 * 33554431 + 127 = 4 * 1073741823 + 3.
    EXPECT_TRUE(accepts(Opcode::mm, {{16777215, &I::k}, {255}}));
    EXPECT_FALSE(accepts(Opcode::mm, {{16777215, &I::k}, {256}}));
    EXPECT_TRUE(accepts(Opcode::sm, {{16777215, &I::n}, {255}}));
    EXPECT_FALSE(accepts(Opcode::sm, {{16777215, &I::n}, {256}}));
    EXPECT_TRUE(accepts(Opcode::amax, {{33554431, &I::n}, {127}}));
    EXPECT_FALSE(accepts(Opcode::amax, {{33554431, &I::n}, {128}}));
    for (const Field field : {&I::m, &I::n}) {
        EXPECT_TRUE(accepts(Opcode::mm, {{1073741823, field}, {3}}));
        EXPECT_FALSE(accepts(Opcode::mm, {{1073741823, field}, {4}}));
    }
    // bt, the first field of MM, is at most 1.
    EXPECT_TRUE(accepts(Opcode::mm, {{0xffffffff, &I::bt}}));
    EXPECT_FALSE(accepts(Opcode::mm, {{0xffffffff, &I::bt}, {1}}));
}

TEST(IsaTarget, a_cost_term_over_a_field_that_the_opcode_lacks_costs_nothing) {
    EXPECT_TRUE(accepts(Opcode::ld, {{0xffffffff}, {1, &I::k}}));
    EXPECT_FALSE(accepts(Opcode::ld, {{0xffffffff}, {1, &I::n}}));
}

TEST(IsaTarget, the_reference_profile_is_found_by_its_name_alone) {
    EXPECT_EQ(target_by_name("reference").ext_words, 8192U);
    EXPECT_EQ(target_by_name("reference", 300).ext_words, 300U);
    EXPECT_EQ(target_by_name("reference", 300).name, "reference");
    try {
        target_by_name("referenc");
        FAIL();
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "unknown target 'referenc': the targets are: reference");
    }
}

}  // namespace
}  // namespace capra::isa
