// Exact fractions: lowest terms, the laws of arithmetic, and an Error instead of an overflow.
#include "model/exact.hpp"

#include "isa/error.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <limits>
#include <string>

namespace capra::model {
namespace {

constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();

constexpr std::int64_t kHuge = std::int64_t{1} << 40;

std::string refusal(const std::string& text) {
    try {
        parse_exact(text);
    } catch (const Error& error) {
        return error.what();
    }
    return "accepted";
}

TEST(Exact, is_kept_in_lowest_terms_with_its_sign_on_top) {
    EXPECT_EQ(to_string(Exact(26, 64)), "13/32");
    EXPECT_EQ(to_string(Exact(-6, 4)), "-3/2");
    EXPECT_EQ(to_string(Exact(6, 3)), "2");
    EXPECT_EQ(to_string(Exact(0, 7)), "0");
    EXPECT_EQ(to_string(Exact()), "0");
    EXPECT_TRUE(Exact(4, 2).whole());
    EXPECT_FALSE(Exact(1, 2).whole());
}

TEST(Exact, computes_as_by_hand) {
    EXPECT_EQ(Exact(1, 6) + Exact(1, 10), Exact(4, 15));
    EXPECT_EQ(Exact(1, 6) - Exact(1, 10), Exact(1, 15));
    EXPECT_EQ(Exact(2, 3) * Exact(9, 4), Exact(3, 2));
    EXPECT_EQ(Exact(2, 3) / Exact(4, 9), Exact(3, 2));
    EXPECT_EQ(Exact(-2, 3) / Exact(4, 9), Exact(-3, 2));
    Exact sum(1, 8);
    sum += Exact(3, 8);
    EXPECT_EQ(sum, Exact(1, 2));
}

TEST(Exact, rounds_to_the_nearest_integer_and_halves_away_from_zero) {
    EXPECT_EQ(Exact(7, 5).nearest(), 1);
    EXPECT_EQ(Exact(8, 5).nearest(), 2);
    EXPECT_EQ(Exact(3, 2).nearest(), 2);
    EXPECT_EQ(Exact(-3, 2).nearest(), -2);
    EXPECT_EQ(Exact(-7, 5).nearest(), -1);
    EXPECT_EQ(Exact(-8, 5).nearest(), -2);
    EXPECT_EQ(Exact(5).nearest(), 5);
    EXPECT_EQ(Exact(2, 3).nearest(), 1);
    EXPECT_EQ(Exact(1, 3).nearest(), 0);
    EXPECT_EQ(Exact(-1, 4).nearest(), 0);
    EXPECT_EQ(Exact(-2, 4).nearest(), -1);
    EXPECT_EQ(Exact(0).nearest(), 0);
}

TEST(Exact, what_leaves_64_bits_is_refused_and_the_largest_numbers_are_not) {
    EXPECT_EQ(Exact(kLargest) + Exact(0), Exact(kLargest));
    EXPECT_THROW(Exact(kLargest) + Exact(1), Error);
    EXPECT_EQ(Exact(kLargest - 1) + Exact(1), Exact(kLargest));
    EXPECT_EQ(Exact(-kLargest) + Exact(0), Exact(-kLargest));
    EXPECT_THROW(Exact(-kLargest) - Exact(1), Error);
    EXPECT_THROW(Exact(-kLargest) - Exact(2), Error);
    EXPECT_EQ(Exact(std::int64_t{1} << 31) * Exact(std::int64_t{1} << 31),
              Exact(std::int64_t{1} << 62));
    EXPECT_THROW(Exact(std::int64_t{1} << 32) * Exact(std::int64_t{1} << 31), Error);
    EXPECT_THROW(Exact(std::int64_t{1} << 32) * Exact(-(std::int64_t{1} << 31)), Error);
    EXPECT_EQ(Exact(kLargest) * Exact(-1), Exact(-kLargest));
    // What can be reduced first does not overflow on the way.
    EXPECT_EQ(Exact(kLargest, 3) * Exact(3, kLargest), Exact(1));
    EXPECT_EQ(Exact(1, kLargest) + Exact(1, kLargest), Exact(2, kLargest));
    EXPECT_EQ(Exact(1, kHuge) + Exact(1, kHuge), Exact(2, kHuge));
    try {
        Exact(kLargest) + Exact(1);
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "a total needs more than 64 bits: make the sizes smaller");
    }
}

RC_GTEST_PROP(Exact, arithmetic_has_the_laws_of_a_field, ()) {
    const auto draw = [] {
        return Exact(*rc::gen::inRange<std::int64_t>(-1000, 1001),
                     *rc::gen::inRange<std::int64_t>(1, 1001));
    };
    const Exact a = draw();
    const Exact b = draw();
    const Exact c = draw();
    RC_ASSERT(a + b == b + a);
    RC_ASSERT(a * b == b * a);
    RC_ASSERT((a + b) * c == a * c + b * c);
    RC_ASSERT(a + b - b == a);
    if (b.numerator() > 0) RC_ASSERT(a * b / b == a);
}

TEST(ParseExact, reads_integers_fractions_and_decimals) {
    EXPECT_EQ(parse_exact("13/32"), Exact(13, 32));
    EXPECT_EQ(parse_exact("1"), Exact(1));
    EXPECT_EQ(parse_exact("0"), Exact(0));
    EXPECT_EQ(parse_exact("0.25"), Exact(1, 4));
    EXPECT_EQ(parse_exact("2.05"), Exact(41, 20));
    EXPECT_EQ(parse_exact("1.0"), Exact(1));
    EXPECT_EQ(parse_exact("999999999/999999998"), Exact(999999999, 999999998));
    EXPECT_EQ(parse_exact("0.123456789"), Exact(123456789, 1000000000));
}

TEST(ParseExact, refuses_everything_else_by_its_text) {
    for (const char* text :
         {"", "-1", "+1", "1/", "/2", "1/0", "1/-2", "0.", ".5", "1e3", "1/2/3", "1.2.3", "1 ",
          "0x1", "1234567890", "1/1234567890", "0.1234567890", ":", "/"})
        EXPECT_EQ(refusal(text),
                  "'" + std::string(text) + "': expected a fraction like 13/32, 1 or 0.25");
    EXPECT_EQ(refusal("a\nb"), "'a?b': expected a fraction like 13/32, 1 or 0.25");
}

}  // namespace
}  // namespace capra::model
