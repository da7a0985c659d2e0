// Tables, gates and routes on the C++ machine against values worked by hand, which the RTL benches
// hold as well.
#include "tests/sim_machine_support.hpp"

namespace capra::sim {
namespace {

TEST(SimMachine, lut_takes_the_byte_for_an_unsigned_entry) {
    Values in = {0, 1, 127, -128, -1};
    // Entry e holds 7e + 3: 892 = 3 * 256 + 124, 899 = 3 * 256 + 131, 1788 = 7 * 256 - 4.
    for (std::int32_t e = 0; e < 256; ++e) in.push_back(7 * e + 3);
    const Instruction lut{.op = Opcode::lut, .d = 300, .a = 0, .b = 5, .n = 5};
    EXPECT_EQ(run(in, {lut}, 300, 5), (Values{3, 10, 124, 131 - 256, -4}));
    const Instruction in_place{.op = Opcode::lut, .d = 0, .a = 0, .b = 5, .n = 2};
    EXPECT_EQ(run(in, {in_place}, 0, 4), (Values{3, 10, 127, -128}));
}

Values multiply(const Values& a, const Values& b, Instruction vmul) {
    Values in = a;
    in.insert(in.end(), b.begin(), b.end());
    vmul.op = Opcode::vmul;
    vmul.d = 100;
    vmul.b = static_cast<std::uint32_t>(a.size());
    vmul.n = static_cast<std::uint32_t>(a.size());
    return run(in, {vmul}, 100, vmul.n);
}

TEST(SimMachine, vmul_rounds_half_up_and_saturates_at_both_ends) {
    EXPECT_EQ(multiply({9, -9, 16, -128, -128}, {-7, -7, 8, -128, 127}, {.mult = 1}),
              (Values{-63, 63, 127, 127, -128}));
    // 1.5, -1.5, -0.5; 2^14 / 2^8 is not halved: 16384 / 2 saturates.
    EXPECT_EQ(multiply({3, 3, 1, -128}, {1, -1, -1, -128}, {.mult = 1, .shift = 1}),
              (Values{2, -1, 0, 127}));
    EXPECT_EQ(multiply({-128, -128}, {-128, 127}, {.mult = 1, .shift = 7}), (Values{127, -127}));
    // 10000 * (2^31 - 1) / 2^38 = 78.1
    EXPECT_EQ(multiply({100, 100}, {100, -100}, {.mult = 0x7fffffff, .shift = 38}),
              (Values{78, -78}));
    EXPECT_EQ(multiply({-128}, {127}, {.mult = 0x7fffffff, .shift = 63}), (Values{0}));
}

TEST(SimMachine, vmul_may_broadcast_one_cell) {
    EXPECT_EQ(multiply({1, 2, 3}, {5, 6, 7}, {.mult = 1}), (Values{5, 12, 21}));
    EXPECT_EQ(multiply({1, 2, 3}, {5, 6, 7}, {.mult = 1, .bcast = 1}), (Values{5, 10, 15}));
}

TEST(SimMachine, topk_ranks_by_value_and_equal_ones_by_index) {
    const auto topk = [](const Values& in, std::uint32_t k) {
        const auto n = static_cast<std::uint32_t>(in.size());
        return run(in, {{.op = Opcode::topk, .d = 150, .a = 0, .k = k, .n = n}}, 150, 2 * k);
    };
    EXPECT_EQ(topk({-128}, 1), (Values{0, -128}));
    EXPECT_EQ(topk({1, -5, 3}, 2), (Values{2, 0, 3, 1}));
    EXPECT_EQ(topk({-1, 127, -128, 5}, 4), (Values{1, 3, 0, 2, 127, 5, -1, -128}));
    EXPECT_EQ(topk({5, 9, 5, 9}, 3), (Values{1, 3, 0, 9, 9, 5}));
    EXPECT_EQ(topk({9, 5, 9, 5}, 4), (Values{0, 2, 1, 3, 9, 9, 5, 5}));
    EXPECT_EQ(topk({-128, -128, -128}, 3), (Values{0, 1, 2, -128, -128, -128}));
    Values ramp(128);
    Values falling(256);
    for (std::int32_t i = 0; i < 128; ++i) {
        ramp[static_cast<std::size_t>(i)] = i;
        falling[static_cast<std::size_t>(i)] = falling[static_cast<std::size_t>(i) + 128] = 127 - i;
    }
    EXPECT_EQ(topk(ramp, 128), falling);
}

TEST(SimMachine, topkc_ranks_exact_products_and_rounds_what_it_writes) {
    const auto topkc = [](const Values& x, const Values& multipliers, std::uint32_t k,
                          std::uint32_t shift) {
        Values table;
        for (const std::int32_t m : multipliers) {
            table.push_back(m & 0xff);
            table.push_back(m >> 8);
        }
        const Instruction insn{.op = Opcode::topkc,
                               .d = 200,
                               .a = 40,
                               .b = 100,
                               .k = k,
                               .n = static_cast<std::uint32_t>(x.size()),
                               .shift = shift};
        return with_accumulators(x, table, insn, 200, 2 * k);
    };
    EXPECT_EQ(topkc({5, 7, 6}, {10, 7, 8}, 2, 0), (Values{0, 1, 50, 49}));
    EXPECT_EQ(topkc({5, 17, 6}, {10, 3, 8}, 2, 1), (Values{1, 0, 26, 25}));  // 25.5, 25
    EXPECT_EQ(topkc({2, 6, 5}, {30, 10, 12}, 3, 0), (Values{0, 1, 2, 60, 60, 60}));
    EXPECT_EQ(topkc({-5, -7, -6}, {10, 7, 8}, 2, 1), (Values{2, 1, -24, -24}));  // -24, -24.5
    EXPECT_EQ(topkc({2, 2, -2}, {32767, 32768, 65535}, 2, 9), (Values{1, 0, 127, 127}));
    EXPECT_EQ(topkc({-100, -50}, {2, 3}, 2, 0), (Values{1, 0, -128, -128}));
    EXPECT_EQ(topkc({101, 100, 102}, {1, 1, 1}, 2, 5), (Values{2, 0, 3, 3}))
        << "equal when rounded, and not equal";
    EXPECT_EQ(topkc({-128}, {65535}, 1, 63), (Values{0, 0}));
}

}  // namespace
}  // namespace capra::sim
