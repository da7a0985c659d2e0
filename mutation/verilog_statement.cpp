#include "mutation/verilog_statement.hpp"

#include <charconv>
#include <string>
#include <utility>

namespace capra::mutation {
namespace {

std::optional<unsigned> plain_number(std::string_view text) {
    unsigned value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

/// {"reg" shape name {"," name} ";"}
void parse_variables(TokenCursor& cursor, Scope& scope) {
    while (cursor.accept("reg")) {
        const Signal shape = parse_shape(cursor);
        do scope.signals.push_back(parse_declared_name(cursor, shape));
        while (cursor.accept(","));
        cursor.expect(";");
    }
}

/// "begin" [":" name] variables {statement} "end"
Statement parse_block(TokenCursor& cursor, Scope& scope) {
    Statement block{.kind = Statement::Kind::block, .span = {cursor.begin(), 0}};
    cursor.expect("begin");
    if (cursor.accept(":")) cursor.expect_word("a block name");
    parse_variables(cursor, scope);
    while (!cursor.accept("end")) block.body.push_back(parse_statement(cursor, scope));
    block.span.end = cursor.end();
    return block;
}

/// "if" "(" condition ")" statement ["else" statement]
Statement parse_conditional(TokenCursor& cursor, Scope& scope) {
    Statement statement{.kind = Statement::Kind::conditional, .span = {cursor.begin(), 0}};
    cursor.expect("if");
    cursor.expect("(");
    statement.subject = parse_expression(cursor);
    cursor.expect(")");
    statement.body.push_back(parse_statement(cursor, scope));
    if (cursor.accept("else")) statement.body.push_back(parse_statement(cursor, scope));
    statement.span.end = cursor.end();
    return statement;
}

/// "case" "(" subject ")" {labels ":" statement | "default" [":"] statement} "endcase"
Statement parse_choice(TokenCursor& cursor, Scope& scope) {
    Statement statement{.kind = Statement::Kind::choice, .span = {cursor.begin(), 0}};
    cursor.expect("case");
    cursor.expect("(");
    statement.subject = parse_expression(cursor);
    cursor.expect(")");
    while (!cursor.accept("endcase")) {
        if (cursor.accept("default")) {
            cursor.accept(":");
        } else {
            do parse_expression(cursor);
            while (cursor.accept(","));
            cursor.expect(":");
        }
        statement.body.push_back(parse_statement(cursor, scope));
    }
    statement.span.end = cursor.end();
    return statement;
}

/// target ("=" | "<=") expression ";"
Statement parse_assignment(TokenCursor& cursor) {
    Statement statement{.kind = Statement::Kind::assignment, .span = {cursor.begin(), 0}};
    if (cursor.peek().kind != TokenKind::word && cursor.text() != "{") cursor.fail("a statement");
    statement.target = parse_target(cursor);
    if (!cursor.accept("<=")) cursor.expect("=");
    statement.value = parse_expression(cursor);
    cursor.expect(";");
    statement.span.end = cursor.end();
    return statement;
}

}  // namespace

Signal parse_shape(TokenCursor& cursor) {
    Signal shape{.width = 1};
    shape.is_signed = cursor.accept("signed");
    const std::size_t begin = cursor.begin();
    if (!cursor.accept("[")) return shape;
    const Span msb = parse_expression(cursor).span;
    cursor.expect(":");
    const Span lsb = parse_expression(cursor).span;
    cursor.expect("]");
    shape.range = cursor.source().at({begin, cursor.end()});
    const auto high = plain_number(cursor.source().at(msb));
    const auto low = plain_number(cursor.source().at(lsb));
    shape.width = high && low && *low == 0 ? std::optional(*high + 1) : std::nullopt;
    return shape;
}

Signal parse_declared_name(TokenCursor& cursor, Signal shape) {
    shape.name = cursor.source().at(cursor.expect_word("a name").span);
    shape.is_memory = cursor.accept("[");
    if (shape.is_memory) {  // its bounds are of no interest
        parse_expression(cursor);
        cursor.expect(":");
        parse_expression(cursor);
        cursor.expect("]");
    }
    return shape;
}

Statement parse_statement(TokenCursor& cursor, Scope& scope) {
    if (cursor.text() == "begin") return parse_block(cursor, scope);
    if (cursor.text() == "if") return parse_conditional(cursor, scope);
    if (cursor.text() == "case") return parse_choice(cursor, scope);
    if (cursor.text() != ";") return parse_assignment(cursor);
    cursor.take();
    return {.kind = Statement::Kind::empty, .span = {cursor.end() - 1, cursor.end()}};
}

}  // namespace capra::mutation
