// C++20 source text cut into tokens that keep their place.
#pragma once

#include "mutation/source_text.hpp"

#include <cstdint>
#include <vector>

namespace capra::mutation::cxx {

enum class TokenKind : std::uint8_t {
    word,       ///< identifier or keyword
    number,     ///< with its suffix and digit separators
    character,  ///< 'x'
    string,     ///< with its prefix and suffix; raw ones too
    symbol,     ///< the longest operator or punctuation mark
    end,        ///< of the file, empty
};

struct Token {
    TokenKind kind = TokenKind::end;
    Span span;
    bool spaced = false;  ///< white space, a comment or the start of the file is in front of it
};

/// The tokens in order and `end` behind them. White space, comments and preprocessor lines,
/// continuation lines included, are in none. An Error for a character or an unfinished comment or
/// literal that C++ does not have.
std::vector<Token> tokenize(const SourceFile& source);

}  // namespace capra::mutation::cxx
