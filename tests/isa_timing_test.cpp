// The cost polynomials give the reference profile's published cycles.
#include "isa/target.hpp"

#include <gtest/gtest.h>

namespace capra::isa {
namespace {

std::uint64_t cycles(const Instruction& insn) {
    return reference_target().unit_cycles(insn);
}

TEST(IsaTiming, one_tile_of_a_row_times_16_by_4_takes_6k_plus_14) {
    // K*M + K*N + K + M + N + M*N + 5 with M = 1, N = 4: K + 4K + K + 1 + 4 + 4 + 5.
    for (const std::uint32_t k : {1U, 16U, 32U, 256U})
        EXPECT_EQ(cycles({.op = Opcode::mm, .m = 1, .k = k, .n = 4}), 6 * k + 14);
}

TEST(IsaTiming, formulas_hold_at_their_published_points) {
    EXPECT_EQ(cycles({.op = Opcode::mm, .m = 2, .k = 32, .n = 4}), 243U);
    EXPECT_EQ(cycles({.op = Opcode::mm, .m = 1, .k = 1, .n = 1}), 11U);
    EXPECT_EQ(cycles({.op = Opcode::ld, .n = 256}), 265U);
    EXPECT_EQ(cycles({.op = Opcode::st, .n = 16}), 18U);
    EXPECT_EQ(cycles({.op = Opcode::rq, .n = 16}), 18U);
    EXPECT_EQ(cycles({.op = Opcode::vadd, .n = 16}), 34U);
    EXPECT_EQ(cycles({.op = Opcode::sm, .n = 8}), 63U);
    EXPECT_EQ(cycles({.op = Opcode::amax, .n = 4}), 7U);
    EXPECT_EQ(cycles({.op = Opcode::halt}), 0U);
}

TEST(IsaTiming, a_column_table_costs_a_second_read_an_element) {
    EXPECT_EQ(cycles({.op = Opcode::rqc, .n = 16, .cols = 4}), 34U);
    EXPECT_EQ(cycles({.op = Opcode::rqc, .n = 1, .cols = 16}), 4U);
    EXPECT_EQ(cycles({.op = Opcode::amaxc, .n = 4}), 11U);
}

TEST(IsaTiming, a_looked_up_element_costs_two_reads) {
    EXPECT_EQ(cycles({.op = Opcode::lut, .n = 1}), 4U);
    EXPECT_EQ(cycles({.op = Opcode::lut, .n = 16}), 34U);
}

TEST(IsaTiming, a_product_costs_two_reads_an_element_broadcast_or_not) {
    EXPECT_EQ(cycles({.op = Opcode::vmul, .n = 1}), 5U);
    EXPECT_EQ(cycles({.op = Opcode::vmul, .n = 16}), 35U);
    EXPECT_EQ(cycles({.op = Opcode::vmul, .n = 16, .bcast = 1}), 35U);
}

TEST(IsaTiming, every_winner_costs_a_pass_over_the_row) {
    EXPECT_EQ(cycles({.op = Opcode::topk, .k = 1, .n = 1}), 5U);
    EXPECT_EQ(cycles({.op = Opcode::topk, .k = 2, .n = 24}), 56U);
    EXPECT_EQ(cycles({.op = Opcode::topkc, .k = 1, .n = 1}), 6U);
    EXPECT_EQ(cycles({.op = Opcode::topkc, .k = 2, .n = 24}), 104U);
}

TEST(IsaTiming, an_indexed_row_costs_its_load_and_the_way_to_its_index) {
    EXPECT_EQ(cycles({.op = Opcode::ldx, .rows = 9, .n = 16}), 29U);
    EXPECT_EQ(cycles({.op = Opcode::ldx, .rows = 9, .n = 16, .wide = 1}), 29U);
    EXPECT_EQ(cycles({.op = Opcode::ldxw, .rows = 9, .n = 16}), 35U);
    EXPECT_EQ(reference_target().fault_cycles(Opcode::ldx), 4U);
    EXPECT_EQ(reference_target().fault_cycles(Opcode::ldxw), 10U);
    EXPECT_EQ(reference_target().fault_cycles(Opcode::ld), 0U);
}

TEST(IsaTiming, an_instruction_without_a_price_is_free) {
    Target target = reference_target();
    target.costs.clear();
    EXPECT_EQ(target.unit_cycles({.op = Opcode::ldx, .rows = 9, .n = 16}), 0U);
    EXPECT_EQ(target.fault_cycles(Opcode::ldx), 0U);
}

}  // namespace
}  // namespace capra::isa
