// A cursor over the tokens that matter, and the expression half of the parser.
#pragma once

#include "mutation/verilog_syntax.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace capra::mutation {

class TokenCursor {
  public:
    explicit TokenCursor(const SourceFile& source);

    [[nodiscard]] const SourceFile& source() const { return source_; }
    [[nodiscard]] const Token& peek(std::size_t ahead = 0) const;
    [[nodiscard]] std::string_view text(std::size_t ahead = 0) const {
        return source_.at(peek(ahead).span);
    }
    [[nodiscard]] bool at_end() const { return peek().kind == TokenKind::end; }
    /// First byte of the next token, and the byte behind the last one taken.
    [[nodiscard]] std::size_t begin() const { return peek().span.begin; }
    [[nodiscard]] std::size_t end() const { return end_; }

    Token take();
    bool accept(std::string_view wanted);
    void expect(std::string_view wanted);
    Token expect_word(std::string_view role);
    [[noreturn]] void fail(std::string_view wanted) const;

  private:
    const SourceFile& source_;
    std::vector<Token> tokens_;
    std::size_t next_ = 0;
    std::size_t end_ = 0;
};

/// expression = binary ["?" expression ":" expression]
Expr parse_expression(TokenCursor& cursor);

/// What an assignment may write: a name, selects of it, or a concatenation of those.
Expr parse_target(TokenCursor& cursor);

}  // namespace capra::mutation
