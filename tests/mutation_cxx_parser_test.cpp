// C++ expressions and functions: operands reach as far as precedence says.
#include "isa/error.hpp"
#include "isa/files.hpp"
#include "mutation/cxx_parser.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace capra::mutation::cxx {
namespace {

using Kind = Expression::Kind;
using Texts = std::vector<std::string>;

/// Every operation in brackets, its operator first; what cannot be told apart as text.
std::string shape(const SourceFile& source, const Expression& expr) {
    std::string parts;
    for (const Expression& part : expr.parts) parts += " " + shape(source, part);
    const std::string op(source.at(expr.op));
    const std::string head(source.at(expr.head));
    switch (expr.kind) {
        case Kind::paren:
            return "(paren" + parts + ")";
        case Kind::list:
            return "{" + parts + " }";
        case Kind::construct:
            return "(make " + head + parts + ")";
        case Kind::call:
            return "(call" + parts + ")";
        case Kind::index:
            return "(index" + parts + ")";
        case Kind::member:
            return "(" + op + head + parts + ")";
        case Kind::cast:
            return "(cast " + head + parts + ")";
        case Kind::postfix:
            return "(post" + op + parts + ")";
        case Kind::lambda:
            return "(lambda of " + std::to_string(expr.body.size()) + ")";
        case Kind::prefix:
        case Kind::binary:
        case Kind::assign:
        case Kind::ternary:
            return "(" + op + parts + ")";
        default:
            return std::string(source.at(expr.span));
    }
}

std::string shape(const std::string& text) {
    const SourceFile source{"f.cpp", text};
    const BracketedTokens tokens(source);
    return shape(source, Parser(tokens).whole_expression());
}

Texts function_names(const std::string& text) {
    const SourceFile source{"f.cpp", text};
    const BracketedTokens tokens(source);
    Texts names;
    for (const Function& function : Parser(tokens).functions())
        names.push_back(function.return_type + " " + function.name);
    return names;
}

std::string error_of(const std::string& text) {
    try {
        function_names(text);
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

TEST(MutationCxxExpression, operands_reach_as_far_as_precedence_says) {
    EXPECT_EQ(shape("a + b * c - d"), "(- (+ a (* b c)) d)");
    EXPECT_EQ(shape("a << b + 1 < c == d & e"), "(& (== (< (<< a (+ b 1)) c) d) e)");
    EXPECT_EQ(shape("a || b && c | d ^ e"), "(|| a (&& b (| c (^ d e))))");
    EXPECT_EQ(shape("a = b ? c : d ? e : f"), "(= a (? b c (? d e f)))");
    EXPECT_EQ(shape("a += b = c"), "(+= a (= b c))");
    EXPECT_EQ(shape("a = 1, b = 2"), "(, (= a 1) (= b 2))");
}

TEST(MutationCxxExpression, prefixes_bind_closer_than_operators_and_looser_than_postfixes) {
    EXPECT_EQ(shape("!a && -b.c[i] * ~d++"), "(&& (! a) (* (- (index (.c b) i)) (~ (post++ d))))");
    EXPECT_EQ(shape("*p->q(x) - &y"), "(- (* (call (->q p) x)) (& y))");
    EXPECT_EQ(shape("a.*b.c != d"), "(!= (.* a (.c b)) d)");
}

TEST(MutationCxxExpression, calls_casts_and_braces_are_one_operand) {
    EXPECT_EQ(shape("std::max<int>(a, 0) + std::size_t{t} * x"),
              "(+ (call std::max<int> a 0) (* (make std::size_t t) x))");
    EXPECT_EQ(shape("static_cast<std::vector<int>>(a) == b"), "(== (cast std::vector<int> a) b)");
    EXPECT_EQ(shape("f({1, {x + 1}}, {.a = b, .c = {d}})"),
              "(call f { 1 { (+ x 1) } } { b { d } })");
    EXPECT_EQ(shape("sizeof(int) * \"a\" \"b\"[i]"), "(* sizeof(int) (index \"a\" \"b\" i))");
}

TEST(MutationCxxExpression, a_lambda_is_one_operand_with_statements) {
    EXPECT_EQ(shape("f([&](int a) -> double { g(a); return a; }, b) + 1"),
              "(+ (call f (lambda of 2) b) 1)");
    EXPECT_EQ(shape("[] { return 1; }()"), "(call (lambda of 1))");
}

TEST(MutationCxxFunction, functions_are_found_in_namespaces_and_classes) {
    EXPECT_EQ(
        function_names("namespace a {\n"
                       "int limit = f(3);\n"
                       "std::vector<int> values{1, 2};\n"
                       "[[nodiscard]] inline const B& C::get(int x) const noexcept { return b; }\n"
                       "int declared(int x);\n"
                       "class D : public E {\n"
                       "  public:\n"
                       "    D(int a) : E{a}, b_(a) { f(); }\n"
                       "    D& operator=(const D&) = delete;\n"
                       "    bool operator==(const D& d) const { return b_ == d.b_; }\n"
                       "  private:\n"
                       "    int b_ = 0;\n"
                       "};\n"
                       "template <typename T>\n"
                       "T last(T t) { return t; }\n"
                       "}  // namespace a\n"),
        (Texts{"constB& C::get", " D", "bool operator==", "T last"}));
}

TEST(MutationCxxFunction, constant_functions_are_left_alone) {
    EXPECT_EQ(function_names("constexpr int f(int a) { return a + 1; }\n"
                             "static consteval int g() { return 1; }\n"
                             "int h() { return 2; }"),
              Texts{"int h"});
}

TEST(MutationCxxFunction, what_is_not_understood_is_an_error_with_its_place) {
    EXPECT_EQ(error_of("int f() {\n    return new int;\n}"),
              "f.cpp:2:12: expected an expression without new, delete, throw or typename, found "
              "'new'");
    EXPECT_EQ(error_of("int f() { a b c; d e = ; }"),
              "f.cpp:1:24: expected an expression, found ';'");
}

}  // namespace
}  // namespace capra::mutation::cxx
