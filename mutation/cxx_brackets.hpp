// The tokens of a C++ file with every bracket's partner, template argument lists included.
#pragma once

#include "mutation/cxx_tokens.hpp"

#include <cstddef>
#include <string_view>
#include <vector>

namespace capra::mutation::cxx {

/// Whether `<` is a bracket is told by the blank in front of it, which clang-format puts before an
/// operator and never before template arguments. A `>>` that closes two lists is two tokens here.
class BracketedTokens {
  public:
    /// The source must outlive this. An Error for a bracket without a partner.
    explicit BracketedTokens(const SourceFile& source);

    [[nodiscard]] const SourceFile& source() const { return *source_; }
    /// Tokens, `end` included.
    [[nodiscard]] std::size_t size() const { return tokens_.size(); }
    [[nodiscard]] const Token& operator[](std::size_t i) const { return tokens_[i]; }
    [[nodiscard]] std::string_view text(std::size_t i) const {
        return source_->at(tokens_[i].span);
    }
    [[nodiscard]] bool is(std::size_t i, std::string_view text) const {
        return this->text(i) == text && tokens_[i].kind != TokenKind::string;
    }
    /// The other bracket; the token itself if it is none.
    [[nodiscard]] std::size_t partner(std::size_t i) const { return partners_[i]; }
    [[nodiscard]] bool opens_template(std::size_t i) const {
        return is(i, "<") && partners_[i] != i;
    }

  private:
    void match(std::size_t i);
    void close(std::size_t i, std::string_view opening);
    [[nodiscard]] bool is_template_start(std::size_t i) const;

    const SourceFile* source_;
    std::vector<Token> tokens_;
    std::vector<std::size_t> partners_;
    std::vector<std::size_t> open_;
};

}  // namespace capra::mutation::cxx
