// Reads the tokens of a C++ file as functions, statements and expressions. It knows the subset that
// the project uses, formatted by clang-format; anything else is an Error naming file and line.
#pragma once

#include "mutation/cxx_brackets.hpp"
#include "mutation/cxx_syntax.hpp"

#include <cstddef>
#include <string_view>
#include <vector>

namespace capra::mutation::cxx {

class Parser {
  public:
    /// The tokens must outlive the parser.
    explicit Parser(const BracketedTokens& tokens) : tokens_(tokens) {}

    /// Every function with a body outside of other functions, in order. constexpr ones are left
    /// out: what they compute may be needed to compile.
    std::vector<Function> functions();

    /// One expression: the whole file.
    Expression whole_expression();

  private:
    // Where the parser stands (cxx_parser.cpp).
    [[nodiscard]] bool at(std::string_view text) const { return tokens_.is(at_, text); }
    [[nodiscard]] bool at_word() const { return tokens_[at_].kind == TokenKind::word; }
    [[nodiscard]] std::size_t begin() const { return tokens_[at_].span.begin; }
    /// End of the token before.
    [[nodiscard]] std::size_t done() const { return tokens_[at_ - 1].span.end; }
    bool skip(std::string_view text);
    void expect(std::string_view text);
    [[noreturn]] void misfit(std::string_view expected) const;
    /// Behind the group that opens here.
    void skip_group() { at_ = tokens_.partner(at_) + 1; }
    /// Behind the next semicolon outside of brackets.
    void skip_statement();
    /// A name with its scopes and template arguments; false if none is here.
    bool skip_name();
    /// The first of these outside of brackets in [at_, stop), else `stop`.
    [[nodiscard]] std::size_t find(std::string_view text, std::size_t stop) const;

    // Expressions (cxx_expression.cpp).
    Expression expression();
    Expression assignment();
    Expression binary(int least);
    Expression prefix();
    Expression postfix();
    Expression primary();
    Expression word_primary();
    Expression lambda();
    Expression cast();
    void elements(std::vector<Expression>& into, std::string_view closing);
    Expression initialiser();

    // Statements (cxx_statement.cpp).
    std::vector<Statement> block_body();
    Statement statement();
    Statement block();
    Statement conditional();
    Statement while_loop();
    Statement do_loop();
    Statement for_loop();
    void for_header(Statement& loop);
    Statement choice();
    Statement returning();
    Statement jump();
    Statement left_alone();
    Statement declaration(std::string_view closing);
    Statement expression_statement();
    void condition(Statement& owner, std::string_view closing);
    [[nodiscard]] bool is_declaration();
    void skip_declaration_type();

    // Functions (cxx_function.cpp).
    void scope(std::size_t stop, std::vector<Function>& found);
    void member(std::vector<Function>& found);
    void declared(std::vector<Function>& found);
    void function_body(std::size_t start, std::size_t params, std::vector<Function>& found);

    const BracketedTokens& tokens_;
    std::size_t at_ = 0;
};

}  // namespace capra::mutation::cxx
