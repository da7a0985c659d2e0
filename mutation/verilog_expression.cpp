#include "mutation/verilog_expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace capra::mutation {
namespace {

/// Binary operators from the loosest to the tightest.
constexpr std::array<std::array<std::string_view, 4>, 11> kLevels = {{
    {"||"},
    {"&&"},
    {"|"},
    {"^", "~^", "^~"},
    {"&"},
    {"==", "!=", "===", "!=="},
    {"<", "<=", ">", ">="},
    {"<<", ">>", "<<<", ">>>"},
    {"+", "-"},
    {"*", "/", "%"},
    {"**"},
}};
constexpr std::array<std::string_view, 11> kUnary = {"!", "~",  "-",  "+",  "&", "|",
                                                     "^", "~&", "~|", "~^", "^~"};

template <std::size_t N>
bool one_of(const std::array<std::string_view, N>& set, std::string_view text) {
    for (const std::string_view candidate : set)
        if (!candidate.empty() && candidate == text) return true;
    return false;
}

/// "{" expression {"{" operands "}"} or operands "}"
Expr parse_braces(TokenCursor& cursor) {
    Expr expr{.kind = Expr::Kind::concat, .span = {cursor.begin(), 0}};
    cursor.expect("{");
    expr.parts.push_back(parse_expression(cursor));
    if (cursor.accept("{")) {
        expr.kind = Expr::Kind::replication;
        do expr.parts.push_back(parse_expression(cursor));
        while (cursor.accept(","));
        cursor.expect("}");
    } else {
        while (cursor.accept(",")) expr.parts.push_back(parse_expression(cursor));
    }
    cursor.expect("}");
    expr.span.end = cursor.end();
    return expr;
}

/// "[" expression [(":" | "+:" | "-:") expression] "]" behind `base`
Expr parse_select(TokenCursor& cursor, Expr base) {
    Expr expr{.kind = Expr::Kind::select, .span = base.span};
    expr.parts.push_back(std::move(base));
    cursor.expect("[");
    expr.parts.push_back(parse_expression(cursor));
    if (cursor.text() != "]") {
        expr.op = cursor.peek().span;
        if (!cursor.accept(":") && !cursor.accept("+:") && !cursor.accept("-:")) cursor.fail("']'");
        expr.parts.push_back(parse_expression(cursor));
    }
    cursor.expect("]");
    expr.span.end = cursor.end();
    return expr;
}

/// name {"[" ... "]" | "." name}; whatever ends in a dotted name is one hierarchical name.
Expr parse_reference(TokenCursor& cursor) {
    Expr expr{.kind = Expr::Kind::name, .span = cursor.expect_word("a name").span};
    for (;;) {
        if (cursor.text() == "[") {
            expr = parse_select(cursor, std::move(expr));
        } else if (cursor.accept(".")) {
            cursor.expect_word("a name");
            expr = {.kind = Expr::Kind::name, .span = {expr.span.begin, cursor.end()}};
        } else {
            return expr;
        }
    }
}

/// callee "(" [expression {"," expression}] ")"
Expr parse_call(TokenCursor& cursor) {
    Expr expr{.kind = Expr::Kind::call, .span = cursor.peek().span, .op = cursor.peek().span};
    cursor.take();
    cursor.expect("(");
    do expr.parts.push_back(parse_expression(cursor));
    while (cursor.accept(","));
    cursor.expect(")");
    expr.span.end = cursor.end();
    return expr;
}

Expr parse_primary(TokenCursor& cursor) {
    const Token token = cursor.peek();
    if (token.kind == TokenKind::number || token.kind == TokenKind::string) {
        cursor.take();
        return {.kind = token.kind == TokenKind::number ? Expr::Kind::number : Expr::Kind::string,
                .span = token.span};
    }
    if (token.kind == TokenKind::system) return parse_call(cursor);
    if (token.kind == TokenKind::word)
        return cursor.text(1) == "(" ? parse_call(cursor) : parse_reference(cursor);
    if (cursor.text() == "{") return parse_braces(cursor);
    if (cursor.accept("(")) {
        Expr expr{.kind = Expr::Kind::paren, .span = token.span};
        expr.parts.push_back(parse_expression(cursor));
        cursor.expect(")");
        expr.span.end = cursor.end();
        return expr;
    }
    cursor.fail("an expression");
}

Expr parse_unary(TokenCursor& cursor) {
    if (!one_of(kUnary, cursor.text())) return parse_primary(cursor);
    Expr expr{.kind = Expr::Kind::unary, .span = cursor.peek().span, .op = cursor.peek().span};
    cursor.take();
    expr.parts.push_back(parse_unary(cursor));
    expr.span.end = cursor.end();
    return expr;
}

/// Left-associative, one level after the other.
Expr parse_binary(TokenCursor& cursor, std::size_t level) {
    if (level == kLevels.size()) return parse_unary(cursor);
    Expr left = parse_binary(cursor, level + 1);
    while (cursor.peek().kind == TokenKind::symbol && one_of(kLevels[level], cursor.text())) {
        Expr expr{.kind = Expr::Kind::binary, .span = left.span, .op = cursor.peek().span};
        cursor.take();
        expr.parts.push_back(std::move(left));
        expr.parts.push_back(parse_binary(cursor, level + 1));
        expr.span.end = cursor.end();
        left = std::move(expr);
    }
    return left;
}

}  // namespace

TokenCursor::TokenCursor(const SourceFile& source) : source_(source) {
    for (const Token& token : tokenize(source))
        if (token.kind != TokenKind::space && token.kind != TokenKind::comment)
            tokens_.push_back(token);
}

const Token& TokenCursor::peek(std::size_t ahead) const {
    return tokens_[std::min(next_ + ahead, tokens_.size() - 1)];
}

Token TokenCursor::take() {
    const Token token = peek();
    if (token.kind == TokenKind::end) fail("more");
    end_ = token.span.end;
    ++next_;
    return token;
}

bool TokenCursor::accept(std::string_view wanted) {
    if (peek().kind == TokenKind::string || text() != wanted) return false;
    take();
    return true;
}

void TokenCursor::expect(std::string_view wanted) {
    if (!accept(wanted)) fail(fmt::format("'{}'", wanted));
}

Token TokenCursor::expect_word(std::string_view role) {
    if (peek().kind != TokenKind::word) fail(role);
    return take();
}

void TokenCursor::fail(std::string_view wanted) const {
    const std::string found = at_end() ? "the end of the file" : fmt::format("'{}'", text());
    source_.fail(begin(), fmt::format("expected {}, found {}", wanted, found));
}

Expr parse_expression(TokenCursor& cursor) {
    Expr first = parse_binary(cursor, 0);
    if (!cursor.accept("?")) return first;
    Expr expr{.kind = Expr::Kind::ternary, .span = first.span};
    expr.parts.push_back(std::move(first));
    expr.parts.push_back(parse_expression(cursor));
    cursor.expect(":");
    expr.parts.push_back(parse_expression(cursor));
    expr.span.end = cursor.end();
    return expr;
}

Expr parse_target(TokenCursor& cursor) {
    return cursor.text() == "{" ? parse_braces(cursor) : parse_reference(cursor);
}

}  // namespace capra::mutation
