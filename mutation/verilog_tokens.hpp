// Verilog source text cut into tokens that keep their place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace capra::mutation {

/// Bytes [begin, end) of a file.
struct Span {
    std::size_t begin = 0;
    std::size_t end = 0;

    friend bool operator==(const Span&, const Span&) = default;
};

/// Line and column of a byte, both from 1.
struct Position {
    std::uint32_t line = 1;
    std::uint32_t column = 1;
};

struct SourceFile {
    std::string name;  ///< relative to the project, as reports show it
    std::string text;

    [[nodiscard]] std::string_view at(Span span) const {
        return std::string_view(text).substr(span.begin, span.end - span.begin);
    }
    [[nodiscard]] Position position(std::size_t offset) const;
    /// Throws an Error that starts with `file:line:column: `.
    [[noreturn]] void fail(std::size_t offset, const std::string& what) const;
};

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
