// C++ mutants: every operator does what its name says, and what is constant is left alone.
#include "mutation/cxx_number.hpp"
#include "mutation/cxx_schema.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace capra::mutation::cxx {
namespace {

using Changes = std::vector<std::string>;

std::vector<Mutant> mutants_of(const std::string& text) {
    return make_schema({"f.cpp", text}, 1).mutants;
}

/// "original -> replacement" of the mutants of an operator in a file.
Changes changes_in(const std::string& file, const std::string& op) {
    Changes found;
    for (const Mutant& mutant : mutants_of(file))
        if (mutant.op == op) found.push_back(mutant.original + " -> " + mutant.replacement);
    return found;
}

/// The same for a file with a function that has this body.
Changes changes(const std::string& body, const std::string& op) {
    return changes_in("void f() { " + body + " }", op);
}

/// All mutants of the body.
std::size_t count(const std::string& body) {
    return mutants_of("void f() { " + body + " }").size();
}

TEST(MutationCxxOperators, relational_moves_the_border_and_turns_the_direction) {
    EXPECT_EQ(changes("g(a < b);", "relational"), (Changes{"< -> <=", "< -> >="}));
    EXPECT_EQ(changes("g(a >= b);", "relational"), (Changes{">= -> >", ">= -> <"}));
    EXPECT_EQ(changes("g(a == b, c != d);", "relational"), (Changes{"== -> !=", "!= -> =="}));
}

TEST(MutationCxxOperators, arithmetic_exchanges_operators_assignments_steps_and_signs) {
    EXPECT_EQ(changes("g(a + b * c % d);", "arithmetic"), (Changes{"+ -> -", "% -> /", "* -> +"}));
    EXPECT_EQ(changes("a += b; c <<= d; e /= g;", "arithmetic"),
              (Changes{"+= -> -=", "<<= -> >>=", "/= -> *="}));
    EXPECT_EQ(changes("++a; g(b--);", "arithmetic"), (Changes{"++ -> --", "-- -> ++"}));
    EXPECT_EQ(changes("g(-a);", "arithmetic"), Changes{"-a -> a"});
    EXPECT_EQ(changes("g(\"a\" + b + std::to_string(c));", "arithmetic"), Changes{});
    EXPECT_EQ(changes("for (; a < b; ++a) g(); for (; a < b; a += c) g();", "arithmetic"),
              Changes{});
}

TEST(MutationCxxOperators, logical_drops_each_term_of_a_chain_once) {
    EXPECT_EQ(
        changes("g(a && b && c);", "logical"),
        (Changes{"&& -> ||", "a && b && c -> a && b", "&& -> ||", "a && b -> a", "a && b -> b"}));
    EXPECT_EQ(changes("g(a || (b && c));", "logical").size(), 6U);
    EXPECT_EQ(changes("g(!a);", "logical"), Changes{"!a -> a"});
}

TEST(MutationCxxOperators, bitwise_exchanges_operators_and_drops_inversions) {
    EXPECT_EQ(changes("g(a & ~b);", "bitwise"), (Changes{"& -> |", "& -> ^", "~b -> b"}));
    EXPECT_EQ(changes("a |= b; c ^= d;", "bitwise"), (Changes{"|= -> &=", "^= -> |="}));
}

TEST(MutationCxxOperators, constants_move_by_one_in_their_own_base) {
    EXPECT_EQ(changes("g(7, 0, 0xffU, 010, 0b11, 1'000, 0U);", "constant"),
              (Changes{"7 -> 8", "7 -> 6", "0 -> 1", "0xffU -> 0x100U", "0xffU -> 0xfeU",
                       "010 -> 011", "010 -> 07", "0b11 -> 0b100", "0b11 -> 0b10", "1'000 -> 1001",
                       "1'000 -> 999", "0U -> 1U"}));
    EXPECT_EQ(changes("g(0.5, 0.0, 1e-3f, true);", "constant"),
              (Changes{"0.5 -> (2 * 0.5)", "0.0 -> 1.0", "1e-3f -> (2 * 1e-3f)", "true -> false"}));
    EXPECT_EQ(neighbours("18446744073709551615").above, "");
    EXPECT_EQ(neighbours("99999999999999999999").above, "");
}

TEST(MutationCxxOperators, a_bound_moves_where_the_border_of_the_ordering_does_not) {
    EXPECT_EQ(changes("g(a < n, a <= n.b, a > n, a >= n.size());", "off_by_one"),
              (Changes{"n -> (n - 1)", "n.b -> (n.b + 1)", "n -> (n + 1)",
                       "n.size() -> (n.size() - 1)"}));
    EXPECT_EQ(changes("g(a < 4, a <= 4, a > 4, a >= 4, a == 4, a < 0);", "constant"),
              (Changes{"4 -> 3", "4 -> 5", "4 -> 5", "4 -> 3", "4 -> 5", "4 -> 3", "0 -> 1"}));
    EXPECT_EQ(changes("g(a == n, a < n + 1);", "off_by_one"), Changes{});
}

TEST(MutationCxxOperators, conditions_are_negated_unless_another_operator_does_it) {
    EXPECT_EQ(changes("if (a) g(); while (b.c()) g(); g(d ? e : h);", "condition_negation"),
              (Changes{"a -> !(a)", "b.c() -> !(b.c())", "d -> !(d)"}));
    EXPECT_EQ(changes("if (a && b) g();", "condition_negation"), Changes{"a && b -> !(a && b)"});
    EXPECT_EQ(changes("if (a < b) g(); if (!a) g(); while (true) g();", "condition_negation"),
              Changes{});
    EXPECT_EQ(changes("if (const auto* a = b()) g();", "condition_negation"),
              Changes{"const auto* a = b() -> const auto* a = b(); !a"});
    EXPECT_EQ(changes("if (int a = b(); a) g();", "condition_negation"), Changes{"a -> !(a)"});
}

TEST(MutationCxxOperators, statements_that_act_are_deleted) {
    EXPECT_EQ(changes("a = b; g(c); ++d; int e = b; return;", "statement_deletion"),
              (Changes{"a = b; -> ;", "g(c); -> ;", "++d; -> ;"}));
    EXPECT_EQ(changes("fail(a, \"b\"); throw c; a.reserve(9);", "statement_deletion"),
              Changes{"fail(a, \"b\"); -> ;"});
    EXPECT_EQ(changes("for (;;) { if (a) break; if (b) continue; }", "statement_deletion"),
              (Changes{"break; -> ;", "continue; -> ;"}));
    EXPECT_EQ(changes("for (;;) switch (a) { case 1: g(); break; default: continue; }",
                      "statement_deletion"),
              (Changes{"g(); -> ;", "continue; -> ;"}));
    EXPECT_EQ(changes("switch (a) { default: while (b) break; }", "statement_deletion"),
              Changes{"break; -> ;"});
}

TEST(MutationCxxOperators, operands_are_swapped_where_their_order_counts) {
    EXPECT_EQ(changes("g(a - b, c << d, e + h, i / i);", "operand_swap"),
              (Changes{"a - b -> b - a", "c << d -> d << c"}));
    EXPECT_EQ(changes("g(a - b - c % d);", "operand_swap"),
              (Changes{"a - b - c % d -> (c % d) - (a - b)", "a - b -> b - a", "c % d -> d % c"}));
}

TEST(MutationCxxOperators, functions_are_exchanged_with_their_opposite) {
    EXPECT_EQ(
        changes("g(std::max<int>(a, b), std::floor(c), d.front(), std::ranges::any_of(e, h));",
                "function_exchange"),
        (Changes{"max -> min", "floor -> ceil", "front -> back", "any_of -> none_of"}));
    EXPECT_EQ(changes("g(std::numeric_limits<int>::max());", "function_exchange"),
              Changes{"max -> min"});
    EXPECT_EQ(changes("g(max, a.maximum());", "function_exchange"), Changes{});
}

TEST(MutationCxxOperators, a_widening_conversion_loses_its_sign) {
    EXPECT_EQ(
        changes("g(std::int64_t{a[i]}, std::int64_t{1}, std::uint64_t{b});", "signedness_drop"),
        Changes{"a[i] -> "
                "static_cast<std::make_unsigned_t<std::remove_cvref_t<decltype(a[i])>>>(a[i])"});
}

TEST(MutationCxxOperators, returned_truth_and_numbers_change) {
    EXPECT_EQ(changes_in("bool f() { return g(); }", "return_value"), Changes{"g() -> !(g())"});
    EXPECT_EQ(changes_in("bool f() { return a < b; }", "return_value"), Changes{});
    EXPECT_EQ(changes_in("std::uint32_t f() { return a; }", "return_value"),
              Changes{"a -> (a) + 1"});
    EXPECT_EQ(changes_in("int f() { return 3; }", "return_value"), Changes{});
    EXPECT_EQ(changes_in("bool f() { g([&](int a) { return a; }); return h; }", "return_value"),
              Changes{"h -> !(h)"});
    EXPECT_EQ(changes_in("Matrix f() { return a; }", "return_value"), Changes{});
}

TEST(MutationCxxOperators, what_is_constant_or_no_code_is_left_alone) {
    EXPECT_EQ(count("constexpr int a = 1 + 2; static constexpr int b[] = {1, 2};"), 0U);
    EXPECT_EQ(count("static_assert(1 + 2 == 3); using A = B<4>; int c[5];"), 0U);
    EXPECT_EQ(count("assert(a < 1); throw Error(fmt::format(\"{}\", a + 1));"), 0U);
    EXPECT_EQ(count("auto a = g<3>(b); auto c = sizeof(int[4]);"), 0U);
    EXPECT_EQ(count("switch (a) { case 3: case B + 1: break; }"), 0U);
    EXPECT_EQ(count("if constexpr (a < 3) return;"), 0U);
    EXPECT_EQ(count("struct { int a = 3; } b;"), 0U);
    EXPECT_EQ(
        mutants_of("namespace a { int b = 1 + 2; enum C { d = 3 }; void e(int f = 4); }").size(),
        0U);
    EXPECT_EQ(
        mutants_of("template <int A = 3> struct B { int c = 4; void d(int e = 5) {} };").size(),
        0U);
}

TEST(MutationCxxOperators, only_what_a_message_says_is_left_alone_not_that_it_is_given) {
    EXPECT_EQ(count("fail(a + 1, fmt::format(\"{}\", b - 1));"), 1U);
    EXPECT_EQ(changes("find(a + 1, fmt::format(\"{}\", b - 1));", "arithmetic"), Changes{"+ -> -"});
}

TEST(MutationCxxOperators, ids_name_place_and_operator_and_are_unique) {
    const auto mutants = mutants_of("int f() {\n    return a + 2;\n}");
    ASSERT_EQ(mutants.size(), 4U);
    EXPECT_EQ(mutants[0].id, "f.cpp:2:12:return_value:0");
    EXPECT_EQ(mutants[1].id, "f.cpp:2:14:arithmetic:0");
    EXPECT_EQ(mutants[2].id, "f.cpp:2:16:constant:0");
    EXPECT_EQ(mutants[3].id, "f.cpp:2:16:constant:1");
    EXPECT_EQ(mutants[1].suite, "cpp");
}

}  // namespace
}  // namespace capra::mutation::cxx
