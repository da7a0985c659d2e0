// Verilog source text cut into tokens that keep their place.
#pragma once

#include "mutation/source_text.hpp"

#include <cstdint>
#include <vector>

namespace capra::mutation {

enum class TokenKind : std::uint8_t {
    space,      ///< blanks and line ends
    comment,    ///< without the line end
    word,       ///< identifier or keyword
    system,     ///< $signed
    directive,  ///< a backquote and its word
    number,     ///< with its size and base, if any
    string,
    symbol,  ///< the longest operator or punctuation mark
    end,     ///< of the file, empty
};

struct Token {
    TokenKind kind = TokenKind::end;
    Span span;
};

/// Every byte of the file in exactly one token, in order, and a token `end` behind them. An Error
/// for a character or an unfinished comment or string that Verilog does not have.
std::vector<Token> tokenize(const SourceFile& source);

}  // namespace capra::mutation
