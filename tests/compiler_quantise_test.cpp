// Scales, multipliers and the placement of requantises.
#include "compiler/quantise.hpp"

#include "isa/error.hpp"
#include "tests/compiler_support.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <optional>
#include <string>

namespace capra {
namespace {

using namespace compiler;
using Operands = std::vector<std::optional<Requant>>;

/// Any positive factor between 2^-40 and 2^40.
rc::Gen<double> factors() {
    return rc::gen::apply(
        [](std::uint32_t mantissa, int exponent) {
            return std::ldexp(1 + std::ldexp(mantissa, -32), exponent);
        },
        rc::gen::arbitrary<std::uint32_t>(), rc::gen::inRange(-40, 40));
}

RC_GTEST_PROP(CompilerRequant, multiplier_is_normalised_and_exact_to_31_bits, ()) {
    const double factor = *factors();
    const auto requant = requant_for(factor);
    if (factor >= std::ldexp(1, 31)) {
        RC_ASSERT(!requant);
        return;
    }
    RC_ASSERT(requant.has_value());
    RC_ASSERT(requant->mult < 1U << 31);
    RC_ASSERT(requant->shift <= 63U);
    const double got = std::ldexp(requant->mult, -static_cast<int>(requant->shift));
    if (factor < std::ldexp(1, -33)) {
        RC_ASSERT(std::fabs(got - factor) <= std::ldexp(1, -64));
    } else {
        RC_ASSERT(requant->mult >= 1U << 30);
        RC_ASSERT(std::fabs(got / factor - 1) <= std::ldexp(1, -31));
    }
}

TEST(CompilerRequant, factors_equal_hand_worked_pairs) {
    EXPECT_EQ(requant_for(1), (Requant{1U << 30, 30}));
    EXPECT_EQ(requant_for(0.5), (Requant{1U << 30, 31}));
    EXPECT_EQ(requant_for(0.75), (Requant{3U << 29, 31}));
    EXPECT_EQ(requant_for(3), (Requant{3U << 29, 29}));
    // Rounds up to the next power of two, and keeps the multiplier in range.
    EXPECT_EQ(requant_for(1 - std::ldexp(1, -40)), (Requant{1U << 30, 30}));
    EXPECT_EQ(requant_for(std::ldexp(1, 30)), (Requant{1U << 30, 0}));
    EXPECT_EQ(requant_for(std::ldexp(1, -33)), (Requant{1U << 30, 63}));
    EXPECT_EQ(requant_for(std::ldexp(1, -34)), (Requant{1U << 29, 63}));
    EXPECT_EQ(requant_for(1e-300), (Requant{0, 63}));
}

TEST(CompilerRequant, factors_that_no_instruction_can_hold_are_refused) {
    EXPECT_EQ(requant_for(0), std::nullopt);
    EXPECT_EQ(requant_for(-1), std::nullopt);
    EXPECT_EQ(requant_for(std::nan("")), std::nullopt);
    EXPECT_EQ(requant_for(std::ldexp(1, 31)), std::nullopt);
    EXPECT_EQ(requant_for(HUGE_VAL), std::nullopt);
}

TEST(CompilerQuantise, values_round_half_up_and_saturate) {
    EXPECT_EQ(quantise_value(1.25, 0.5), 3);
    EXPECT_EQ(quantise_value(-1.25, 0.5), -2);
    EXPECT_EQ(quantise_value(1.24, 0.5), 2);
    EXPECT_EQ(quantise_value(1e300, 1e-300), 127);
    EXPECT_EQ(quantise_value(-64, 0.5), -128);
    EXPECT_EQ(quantise_value(-1e9, 1), -128);
    EXPECT_THROW(quantise_value(std::nan(""), 1), Error);
}

TEST(CompilerQuantise, dequantising_gives_values_and_leaves_indices) {
    const IntMatrix m{1, 3, {-2, 0, 7}};
    EXPECT_EQ(dequantise_matrix(m, 0.5), (Matrix{1, 3, {-1, 0, 3.5}}));
    EXPECT_EQ(dequantise_matrix(m, 0), (Matrix{1, 3, {-2, 0, 7}}));
    EXPECT_EQ(quantise_matrix({1, 3, {-1, 0, 3.5}}, 0.5), m);
}

Ranges ranges_of(std::initializer_list<std::pair<const char*, double>> list) {
    Ranges ranges;
    for (const auto& [key, range] : list) ranges.widen(key, range);
    return ranges;
}

TEST(CompilerQuantise, scales_are_largest_magnitude_over_127) {
    GraphBuilder b("g");
    const NodeId x = b.input("x", 1, 2, "t");
    const NodeId w = b.weight("w", {2, 2, {0.5, -2.54, 0.03, 0.01}});
    const NodeId y = b.matmul("y", x, w, 0.25);
    const NodeId p = b.softmax("p", y);
    const NodeId i = b.argmax("i", p);
    const NodeId out = b.output("out", y);
    b.output("index", i);
    const auto q = quantise(b.build(), ranges_of({{"t", 1.27}, {"y", 2.54}}));
    EXPECT_DOUBLE_EQ(q.nodes[x].scale, 0.01);
    EXPECT_DOUBLE_EQ(q.nodes[w].scale, 0.02);
    EXPECT_DOUBLE_EQ(q.nodes[y].scale, 0.02);
    EXPECT_EQ(q.nodes[p].scale, 1.0 / 127);
    EXPECT_EQ(q.nodes[i].scale, 0);
    EXPECT_EQ(q.nodes[out].scale, q.nodes[y].scale);
    EXPECT_EQ(q.nodes[out + 1].scale, 0);
    EXPECT_EQ(q.nodes[w].weights, (IntMatrix{2, 2, {25, -127, 2, 1}}));
    EXPECT_EQ(q.nodes[y].requant, requant_for(0.01 * (2.54 / 127) * 0.25 / (2.54 / 127)));
    // 0.02 log2(e) 2^20 = 30255.6
    EXPECT_EQ(q.nodes[p].softmax_scale, 30256U);
}

TEST(CompilerQuantise, softmax_scale_saturates_where_one_step_is_16_halvings) {
    GraphBuilder b("g");
    b.output("out", b.softmax("p", b.input("x", 1, 2)));
    EXPECT_EQ(quantise(b.build(), ranges_of({{"x", 1e6}})).nodes[1].softmax_scale, 0xFFFFFFU);
}

TEST(CompilerQuantise, relu_fuses_only_into_a_matmul_it_is_the_only_user_of) {
    GraphBuilder b("g");
    const NodeId x = b.input("x", 1, 1);
    const NodeId w = b.weight("w", {1, 1, {1}});
    const NodeId alone = b.matmul("alone", x, w);
    const NodeId fused = b.relu("fused", alone);
    const NodeId seen = b.matmul("seen", x, w);
    const NodeId kept = b.relu("kept", seen);
    const NodeId direct = b.relu("direct", x);
    for (NodeId id : {fused, seen, kept, direct}) b.output("out" + std::to_string(id), id);
    const auto q = quantise(
        b.build(), ranges_of({{"x", 1}, {"seen", 2}, {"fused", 3}, {"kept", 4}, {"direct", 5}}));
    EXPECT_TRUE(q.nodes[alone].fused_relu);
    EXPECT_TRUE(q.nodes[fused].fused_relu);
    EXPECT_EQ(q.nodes[alone].scale, 3.0 / 127);
    EXPECT_FALSE(q.nodes[seen].fused_relu);
    EXPECT_FALSE(q.nodes[kept].fused_relu);
    EXPECT_EQ(q.nodes[seen].scale, 2.0 / 127);
    EXPECT_EQ(q.nodes[kept].requant, requant_for(0.5));
    EXPECT_FALSE(q.nodes[direct].fused_relu);
}

TEST(CompilerQuantise, left_of_a_sum_is_rescaled_and_a_right_matmul_produced_at_its_scale) {
    GraphBuilder b("g");
    const NodeId x = b.input("x", 1, 1);
    const NodeId w = b.weight("w", {1, 1, {1}});
    const NodeId left = b.matmul("left", x, w);
    const NodeId right = b.matmul("right", x, w);
    const NodeId sum = b.add("sum", left, right);
    const NodeId shared = b.matmul("shared", x, w);
    const NodeId sum2 = b.add("sum2", sum, shared);
    const NodeId sum3 = b.add("sum3", sum2, x);
    b.output("o1", sum3);
    b.output("o2", shared);
    const auto q = quantise(
        b.build(),
        ranges_of({{"x", 1}, {"left", 1}, {"sum", 2}, {"shared", 1}, {"sum2", 4}, {"sum3", 8}}));
    EXPECT_EQ(q.nodes[left].scale, 1.0 / 127);
    EXPECT_EQ(q.nodes[right].scale, 2.0 / 127);
    EXPECT_EQ(q.nodes[sum].operands, (Operands{requant_for(0.5), {}}));
    EXPECT_EQ(q.nodes[sum2].operands, (Operands{requant_for(0.5), requant_for(0.25)}));
    EXPECT_EQ(q.nodes[sum3].operands, (Operands{requant_for(0.5), requant_for(0.125)}));
}

TEST(CompilerQuantise, a_right_relu_is_produced_at_the_scale_of_the_sum_fused_or_not) {
    GraphBuilder b("g");
    const NodeId x = b.input("x", 1, 1);
    const NodeId product = b.matmul("product", x, b.weight("w", {1, 1, {1}}));
    const NodeId fused = b.relu("fused", product);
    const NodeId apart = b.relu("apart", x);
    const NodeId left = b.relu("left", x);
    const NodeId sum = b.add("sum", x, fused);
    const NodeId sum2 = b.add("sum2", sum, apart);
    const NodeId sum3 = b.add("sum3", left, sum2);
    b.output("out", sum3);
    const auto q = quantise(b.build(), ranges_of({{"x", 1},
                                                  {"product", 1},
                                                  {"fused", 1},
                                                  {"apart", 1},
                                                  {"left", 1},
                                                  {"sum", 2},
                                                  {"sum2", 4},
                                                  {"sum3", 8}}));
    EXPECT_EQ(q.nodes[product].scale, 2.0 / 127);
    EXPECT_EQ(q.nodes[fused].scale, 2.0 / 127);
    EXPECT_EQ(q.nodes[apart].scale, 4.0 / 127);
    EXPECT_EQ(q.nodes[left].scale, 1.0 / 127);
    EXPECT_EQ(q.nodes[sum].operands, (Operands{requant_for(0.5), {}}));
    EXPECT_EQ(q.nodes[sum2].operands, (Operands{requant_for(0.5), {}}));
    EXPECT_EQ(q.nodes[sum3].operands, (Operands{requant_for(0.125), requant_for(0.5)}));
}

TEST(CompilerQuantise, concat_takes_inputs_of_its_own_in_place_and_rescales_the_rest) {
    GraphBuilder b("g");
    const NodeId own = b.input("own", 1, 1);
    const NodeId shared = b.input("shared", 1, 1);
    const NodeId w = b.weight("w", {1, 1, {1}});
    const NodeId computed = b.matmul("computed", shared, w);
    const NodeId all = b.concat_rows("all", {own, shared, computed});
    b.output("out", all);
    const auto q = quantise(b.build(), ranges_of({{"shared", 1}, {"computed", 2}, {"all", 4}}));
    EXPECT_EQ(q.nodes[own].scale, 4.0 / 127);
    EXPECT_EQ(q.nodes[shared].scale, 1.0 / 127);
    EXPECT_EQ(q.nodes[all].operands, (Operands{std::nullopt, requant_for(0.25), requant_for(0.5)}));
}

TEST(CompilerQuantise, tensors_without_a_usable_range_are_refused_by_graph_and_node) {
    const auto message = [](double weight, const Ranges& ranges) -> std::string {
        GraphBuilder b("net");
        const NodeId x = b.input("x", 1, 1);
        b.output("out", b.matmul("y", x, b.weight("w", {1, 1, {weight}})));
        try {
            quantise(b.build(), ranges);
        } catch (const Error& error) {
            return error.what();
        }
        return "nothing was refused";
    };
    const auto starts = [](const std::string& text, const std::string& start) {
        EXPECT_EQ(text.substr(0, start.size()), start);
    };
    starts(message(0, ranges_of({{"x", 1}, {"y", 1}})), "graph \"net\": node \"w\": all values");
    starts(message(1, ranges_of({{"x", 0}, {"y", 1}})), "graph \"net\": node \"x\": all values");
    starts(message(1, ranges_of({{"x", 1}})), "graph \"net\": node \"y\": no calibrated range");
    starts(message(1, ranges_of({{"x", 1e-320}, {"y", 1}})),
           "graph \"net\": node \"x\": no int8 scale for the range");
    starts(message(1, ranges_of({{"x", 1e100}, {"y", 1}})),
           "graph \"net\": node \"y\": no requantise multiplies by");
}

}  // namespace
}  // namespace capra
