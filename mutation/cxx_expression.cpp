// Expressions by precedence climbing:
//   assignment = binary [? expression : assignment] | binary assign-op initialiser
//   binary     = prefix { op prefix }
//   prefix     = op prefix | postfix
//   postfix    = primary { (args) | [index] | .member | {elements} | ++ | -- }
#include "mutation/cxx_parser.hpp"

#include <algorithm>
#include <array>

namespace capra::mutation::cxx {
namespace {

using Kind = Expression::Kind;

struct Level {
    std::string_view op;
    int level;
};

constexpr std::array<Level, 21> kLevels = {{
    {"||", 1}, {"&&", 2}, {"|", 3},  {"^", 4},  {"&", 5},   {"==", 6},  {"!=", 6},
    {"<", 7},  {"<=", 7}, {">", 7},  {">=", 7}, {"<=>", 8}, {"<<", 9},  {">>", 9},
    {"+", 10}, {"-", 10}, {"*", 11}, {"/", 11}, {"%", 11},  {".*", 12}, {"->*", 12},
}};
constexpr std::array<std::string_view, 11> kAssignments = {
    "=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^="};
constexpr std::array<std::string_view, 8> kPrefixes = {"!", "-", "+", "~", "*", "&", "++", "--"};
constexpr std::array<std::string_view, 4> kCasts = {"static_cast", "const_cast", "reinterpret_cast",
                                                    "dynamic_cast"};
constexpr std::array<std::string_view, 4> kUnevaluated = {"sizeof", "alignof", "decltype",
                                                          "noexcept"};

template <std::size_t Size>
bool one_of(const std::array<std::string_view, Size>& set, std::string_view text) {
    return std::ranges::find(set, text) != set.end();
}

int level_of(std::string_view op) {
    const auto found = std::ranges::find(kLevels, op, &Level::op);
    return found == kLevels.end() ? 0 : found->level;
}

Expression node(Kind kind, Span op, std::vector<Expression> parts) {
    const Span span{parts.front().span.begin, parts.back().span.end};
    return {
        .kind = kind, .span = span, .op = op, .head = {}, .parts = std::move(parts), .body = {}};
}

template <typename... Parts>
std::vector<Expression> list_of(Parts&&... parts) {
    std::vector<Expression> list;
    (list.push_back(std::forward<Parts>(parts)), ...);
    return list;
}

}  // namespace

Expression Parser::whole_expression() {
    Expression whole = expression();
    if (tokens_[at_].kind != TokenKind::end) misfit("the end of the expression");
    return whole;
}

Expression Parser::expression() {
    Expression left = assignment();
    while (at(",")) {
        const Span op = tokens_[at_++].span;
        left = node(Kind::binary, op, list_of(std::move(left), assignment()));
    }
    return left;
}

Expression Parser::assignment() {
    Expression left = binary(1);
    if (at("?")) {
        const Span op = tokens_[at_++].span;
        Expression yes = expression();
        expect(":");
        return node(Kind::ternary, op, list_of(std::move(left), std::move(yes), assignment()));
    }
    if (tokens_[at_].kind == TokenKind::symbol && one_of(kAssignments, tokens_.text(at_))) {
        const Span op = tokens_[at_++].span;
        return node(Kind::assign, op, list_of(std::move(left), initialiser()));
    }
    return left;
}

Expression Parser::binary(int least) {
    Expression left = prefix();
    for (;;) {
        const bool is_operator =
            tokens_[at_].kind == TokenKind::symbol && tokens_.partner(at_) == at_;
        const int level = is_operator ? level_of(tokens_.text(at_)) : 0;
        if (level < least || level == 0) return left;
        const Span op = tokens_[at_++].span;
        left = node(Kind::binary, op, list_of(std::move(left), binary(level + 1)));
    }
}

Expression Parser::prefix() {
    if (tokens_[at_].kind != TokenKind::symbol || !one_of(kPrefixes, tokens_.text(at_)))
        return postfix();
    const Span op = tokens_[at_++].span;
    Expression result = node(Kind::prefix, op, list_of(prefix()));
    result.span.begin = op.begin;
    return result;
}

Expression Parser::postfix() {
    Expression result = primary();
    for (;;) {
        const std::size_t first = result.span.begin;
        const Span op = tokens_[at_].span;
        if (at("(") || at("[")) {
            const bool is_call = at("(");
            std::vector<Expression> parts = list_of(std::move(result));
            elements(parts, is_call ? ")" : "]");
            result = {.kind = is_call ? Kind::call : Kind::index,
                      .span = {first, done()},
                      .op = op,
                      .head = {},
                      .parts = std::move(parts),
                      .body = {}};
        } else if (at(".") || at("->")) {
            ++at_;
            skip("template");
            const std::size_t name = begin();
            if (!skip_name()) misfit("a member");
            result = {.kind = Kind::member,
                      .span = {first, done()},
                      .op = op,
                      .head = {name, done()},
                      .parts = list_of(std::move(result)),
                      .body = {}};
        } else if (at("++") || at("--")) {
            ++at_;
            result = node(Kind::postfix, op, list_of(std::move(result)));
            result.span.end = op.end;
        } else if (at("...")) {
            ++at_;
            result.span.end = op.end;
        } else {
            return result;
        }
    }
}

Expression Parser::primary() {
    const Span here = tokens_[at_].span;
    switch (tokens_[at_].kind) {
        case TokenKind::number:
            ++at_;
            return {.kind = Kind::number, .span = here};
        case TokenKind::character:
            ++at_;
            return {.kind = Kind::literal, .span = here};
        case TokenKind::string:
            while (tokens_[at_].kind == TokenKind::string) ++at_;
            return {.kind = Kind::literal, .span = {here.begin, done()}};
        case TokenKind::word:
            return word_primary();
        default:
            break;
    }
    if (at("[")) return lambda();
    if (at("{")) return initialiser();
    if (at("::")) return word_primary();
    if (!at("(")) misfit("an expression");
    ++at_;
    std::vector<Expression> inside = list_of(expression());
    expect(")");
    return {.kind = Kind::paren,
            .span = {here.begin, done()},
            .op = here,
            .head = {},
            .parts = std::move(inside),
            .body = {}};
}

Expression Parser::word_primary() {
    const Span here = tokens_[at_].span;
    const std::string_view word = tokens_.text(at_);
    if (one_of(kCasts, word)) return cast();
    if (one_of(kUnevaluated, word) || word == "requires") {
        ++at_;
        while (at("(") || at("{")) skip_group();
        return {.kind = Kind::opaque, .span = {here.begin, done()}};
    }
    const bool is_boolean = word == "true" || word == "false";
    if (is_boolean || word == "nullptr" || word == "this") {
        ++at_;
        return {.kind = is_boolean ? Kind::boolean : Kind::literal, .span = here};
    }
    if (word == "new" || word == "delete" || word == "throw" || word == "typename")
        misfit("an expression without new, delete, throw or typename");
    if (!skip_name()) misfit("a name");
    const Span name{here.begin, done()};
    if (!at("{")) return {.kind = Kind::name, .span = name};
    Expression made{.kind = Kind::construct,
                    .span = name,
                    .op = tokens_[at_].span,
                    .head = name,
                    .parts = {},
                    .body = {}};
    elements(made.parts, "}");
    made.span.end = done();
    return made;
}

/// name<type>(operand)
Expression Parser::cast() {
    const std::size_t first = begin();
    const Span op = tokens_[at_++].span;
    if (!tokens_.opens_template(at_)) misfit("the type to cast to");
    const Span type{tokens_[at_].span.end, tokens_[tokens_.partner(at_)].span.begin};
    skip_group();
    expect("(");
    std::vector<Expression> operand = list_of(expression());
    expect(")");
    return {.kind = Kind::cast,
            .span = {first, done()},
            .op = op,
            .head = type,
            .parts = std::move(operand),
            .body = {}};
}

/// [captures] [<parameters>] [(parameters)] [mutable] [-> type] { body }
Expression Parser::lambda() {
    const std::size_t first = begin();
    skip_group();
    if (tokens_.opens_template(at_)) skip_group();
    if (at("(")) skip_group();
    skip("mutable");
    if (skip("->")) {
        skip("const");
        if (!skip_name()) misfit("the type that the lambda returns");
        while (skip("*") || skip("&")) {
        }
    }
    if (!at("{")) misfit("the body of a lambda");
    std::vector<Statement> body = block_body();
    return {.kind = Kind::lambda,
            .span = {first, done()},
            .op = {},
            .head = {},
            .parts = {},
            .body = std::move(body)};
}

/// Everything up to the closing bracket of the one that is here, designators left out.
void Parser::elements(std::vector<Expression>& into, std::string_view closing) {
    ++at_;
    while (!skip(closing)) {
        if (at(".") && tokens_[at_ + 1].kind == TokenKind::word) {
            at_ += 2;
            if (!at("{")) expect("=");
        }
        into.push_back(initialiser());
        if (!at(closing)) expect(",");
    }
}

/// An expression without commas, or a list in braces.
Expression Parser::initialiser() {
    if (!at("{")) return assignment();
    Expression list{
        .kind = Kind::list, .span = {begin(), 0}, .op = {}, .head = {}, .parts = {}, .body = {}};
    elements(list.parts, "}");
    list.span.end = done();
    return list;
}

}  // namespace capra::mutation::cxx
