// Statements of function bodies.
#include "mutation/cxx_parser.hpp"

#include <algorithm>
#include <array>

namespace capra::mutation::cxx {
namespace {

using Kind = Statement::Kind;

/// Words that only a declaration begins with.
constexpr std::array<std::string_view, 18> kSpecifiers = {
    "const", "static", "constexpr", "auto", "struct", "class",  "enum",  "unsigned", "signed",
    "int",   "long",   "short",     "char", "bool",   "double", "float", "void",     "typename"};
constexpr std::array<std::string_view, 6> kLeftAlone = {"using", "static_assert", "typedef",
                                                        "throw", "goto",          "asm"};

template <std::size_t Size>
bool one_of(const std::array<std::string_view, Size>& set, std::string_view text) {
    return std::ranges::find(set, text) != set.end();
}

Statement made(Kind kind, std::size_t begin) {
    Statement statement;
    statement.kind = kind;
    statement.span.begin = begin;
    return statement;
}

}  // namespace

/// What the braces that open here hold.
std::vector<Statement> Parser::block_body() {
    expect("{");
    std::vector<Statement> body;
    while (!skip("}")) body.push_back(statement());
    return body;
}

Statement Parser::statement() {
    const std::string_view word = tokens_.text(at_);
    if (at("{")) return block();
    if (at("if")) return conditional();
    if (at("while")) return while_loop();
    if (at("do")) return do_loop();
    if (at("for")) return for_loop();
    if (at("switch")) return choice();
    if (at("return")) return returning();
    if (at("break") || at("continue")) return jump();
    if (at("try") || at("catch") || at("goto")) return left_alone();
    if (one_of(kLeftAlone, word) || at(";") || at("case") || at("default") || at("assert"))
        return left_alone();
    if (at("[") && tokens_.is(at_ + 1, "[")) {
        skip_group();
        return statement();
    }
    if (is_declaration()) return declaration(";");
    return expression_statement();
}

Statement Parser::block() {
    Statement result = made(Kind::block, begin());
    result.body = block_body();
    result.span.end = done();
    return result;
}

/// if [constexpr] (condition) statement [else statement]
Statement Parser::conditional() {
    Statement result = made(Kind::conditional, begin());
    ++at_;
    if (skip("constexpr")) {
        skip_group();
    } else {
        expect("(");
        condition(result, ")");
        expect(")");
    }
    result.body.push_back(statement());
    if (skip("else")) result.body.push_back(statement());
    result.span.end = done();
    return result;
}

/// [initial statement;] expression or declaration, up to the closing token.
void Parser::condition(Statement& owner, std::string_view closing) {
    if (closing == ")" && find(";", find(")", tokens_.size())) != find(")", tokens_.size()))
        owner.initial.push_back(is_declaration() ? declaration(";") : expression_statement());
    if (!is_declaration()) {
        owner.condition.push_back(expression());
        return;
    }
    Statement named = declaration(closing);
    owner.declared = named.span;
    owner.declared_name = named.declared_name;
    for (Expression& value : named.values) owner.values.push_back(std::move(value));
}

Statement Parser::while_loop() {
    Statement result = made(Kind::loop, begin());
    ++at_;
    expect("(");
    condition(result, ")");
    expect(")");
    result.body.push_back(statement());
    result.span.end = done();
    return result;
}

Statement Parser::do_loop() {
    Statement result = made(Kind::loop, begin());
    ++at_;
    result.body.push_back(statement());
    expect("while");
    expect("(");
    condition(result, ")");
    expect(")");
    expect(";");
    result.span.end = done();
    return result;
}

Statement Parser::for_loop() {
    Statement result = made(Kind::loop, begin());
    ++at_;
    if (!at("(")) misfit("'('");
    const std::size_t closing = tokens_.partner(at_);
    ++at_;
    if (const std::size_t colon = find(":", closing); colon != closing) {
        at_ = colon + 1;
        result.values.push_back(initialiser());
    } else {
        for_header(result);
    }
    if (at_ != closing) misfit("')'");
    ++at_;
    result.body.push_back(statement());
    result.span.end = done();
    return result;
}

/// initial; condition; step
void Parser::for_header(Statement& loop) {
    if (!at(";"))
        loop.initial.push_back(is_declaration() ? declaration(";") : expression_statement());
    else
        ++at_;
    if (!at(";")) condition(loop, ";");
    expect(";");
    if (!at(")")) loop.values.push_back(expression());
}

Statement Parser::choice() {
    Statement result = made(Kind::choice, begin());
    ++at_;
    expect("(");
    result.values.push_back(expression());
    expect(")");
    result.body.push_back(block());
    result.span.end = done();
    return result;
}

Statement Parser::returning() {
    Statement result = made(Kind::returning, begin());
    ++at_;
    if (!at(";")) result.values.push_back(initialiser());
    expect(";");
    result.span.end = done();
    return result;
}

Statement Parser::jump() {
    Statement result = made(Kind::jump, begin());
    ++at_;
    expect(";");
    result.span.end = done();
    return result;
}

/// Labels, try blocks and what holds nothing to change. The statements of a try block are read.
Statement Parser::left_alone() {
    Statement result = made(Kind::left_alone, begin());
    if (skip("try")) {
        result.kind = Kind::block;
        result.body.push_back(block());
        while (skip("catch")) {
            skip_group();
            result.body.push_back(block());
        }
    } else if (at("case") || at("default")) {
        at_ = find(":", tokens_.size() - 1);
        expect(":");
    } else {
        skip_statement();
    }
    result.span.end = done();
    return result;
}

Statement Parser::expression_statement() {
    Statement result = made(Kind::expression, begin());
    result.values.push_back(expression());
    expect(";");
    result.span.end = done();
    return result;
}

/// A specifier, or a name with another one behind it: `a && b` declares b only if it gets a value.
bool Parser::is_declaration() {
    if (at_word() && one_of(kSpecifiers, tokens_.text(at_))) return true;
    const std::size_t start = at_;
    bool found = false;
    if (skip_name()) {
        bool is_reference = false;
        while (at("*") || at("&") || at("&&") || at("const")) {
            is_reference = is_reference || at("&") || at("&&");
            ++at_;
        }
        const std::size_t next = at_ + 1;
        found = at_word() && (!is_reference || tokens_.is(next, "=") || tokens_.is(next, ":"));
    }
    at_ = start;
    return found;
}

/// Everything up to the declared name: specifiers, the type, the body of a local class.
void Parser::skip_declaration_type() {
    for (;;) {
        if (at("struct") || at("class") || at("enum")) {
            ++at_;
            if (at_word()) ++at_;
            if (at("{")) skip_group();
        }
        const bool behind_name =
            at("=") || at("(") || at("{") || at(";") || at(",") || at(")") || at("[");
        if (behind_name) return;
        if (tokens_.opens_template(at_))
            skip_group();
        else
            ++at_;
    }
}

/// type name [= value | (values) | {values}] {, ...} and the closing token, which is taken if it
/// is a semicolon.
Statement Parser::declaration(std::string_view closing) {
    Statement result = made(Kind::declaration, begin());
    const std::size_t stop = find(closing, tokens_.size() - 1);
    if (find("constexpr", stop) != stop) {
        at_ = stop;
    } else {
        skip_declaration_type();
        result.declared_name = tokens_[at_ - 1].span;
    }
    while (at_ < stop) {
        if (at("("))
            elements(result.values, ")");
        else if (at("{") || skip("="))
            result.values.push_back(initialiser());
        else if (at("["))
            skip_group();
        else
            ++at_;
    }
    result.span.end = done();
    if (closing == ";") {
        expect(";");
        result.span.end = done();
    }
    return result;
}

}  // namespace capra::mutation::cxx
