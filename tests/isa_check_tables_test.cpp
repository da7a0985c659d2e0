// Legality of what tables, gates and routes need, each trap at its exact boundary.
#include "isa/check.hpp"
#include "isa/codec.hpp"

#include <gtest/gtest.h>

#include <tuple>

namespace capra::isa {
namespace {

Trap trap(const Instruction& insn) {
    static const Target reference = reference_target();
    return check_word(encode(insn), reference);
}

TEST(IsaCheck, a_looked_up_stream_may_overlap_its_source_from_behind_and_its_table_not_at_all) {
    const auto lut = [](std::uint32_t d, std::uint32_t a, std::uint32_t b) {
        return trap({.op = Opcode::lut, .d = d, .a = a, .b = b, .n = 5});
    };
    EXPECT_EQ(lut(8187, 0, 100), Trap::none);
    EXPECT_EQ(lut(8188, 0, 100), Trap::spad_range);
    EXPECT_EQ(lut(0, 8187, 100), Trap::none);
    EXPECT_EQ(lut(0, 8188, 100), Trap::spad_range);
    EXPECT_EQ(lut(0, 0, 7936), Trap::none);
    EXPECT_EQ(lut(0, 0, 7937), Trap::spad_range);
    EXPECT_EQ(lut(50, 50, 100), Trap::none);
    EXPECT_EQ(lut(51, 50, 100), Trap::overlap);
    EXPECT_EQ(lut(54, 50, 100), Trap::overlap);
    EXPECT_EQ(lut(55, 50, 100), Trap::none);
    EXPECT_EQ(lut(95, 50, 100), Trap::none);
    EXPECT_EQ(lut(96, 50, 100), Trap::overlap);
    EXPECT_EQ(lut(355, 50, 100), Trap::overlap);
    EXPECT_EQ(lut(356, 50, 100), Trap::none);
    EXPECT_EQ(lut(0, 101, 100), Trap::none) << "a table may be looked up in itself";
    EXPECT_EQ(trap({.op = Opcode::lut, .b = 100, .n = 0}), Trap::field_range);
}

TEST(IsaCheck, a_broadcast_cell_is_one_and_may_not_be_overwritten) {
    const auto vmul = [](std::uint32_t bcast, std::uint32_t d, std::uint32_t a, std::uint32_t b) {
        return trap({.op = Opcode::vmul, .d = d, .a = a, .b = b, .n = 4, .bcast = bcast});
    };
    EXPECT_EQ(vmul(0, 0, 100, 8188), Trap::none);
    EXPECT_EQ(vmul(0, 0, 100, 8189), Trap::spad_range);
    EXPECT_EQ(vmul(1, 0, 100, 8191), Trap::none);
    EXPECT_EQ(vmul(1, 0, 100, 8192), Trap::spad_range);
    EXPECT_EQ(vmul(0, 0, 8189, 100), Trap::spad_range);
    EXPECT_EQ(vmul(1, 8189, 0, 100), Trap::spad_range);
    EXPECT_EQ(vmul(0, 103, 50, 100), Trap::overlap);
    EXPECT_EQ(vmul(0, 97, 50, 100), Trap::none);
    EXPECT_EQ(vmul(1, 96, 50, 100), Trap::none);
    EXPECT_EQ(vmul(1, 97, 50, 100), Trap::overlap);
    EXPECT_EQ(vmul(1, 100, 50, 100), Trap::overlap);
    EXPECT_EQ(vmul(1, 101, 50, 100), Trap::none);
    EXPECT_EQ(vmul(1, 53, 50, 100), Trap::overlap);
    EXPECT_EQ(trap({.op = Opcode::vmul, .b = 9, .n = 0}), Trap::field_range);
}

TEST(IsaCheck, there_are_no_more_winners_than_elements) {
    for (const Opcode op : {Opcode::topk, Opcode::topkc}) {
        const auto top = [&](std::uint32_t k, std::uint32_t n) {
            return trap({.op = op, .d = 4000, .a = 0, .b = 1000, .k = k, .n = n});
        };
        EXPECT_EQ(top(1, 1), Trap::none);
        EXPECT_EQ(top(128, 128), Trap::none);
        EXPECT_EQ(top(1, 129), Trap::field_range);
        EXPECT_EQ(top(0, 5), Trap::field_range);
        EXPECT_EQ(top(5, 5), Trap::none);
        EXPECT_EQ(top(6, 5), Trap::field_range);
        EXPECT_EQ(top(0, 0), Trap::field_range);
    }
}

TEST(IsaCheck, winners_take_two_cells_each_and_not_those_of_the_row_or_of_the_table) {
    const auto topk = [](std::uint32_t d, std::uint32_t a) {
        return trap({.op = Opcode::topk, .d = d, .a = a, .k = 3, .n = 5});
    };
    EXPECT_EQ(topk(8186, 0), Trap::none);
    EXPECT_EQ(topk(8187, 0), Trap::spad_range);
    EXPECT_EQ(topk(0, 8187), Trap::none);
    EXPECT_EQ(topk(0, 8188), Trap::spad_range);
    EXPECT_EQ(topk(94, 100), Trap::none);
    EXPECT_EQ(topk(95, 100), Trap::overlap);
    EXPECT_EQ(topk(100, 100), Trap::overlap);
    EXPECT_EQ(topk(104, 100), Trap::overlap);
    EXPECT_EQ(topk(105, 100), Trap::none);
    const auto topkc = [](std::uint32_t d, std::uint32_t a, std::uint32_t b) {
        return trap({.op = Opcode::topkc, .d = d, .a = a, .b = b, .k = 3, .n = 5});
    };
    EXPECT_EQ(topkc(8186, 1019, 0), Trap::none);
    EXPECT_EQ(topkc(8187, 0, 0), Trap::spad_range);
    EXPECT_EQ(topkc(0, 0, 8182), Trap::none);
    EXPECT_EQ(topkc(0, 0, 8183), Trap::spad_range);
    EXPECT_EQ(topkc(0, 1020, 100), Trap::acc_range);
    EXPECT_EQ(topkc(94, 90, 100), Trap::none);
    EXPECT_EQ(topkc(95, 90, 100), Trap::overlap);
    EXPECT_EQ(topkc(109, 90, 100), Trap::overlap);
    EXPECT_EQ(topkc(110, 110, 100), Trap::none);
}

TEST(IsaCheck, every_row_of_an_indexed_table_lies_in_the_memory) {
    for (const Opcode op : {Opcode::ldx, Opcode::ldxw}) {
        const auto table = [&](std::uint32_t x, std::uint32_t n, std::uint32_t rows) {
            return trap({.op = op, .x = x, .rows = rows, .n = n});
        };
        EXPECT_EQ(table(8192 - 500, 5, 100), Trap::none);
        EXPECT_EQ(table(8192 - 499, 5, 100), Trap::ext_range);
        EXPECT_EQ(table(0, 1, 8192), Trap::none);
        EXPECT_EQ(table(0, 1, 8193), Trap::ext_range);
        EXPECT_EQ(table(0, 4096, 65535), Trap::ext_range);
        EXPECT_EQ(table(0, 0, 5), Trap::field_range);
        EXPECT_EQ(table(0, 5, 0), Trap::field_range);
        EXPECT_EQ(trap({.op = op, .d = 8187, .rows = 1, .n = 5}), Trap::none);
        EXPECT_EQ(trap({.op = op, .d = 8188, .rows = 1, .n = 5}), Trap::spad_range);
    }
}

TEST(IsaCheck, an_index_is_one_cell_or_two_or_a_word) {
    const auto ldx = [](std::uint32_t a, std::uint32_t wide) {
        return trap({.op = Opcode::ldx, .d = a, .a = a, .rows = 2, .n = 1, .wide = wide});
    };
    EXPECT_EQ(ldx(8191, 0), Trap::none) << "its own result may land on it";
    EXPECT_EQ(ldx(8190, 1), Trap::none);
    EXPECT_EQ(ldx(8191, 1), Trap::spad_range);
    EXPECT_EQ(trap({.op = Opcode::ldxw, .w = 8191, .rows = 2, .n = 1}), Trap::none);
    EXPECT_EQ(trap({.op = Opcode::ldxw, .w = 8192, .rows = 2, .n = 1}), Trap::ext_range);
}

TEST(IsaCheck, of_an_indexed_table_one_row_is_read) {
    const Accesses of_ldx = accesses({.op = Opcode::ldx, .x = 40, .rows = 6, .n = 5});
    ASSERT_EQ(of_ldx.count, 3U);
    EXPECT_EQ(of_ldx.items[0].count(), 1U);
    EXPECT_EQ(of_ldx.items[1].count(), 5U);
    EXPECT_EQ(of_ldx.items[1].end(), 70U);
    EXPECT_EQ(accesses({.op = Opcode::ldx, .n = 5, .wide = 1}).items[0].count(), 2U);
    EXPECT_EQ(accesses({.op = Opcode::mm, .m = 3, .k = 4, .n = 1}).items[0].count(), 12U);
    unsigned indexed = 0;
    for (const InstructionRow& row : kTable) {
        indexed += has_index(row) ? 1 : 0;
        EXPECT_EQ(has_index(row), row.fault_cycles > 0) << row.mnemonic;
    }
    EXPECT_EQ(indexed, 2U);
}

TEST(IsaCheck, an_end_writes_no_cell_of_any_memory) {
    const Access nothing = effect({.op = Opcode::halt});
    EXPECT_EQ(nothing.use, Use::write);
    EXPECT_EQ(nothing.space, Space::none);
    EXPECT_EQ(std::tie(nothing.base, nothing.rows, nothing.cols, nothing.stride),
              std::make_tuple(0U, 0U, 0U, 0U));
    EXPECT_FALSE(nothing.rereads);
    EXPECT_FALSE(nothing.one_row);
}

}  // namespace
}  // namespace capra::isa
