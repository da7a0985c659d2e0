// The C++ machine against values worked by hand. The RTL benches hold the same vectors, so that
// one misreading of the ISA cannot hide in lock-step.
#include "sim/exec.hpp"
#include "tests/sim_machine_support.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace capra::sim {
namespace {

Values requantise_spad(const Values& in, std::uint32_t mult, std::uint32_t shift, bool relu) {
    return run(in,
               {{.op = Opcode::rq,
                 .d = 100,
                 .a = 0,
                 .n = static_cast<std::uint32_t>(in.size()),
                 .mult = mult,
                 .shift = shift,
                 .relu = relu ? 1U : 0U}},
               100, static_cast<std::uint32_t>(in.size()));
}

TEST(SimMachine, ld_takes_the_low_byte_of_a_word_and_st_extends_the_sign) {
    EXPECT_EQ(run({0x1234567f, 0x100, -1, 0x80, static_cast<std::int32_t>(0xffffff7fU)}, {}, 0, 5),
              (Values{127, 0, -1, -128, 127}));
}

TEST(SimMachine, requantise_rounds_half_up_on_both_sides_of_zero) {
    // v/2: 1.5 -> 2, 0.5 -> 1, -0.5 -> 0, -1.5 -> -1; v/4: -6/4 = -1.5 -> -1, -7/4 -> -2.
    EXPECT_EQ(requantise_spad({3, 1, -1, -3}, 1, 1, false), (Values{2, 1, 0, -1}));
    EXPECT_EQ(requantise_spad({-6, -7, 6, 5}, 1, 2, false), (Values{-1, -2, 2, 1}));
}

TEST(SimMachine, requantise_by_shift_zero_is_exact_and_saturates_at_both_ends) {
    EXPECT_EQ(requantise_spad({127, -128, 5}, 1, 0, false), (Values{127, -128, 5}));
    EXPECT_EQ(requantise_spad({127, -128, 64, -64}, 2, 0, false), (Values{127, -128, 127, -128}));
    EXPECT_EQ(requantise_spad({127, -128}, 0x7fffffff, 0, false), (Values{127, -128}));
    EXPECT_EQ(requantise_spad({127, -128}, 0, 0, false), (Values{0, 0}));
}

TEST(SimMachine, relu_comes_after_rounding_and_before_saturation) {
    EXPECT_EQ(requantise_spad({-3, -1, 1, 127}, 3, 1, true), (Values{0, 0, 2, 127}));
}

TEST(SimMachine, a_multiplier_above_one_and_the_largest_shifts_use_all_64_bits) {
    // 100 * (2^31-1) / 2^31 = 99.99999995 -> 100; / 2^38 = 0.78 -> 1; / 2^62 and 2^63: 0.
    EXPECT_EQ(requantise_spad({100}, 0x7fffffff, 31, false), (Values{100}));
    EXPECT_EQ(requantise_spad({100}, 0x7fffffff, 38, false), (Values{1}));
    EXPECT_EQ(requantise_spad({-128}, 0x7fffffff, 62, false), (Values{0}));
    EXPECT_EQ(requantise_spad({127, -128}, 0x7fffffff, 63, false), (Values{0, 0}));
}

__extension__ using Wide = __int128;

/// round_shift on the largest products RQ can make, against 128-bit arithmetic.
TEST(SimMachine, the_intermediate_never_overflows) {
    for (const std::int64_t v : {std::int64_t{std::numeric_limits<std::int32_t>::min()},
                                 std::int64_t{std::numeric_limits<std::int32_t>::max()}})
        for (unsigned shift = 1; shift < 64; ++shift) {
            const std::int64_t product = v * 0x7fffffff;
            const Wide wide = (Wide{product} + (Wide{1} << (shift - 1))) >> shift;
            EXPECT_EQ(round_shift(product, shift), static_cast<std::int64_t>(wide)) << shift;
        }
}

TEST(SimMachine, mm_multiplies_rows_by_columns) {
    // A = [1 2; -3 4], B = [5 -6; 7 8]: A B = [19 10; 13 50]; A B^T = [-7 23; -39 11].
    const Values in = {1, 2, -3, 4, 5, -6, 7, 8};
    const auto multiply = [&](std::uint32_t bt) {
        return run(in,
                   {{.op = Opcode::mm,
                     .d = 0,
                     .a = 0,
                     .b = 4,
                     .m = 2,
                     .k = 2,
                     .n = 2,
                     .sa = 2,
                     .sb = 2,
                     .sd = 2,
                     .bt = bt},
                    {.op = Opcode::rq, .d = 100, .a = 0, .n = 4, .mult = 1, .shift = 0, .acc = 1}},
                   100, 4);
    };
    EXPECT_EQ(multiply(0), (Values{19, 10, 13, 50}));
    EXPECT_EQ(multiply(1), (Values{-7, 23, -39, 11}));
}

TEST(SimMachine, mm_walks_its_strides) {
    // A rows 3 apart, B rows 2 apart, result rows 5 apart; gaps hold 99 and must not be read.
    const Values in = {1, 2, 99, 3, 4, 99, 5, 99, 6};
    const Values out =
        run(in,
            {{.op = Opcode::rq, .d = 50, .a = 0, .n = 9, .mult = 0, .shift = 0},
             {.op = Opcode::mm,
              .d = 10,
              .a = 0,
              .b = 6,
              .m = 2,
              .k = 2,
              .n = 1,
              .sa = 3,
              .sb = 2,
              .sd = 5},
             {.op = Opcode::rq, .d = 100, .a = 10, .n = 1, .mult = 1, .shift = 0, .acc = 1},
             {.op = Opcode::rq, .d = 101, .a = 15, .n = 1, .mult = 1, .shift = 0, .acc = 1}},
            100, 2);
    EXPECT_EQ(out, (Values{17, 39}));  // 1*5+2*6, 3*5+4*6
}

TEST(SimMachine, mm_holds_the_deepest_most_negative_sum) {
    // 256 * (-128 * -128) = 4194304 = 2^22; / 2^16 = 64.
    const Values out =
        run(Values(256, -128),
            {{.op = Opcode::mm,
              .d = 0,
              .a = 0,
              .b = 0,
              .m = 1,
              .k = 256,
              .n = 1,
              .sa = 256,
              .sb = 1,
              .sd = 1},
             {.op = Opcode::rq, .d = 300, .a = 0, .n = 1, .mult = 1, .shift = 16, .acc = 1}},
            300, 1);
    EXPECT_EQ(out, (Values{64}));
}

TEST(SimMachine, vadd_saturates_at_both_ends) {
    EXPECT_EQ(run({100, -100, 1, 27, -28, -2, 100, -100},
                  {{.op = Opcode::vadd, .d = 100, .a = 0, .b = 4, .n = 4}}, 100, 4),
              (Values{72, -102, 101, -73}));
    EXPECT_EQ(run({100, -100, 127, -128, 28, -29, 0, -1},
                  {{.op = Opcode::vadd, .d = 100, .a = 0, .b = 4, .n = 4}}, 100, 4),
              (Values{127, -128, 127, -128}));
}

TEST(SimMachine, a_stream_behind_its_source_sees_the_old_values) {
    EXPECT_EQ(run({1, 2, 3, 4, 5}, {{.op = Opcode::rq, .d = 0, .a = 1, .n = 4, .mult = 2}}, 0, 5),
              (Values{4, 6, 8, 10, 5}));
    EXPECT_EQ(run({1, 2, 3, 4}, {{.op = Opcode::vadd, .d = 0, .a = 0, .b = 1, .n = 3}}, 0, 4),
              (Values{3, 5, 7, 4}));
}

Values softmax(const Values& in, std::uint32_t scale) {
    const auto n = static_cast<std::uint32_t>(in.size());
    return run(in, {{.op = Opcode::sm, .d = 300, .a = 0, .n = n, .scale = scale}}, 300, n);
}

TEST(SimMachine, softmax_of_one_element_is_one) {
    EXPECT_EQ(softmax({-128}, 1 << 20), (Values{127}));
    EXPECT_EQ(softmax({127}, 0), (Values{127}));
}

TEST(SimMachine, softmax_of_equal_elements_shares_127_and_rounds_half_up) {
    EXPECT_EQ(softmax({5, 5}, 1 << 20), (Values{64, 64}));            // 63.5
    EXPECT_EQ(softmax({-128, -128, -128, -128}, 77), Values(4, 32));  // 31.75
    EXPECT_EQ(softmax(Values(256, 127), 1 << 20), Values(256, 0));    // 0.496
}

TEST(SimMachine, softmax_halves_with_every_octave_of_its_scale) {
    // e = 32768, 16384; R = floor(127*2^32/49152) = 11097429; 84.67 -> 85, 42.33 -> 42.
    EXPECT_EQ(softmax({0, -1}, 1 << 20), (Values{85, 42}));
    EXPECT_EQ(softmax({3, 1}, 1 << 19), (Values{85, 42}));
    // Half an octave: e = 32768, 23170; 127/1.70709 = 74.396, 52.604.
    EXPECT_EQ(softmax({0, -1}, 1 << 19), (Values{74, 53}));
}

TEST(SimMachine, softmax_drops_what_is_too_small_to_count) {
    EXPECT_EQ(softmax({127, -128}, 1 << 20), (Values{127, 0}));
    EXPECT_EQ(softmax({127, -128}, 0xffffff), (Values{127, 0}));
    EXPECT_EQ(softmax({127, -128}, 0), (Values{64, 64}));
}

TEST(SimMachine, rqc_takes_the_multiplier_of_the_column_low_byte_first) {
    // Columns times 3, 1000 = 0x03e8 and 65535, over 8, half up; rows follow without a gap.
    const Values table = {3, 0, 0xe8, 0x03, 0xff, 0xff};
    Instruction rqc{.op = Opcode::rqc, .d = 200, .a = 40, .b = 100, .n = 6, .cols = 3, .shift = 3};
    const Values x = {10, -1, 0, -4, 1, -128};
    EXPECT_EQ(with_accumulators(x, table, rqc, 200, 6), (Values{4, -125, 0, -1, 125, -128}));
    rqc.relu = 1;
    EXPECT_EQ(with_accumulators(x, table, rqc, 200, 6), (Values{4, 0, 0, 0, 125, 0}));
    rqc.relu = 0, rqc.n = 4, rqc.shift = 0;
    EXPECT_EQ(with_accumulators({1, 0, 0, 2}, table, rqc, 200, 4), (Values{3, 0, 0, 6}));
}

TEST(SimMachine, amaxc_compares_exact_products) {
    const auto amaxc = [](const Values& x, const Values& multipliers) {
        Values table;
        for (const std::int32_t m : multipliers) {
            table.push_back(m & 0xff);
            table.push_back(m >> 8);
        }
        const Instruction insn{.op = Opcode::amaxc,
                               .d = 200,
                               .a = 40,
                               .b = 100,
                               .n = static_cast<std::uint32_t>(x.size())};
        return with_accumulators(x, table, insn, 200, 1)[0];
    };
    EXPECT_EQ(amaxc({5, 7, 6}, {10, 7, 8}), 0);     // 50 49 48
    EXPECT_EQ(amaxc({5, 17, 6}, {10, 3, 8}), 1);    // 50 51 48
    EXPECT_EQ(amaxc({2, 6, 5}, {30, 10, 12}), 0);   // all 60
    EXPECT_EQ(amaxc({1, 6, 5}, {30, 10, 12}), 1);   // 30 60 60
    EXPECT_EQ(amaxc({-5, -7, -6}, {10, 7, 8}), 2);  // -50 -49 -48
    EXPECT_EQ(amaxc({2, 2, -2}, {32767, 32768, 65535}), 1);
    EXPECT_EQ(amaxc({127, 126}, {0x0102, 0x0104}), 0);  // 32766 against 32760
    EXPECT_EQ(amaxc({-128}, {65535}), 0);
}

TEST(SimMachine, amax_takes_the_lowest_index_of_a_tie) {
    const auto amax = [](const Values& in) {
        const auto n = static_cast<std::uint32_t>(in.size());
        return run(in, {{.op = Opcode::amax, .d = 150, .a = 0, .n = n}}, 150, 1)[0];
    };
    EXPECT_EQ(amax({1, 7, 7, 2}), 1);
    EXPECT_EQ(amax({-128, -128}), 0);
    EXPECT_EQ(amax({-1, 0, -1}), 1);
    Values ramp(128);
    for (int i = 0; i < 128; ++i) ramp[static_cast<std::size_t>(i)] = i;
    EXPECT_EQ(amax(ramp), 127);
}

}  // namespace
}  // namespace capra::sim
