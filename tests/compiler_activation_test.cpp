// Tables of activations: every entry against double, over many scales.
#include "compiler/activation.hpp"

#include "tests/compiler_support.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace capra::compiler {
namespace {

constexpr Op kActivations[] = {Op::silu, Op::sigmoid, Op::gelu};

/// Worked out here from the definitions, with long doubles.
long double reference(Op op, long double x) {
    if (op == Op::gelu) return x * std::erfc(-x / std::sqrt(2.0L)) / 2;
    const long double sigmoid = 1 / (1 + std::exp(-x));
    return op == Op::silu ? x * sigmoid : sigmoid;
}

TEST(CompilerActivation, three_operations_are_looked_up_in_tables) {
    for (int op = 0; op <= static_cast<int>(Op::output); ++op)
        EXPECT_EQ(is_activation(static_cast<Op>(op)),
                  std::ranges::find(kActivations, static_cast<Op>(op)) != std::end(kActivations));
}

// silu(1) = 0.7310586, gelu(1) = 0.8413447 (the exact form; tanh gives 0.8411920).
TEST(CompilerActivation, functions_have_their_published_values) {
    EXPECT_EQ(activation(Op::silu, 0), 0);
    EXPECT_EQ(activation(Op::sigmoid, 0), 0.5);
    EXPECT_EQ(activation(Op::gelu, 0), 0);
    EXPECT_NEAR(activation(Op::silu, 1), 0.7310585786300049, 1e-15);
    EXPECT_NEAR(activation(Op::silu, -2), -0.2384058440442351, 1e-15);
    EXPECT_NEAR(activation(Op::sigmoid, 1), 0.7310585786300049, 1e-15);
    EXPECT_NEAR(activation(Op::sigmoid, -3), 0.04742587317756678, 1e-15);
    EXPECT_NEAR(activation(Op::gelu, 1), 0.8413447460685429, 1e-15);
    EXPECT_NEAR(activation(Op::gelu, -1), -0.15865525393145707, 1e-15);
}

TEST(CompilerActivation, far_from_zero_there_is_no_overflow) {
    EXPECT_EQ(activation(Op::silu, -1e4), 0);
    EXPECT_EQ(activation(Op::silu, 1e4), 1e4);
    EXPECT_EQ(activation(Op::sigmoid, -1e4), 0);
    EXPECT_EQ(activation(Op::sigmoid, 1e4), 1);
    EXPECT_EQ(activation(Op::gelu, -1e4), 0);
    EXPECT_EQ(activation(Op::gelu, 1e4), 1e4);
}

// Phi(-8) = 6.220960574271784e-16 and Phi(-10) = 7.619853024160526e-24; 1 + erf gives 6.1e-16 and
// 0.
TEST(CompilerActivation, far_below_zero_gelu_keeps_its_digits) {
    EXPECT_NEAR(activation(Op::gelu, -8) / (-8 * 6.220960574271784e-16), 1, 1e-13);
    EXPECT_NEAR(activation(Op::gelu, -10) / (-10 * 7.619853024160526e-24), 1, 1e-13);
    const auto table = activation_table(Op::gelu, 1, 4.976768459417427e-15 / 100);
    EXPECT_EQ(table[256 - 8], -100) << "in hundredths of gelu(-8)";
}

// sigmoid at a scale of 1: 0.5 rounds up, 0.27 down, 0.73 up.
TEST(CompilerActivation, entries_stand_in_the_order_of_the_unsigned_byte) {
    const auto table = activation_table(Op::silu, 1, 1);
    ASSERT_EQ(table.size(), 256U);
    EXPECT_EQ(table[127], 127);
    EXPECT_EQ(table[100], 100);
    EXPECT_EQ(table[128], 0) << "-128";
    EXPECT_EQ(table[256 - 2], 0) << "-0.238";
    const auto steep = activation_table(Op::sigmoid, 1, 1);
    EXPECT_EQ(steep[0], 1);
    EXPECT_EQ(steep[1], 1);
    EXPECT_EQ(steep[255], 0);
    const auto fine = activation_table(Op::silu, 1, 0.001);
    EXPECT_EQ(fine[1], 127) << "saturated";
    EXPECT_EQ(fine[255], -128);
}

/// Half a step off at most, the rounding rule's own, unless the result does not fit.
RC_GTEST_PROP(CompilerActivation, every_entry_is_within_half_a_step_of_double, ()) {
    const Op op = *rc::gen::element(Op::silu, Op::sigmoid, Op::gelu);
    const double in = std::exp2(*rc::gen::inRange(-120, 40) / 10.0);
    const double out = std::exp2(*rc::gen::inRange(-120, 40) / 10.0);
    const auto table = activation_table(op, in, out);
    RC_ASSERT(table.size() == 256U);
    for (int v = -128; v < 128; ++v) {
        const int got = table[static_cast<std::uint8_t>(v)];
        const long double exact = reference(op, v * in) / out;
        const long double held = std::clamp(exact, -128.0L, 127.0L);
        RC_ASSERT(std::fabs(got - held) <= 0.5L + 1e-9L);
    }
}

}  // namespace
}  // namespace capra::compiler
