// Legality: each trap at its exact boundary, and which one wins.
#include "isa/check.hpp"

#include "isa/codec.hpp"

#include <gtest/gtest.h>

namespace capra::isa {
namespace {

const Target& reference() {
    static const Target target = reference_target();
    return target;
}

Trap trap(const Instruction& insn) {
    return check_word(encode(insn), reference());
}

const Instruction kMm{.op = Opcode::mm, .m = 1, .k = 1, .n = 1, .sa = 1, .sb = 1, .sd = 1};

Instruction mm(auto change) {
    Instruction insn = kMm;
    change(insn);
    return insn;
}

TEST(IsaCheck, the_last_cell_of_each_memory_is_legal_and_the_next_traps) {
    EXPECT_EQ(trap({.op = Opcode::ld, .d = 8190, .n = 2}), Trap::none);
    EXPECT_EQ(trap({.op = Opcode::ld, .d = 8191, .n = 2}), Trap::spad_range);
    EXPECT_EQ(trap({.op = Opcode::ld, .x = 8190, .n = 2}), Trap::none);
    EXPECT_EQ(trap({.op = Opcode::ld, .x = 8191, .n = 2}), Trap::ext_range);
    EXPECT_EQ(trap({.op = Opcode::st, .a = 8190, .n = 2}), Trap::none);
    EXPECT_EQ(trap({.op = Opcode::st, .a = 8191, .n = 2}), Trap::spad_range);
    EXPECT_EQ(trap({.op = Opcode::rq, .d = 0, .a = 1022, .n = 2, .acc = 1}), Trap::none);
    EXPECT_EQ(trap({.op = Opcode::rq, .d = 0, .a = 1023, .n = 2, .acc = 1}), Trap::acc_range);
    EXPECT_EQ(trap({.op = Opcode::amax, .d = 8191, .a = 0, .n = 1}), Trap::none);
    EXPECT_EQ(trap({.op = Opcode::amax, .d = 8192, .a = 0, .n = 1}), Trap::spad_range);
}

TEST(IsaCheck, mm_operands_end_at_their_last_row_not_at_the_stride_after_it) {
    // A: rows 0 and 1, last cell a + 100 + 15.
    const auto a_at = [](std::uint32_t a) {
        return mm([&](Instruction& i) { i.a = a, i.m = 2, i.k = 16, i.sa = 100; });
    };
    EXPECT_EQ(trap(a_at(8192 - 116)), Trap::none);
    EXPECT_EQ(trap(a_at(8192 - 115)), Trap::spad_range);
    // B: 3 rows of 2 as stored; 2 rows of 3 when transposed.
    const auto b_at = [](std::uint32_t b, std::uint32_t bt) {
        return mm([&](Instruction& i) { i.b = b, i.k = 3, i.n = 2, i.sb = 10, i.bt = bt; });
    };
    EXPECT_EQ(trap(b_at(8192 - 22, 0)), Trap::none);
    EXPECT_EQ(trap(b_at(8192 - 21, 0)), Trap::spad_range);
    EXPECT_EQ(trap(b_at(8192 - 13, 1)), Trap::none);
    EXPECT_EQ(trap(b_at(8192 - 12, 1)), Trap::spad_range);
    // Result: 4 rows of 4, 8 apart: last cell d + 27.
    const auto d_at = [](std::uint32_t d) {
        return mm([&](Instruction& i) { i.d = d, i.m = 4, i.n = 4, i.sb = 4, i.sd = 8; });
    };
    EXPECT_EQ(trap(d_at(1024 - 28)), Trap::none);
    EXPECT_EQ(trap(d_at(1024 - 27)), Trap::acc_range);
}

TEST(IsaCheck, counts_and_strides_of_zero_and_above_their_limit_trap) {
    using I = Instruction;
    for (const auto field : {&I::m, &I::k, &I::n, &I::sa, &I::sb, &I::sd})
        EXPECT_EQ(trap(mm([&](Instruction& i) { i.*field = 0; })), Trap::field_range);
    EXPECT_EQ(trap(mm([](Instruction& i) { i.m = 4; })), Trap::none);
    EXPECT_EQ(trap(mm([](Instruction& i) { i.m = 5; })), Trap::field_range);
    EXPECT_EQ(trap(mm([](Instruction& i) { i.n = 4; })), Trap::none);
    EXPECT_EQ(trap(mm([](Instruction& i) { i.n = 5; })), Trap::field_range);
    EXPECT_EQ(trap(mm([](Instruction& i) { i.k = 256; })), Trap::none);
    EXPECT_EQ(trap(mm([](Instruction& i) { i.k = 257; })), Trap::field_range);
    for (const Opcode op :
         {Opcode::ld, Opcode::st, Opcode::rq, Opcode::vadd, Opcode::sm, Opcode::amax})
        EXPECT_EQ(trap({.op = op, .n = 0}), Trap::field_range);
    EXPECT_EQ(trap({.op = Opcode::sm, .n = 256}), Trap::none);
    EXPECT_EQ(trap({.op = Opcode::sm, .n = 257}), Trap::field_range);
    EXPECT_EQ(trap({.op = Opcode::rqc, .b = 8, .n = 0, .cols = 1}), Trap::field_range);
    EXPECT_EQ(trap({.op = Opcode::rqc, .b = 8, .n = 1, .cols = 0}), Trap::field_range);
    EXPECT_EQ(trap({.op = Opcode::rqc, .b = 8, .n = 1, .cols = 1}), Trap::none);
    EXPECT_EQ(trap({.op = Opcode::amaxc, .n = 0}), Trap::field_range);
    EXPECT_EQ(trap({.op = Opcode::amaxc, .n = 128}), Trap::none);
    EXPECT_EQ(trap({.op = Opcode::amaxc, .n = 129}), Trap::field_range);
    EXPECT_EQ(trap({.op = Opcode::amax, .n = 128}), Trap::none);
    EXPECT_EQ(trap({.op = Opcode::amax, .n = 129}), Trap::field_range);
}

// No word holds such a value; an instruction that is yet to be encoded can.
TEST(IsaCheck, a_value_that_its_field_cannot_hold_traps) {
    const auto outside = [](Opcode op, Field field, std::uint32_t value) {
        Instruction insn{.op = op, .m = 1, .k = 1, .n = 1, .sa = 1, .sb = 1, .sd = 1};
        insn.*field = value;
        return check(insn, reference()) == Trap::field_range;
    };
    using I = Instruction;
    const struct {
        Opcode op;
        Field field;
        std::uint32_t most;
    } fields[] = {
        {Opcode::ld, &I::n, 65535},        {Opcode::st, &I::x, 0xffffff},
        {Opcode::mm, &I::bt, 1},           {Opcode::mm, &I::sd, 4095},
        {Opcode::rq, &I::shift, 63},       {Opcode::rq, &I::mult, 0x7fffffff},
        {Opcode::sm, &I::scale, 0xffffff},
    };
    for (const auto& [op, field, most] : fields) {
        EXPECT_FALSE(outside(op, field, most)) << row_of(op).mnemonic << " " << most;
        EXPECT_TRUE(outside(op, field, most + 1)) << row_of(op).mnemonic << " " << most;
    }
}

TEST(IsaCheck, halt_writes_no_cell_of_no_memory) {
    const Access nothing = effect({.op = Opcode::halt});
    EXPECT_EQ(nothing.use, Use::write);
    EXPECT_EQ(nothing.space, Space::none);
    EXPECT_EQ(nothing.base, 0U);
    EXPECT_EQ(nothing.rows, 0U);
    EXPECT_EQ(nothing.cols, 0U);
    EXPECT_EQ(nothing.stride, 0U);
    EXPECT_FALSE(nothing.rereads);
}

TEST(IsaCheck, a_stream_may_overlap_its_source_only_from_behind) {
    const auto rq = [](std::uint32_t d, std::uint32_t a, std::uint32_t acc) {
        return trap({.op = Opcode::rq, .d = d, .a = a, .n = 4, .acc = acc});
    };
    EXPECT_EQ(rq(10, 10, 0), Trap::none);
    EXPECT_EQ(rq(9, 10, 0), Trap::none);
    EXPECT_EQ(rq(11, 10, 0), Trap::overlap);
    EXPECT_EQ(rq(13, 10, 0), Trap::overlap);
    EXPECT_EQ(rq(14, 10, 0), Trap::none);
    EXPECT_EQ(rq(11, 10, 1), Trap::none) << "the accumulators are another memory";
    const auto vadd = [](std::uint32_t d, std::uint32_t a, std::uint32_t b) {
        return trap({.op = Opcode::vadd, .d = d, .a = a, .b = b, .n = 4});
    };
    EXPECT_EQ(vadd(10, 10, 10), Trap::none);
    EXPECT_EQ(vadd(11, 10, 100), Trap::overlap);
    EXPECT_EQ(vadd(11, 100, 10), Trap::overlap);
    EXPECT_EQ(vadd(14, 10, 100), Trap::none);
    EXPECT_EQ(vadd(14, 100, 10), Trap::none);
    EXPECT_EQ(trap({.op = Opcode::sm, .d = 11, .a = 10, .n = 2}), Trap::overlap);
    EXPECT_EQ(trap({.op = Opcode::sm, .d = 12, .a = 10, .n = 2}), Trap::none);
    EXPECT_EQ(trap({.op = Opcode::amax, .d = 11, .a = 10, .n = 4}), Trap::none)
        << "AMAX writes after it has read everything";
}

TEST(IsaCheck, a_column_table_has_two_cells_a_column) {
    const auto rqc = [](std::uint32_t a, std::uint32_t b) {
        return trap({.op = Opcode::rqc, .d = 0, .a = a, .b = b, .n = 9, .cols = 5});
    };
    EXPECT_EQ(rqc(0, 8182), Trap::none);
    EXPECT_EQ(rqc(0, 8183), Trap::spad_range);
    EXPECT_EQ(rqc(1015, 100), Trap::none);
    EXPECT_EQ(rqc(1016, 100), Trap::acc_range);
    const auto amaxc = [](std::uint32_t d, std::uint32_t a, std::uint32_t b) {
        return trap({.op = Opcode::amaxc, .d = d, .a = a, .b = b, .n = 5});
    };
    EXPECT_EQ(amaxc(8191, 1019, 8182), Trap::none);
    EXPECT_EQ(amaxc(8192, 0, 0), Trap::spad_range);
    EXPECT_EQ(amaxc(0, 0, 8183), Trap::spad_range);
    EXPECT_EQ(amaxc(0, 1020, 0), Trap::acc_range);
}

// It is read again for every row, so that a result would be taken for a multiplier.
TEST(IsaCheck, a_stream_may_not_overlap_its_column_table_at_all) {
    const auto rqc = [](std::uint32_t d) {
        return trap({.op = Opcode::rqc, .d = d, .a = 52, .b = 50, .n = 4, .cols = 3});
    };
    EXPECT_EQ(rqc(46), Trap::none);
    EXPECT_EQ(rqc(47), Trap::overlap);
    EXPECT_EQ(rqc(50), Trap::overlap);
    EXPECT_EQ(rqc(55), Trap::overlap);
    EXPECT_EQ(rqc(56), Trap::none);
    EXPECT_EQ(trap({.op = Opcode::amaxc, .d = 51, .a = 0, .b = 50, .n = 4}), Trap::none)
        << "AMAXC writes after it has read everything";
}

TEST(IsaCheck, the_lowest_numbered_trap_wins) {
    Word word = encode({.op = Opcode::ld, .d = 65535, .x = 0xffffff, .n = 0});
    EXPECT_EQ(check_word(word, reference()), Trap::field_range);
    word.hi |= std::uint64_t{1} << 63;
    EXPECT_EQ(check_word(word, reference()), Trap::reserved_bits);
    word.lo = (word.lo & ~std::uint64_t{0xff}) | 0x77;
    EXPECT_EQ(check_word(word, reference()), Trap::illegal_opcode);
    EXPECT_EQ(trap({.op = Opcode::ld, .d = 65535, .x = 0xffffff, .n = 1}), Trap::spad_range);
    EXPECT_EQ(trap({.op = Opcode::rq, .d = 8192, .a = 1024, .n = 1, .acc = 1}), Trap::spad_range);
    EXPECT_EQ(trap({.op = Opcode::rq, .d = 8191, .a = 8190, .n = 2}), Trap::spad_range);
}

TEST(IsaCheck, the_bound_of_external_memory_is_the_targets) {
    const Word word = encode({.op = Opcode::ld, .x = 100, .n = 1});
    EXPECT_EQ(check_word(word, reference_target(101)), Trap::none);
    EXPECT_EQ(check_word(word, reference_target(100)), Trap::ext_range);
}

}  // namespace
}  // namespace capra::isa
