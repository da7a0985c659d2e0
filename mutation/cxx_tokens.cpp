#include "mutation/cxx_tokens.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace capra::mutation::cxx {
namespace {

// Longest first: the first that fits is the token.
constexpr std::array<std::string_view, 27> kLongSymbols = {
    "<=>", "<<=", ">>=", "->*", "...", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "++",
    "--",  "->",  "::",  ".*",  "+=",  "-=", "*=", "/=", "%=", "&=", "|=", "^=", "##"};
constexpr std::string_view kShortSymbols = "()[]{}<>;:,.?=+-*/%&|^~!";
constexpr std::array<std::string_view, 5> kLiteralPrefixes = {"", "u8", "u", "U", "L"};

bool is_digit(char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
}
bool is_word_start(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool is_word(char c) {
    return is_word_start(c) || is_digit(c);
}

/// Cuts one file. Every `..._end` function returns the end of what begins at `pos`.
class Cutter {
  public:
    explicit Cutter(const SourceFile& source) : source_(source), text_(source.text) {}

    std::vector<Token> cut() {
        std::vector<Token> tokens;
        do {
            const std::size_t begin = skip_blanks(at_);
            Token token = token_at(begin);
            token.spaced = begin != at_ || begin == 0;
            at_ = token.span.end;
            tokens.push_back(token);
        } while (tokens.back().kind != TokenKind::end);
        return tokens;
    }

  private:
    [[nodiscard]] char peek(std::size_t pos) const { return pos < text_.size() ? text_[pos] : 0; }
    [[nodiscard]] bool starts(std::size_t pos, std::string_view what) const {
        return text_.substr(std::min(pos, text_.size())).starts_with(what);
    }

    /// White space, comments, and lines that begin with #.
    [[nodiscard]] std::size_t skip_blanks(std::size_t pos) const {
        bool at_line_start = pos == 0;
        while (pos < text_.size()) {
            if (std::isspace(static_cast<unsigned char>(text_[pos])) != 0) {
                at_line_start = at_line_start || text_[pos] == '\n';
                ++pos;
            } else if (starts(pos, "//")) {
                pos = line_end(pos);
            } else if (starts(pos, "/*")) {
                pos = past(pos, pos + 2, "*/");
            } else if (at_line_start && text_[pos] == '#') {
                pos = line_end(pos);
            } else {
                break;
            }
        }
        return pos;
    }

    /// The first line break that no backslash continues.
    [[nodiscard]] std::size_t line_end(std::size_t pos) const {
        while (pos < text_.size() && text_[pos] != '\n') pos += text_[pos] == '\\' ? 2 : 1;
        return std::min(pos, text_.size());
    }

    [[nodiscard]] std::size_t past(std::size_t begin, std::size_t from,
                                   std::string_view closing) const {
        const std::size_t found = text_.find(closing, from);
        if (found == std::string_view::npos) source_.fail(begin, "it is never closed");
        return found + closing.size();
    }

    [[nodiscard]] Token token_at(std::size_t pos) const {
        if (pos == text_.size()) return {TokenKind::end, {pos, pos}};
        if (const std::size_t quote = raw_quote(pos)) {
            return {TokenKind::string, {pos, word_end(raw_string_end(pos, quote))}};
        }
        if (const std::size_t quote = quote_after_prefix(pos); quote != std::string_view::npos) {
            const auto kind = text_[quote] == '"' ? TokenKind::string : TokenKind::character;
            return {kind, {pos, word_end(literal_end(quote))}};
        }
        const char c = text_[pos];
        if (is_word_start(c)) return {TokenKind::word, {pos, word_end(pos)}};
        if (is_digit(c) || (c == '.' && is_digit(peek(pos + 1))))
            return {TokenKind::number, {pos, number_end(pos)}};
        return {TokenKind::symbol, {pos, symbol_end(pos)}};
    }

    /// Where the quote of a raw string is; 0 if there is none.
    [[nodiscard]] std::size_t raw_quote(std::size_t pos) const {
        for (const std::string_view prefix : kLiteralPrefixes)
            if (starts(pos, prefix) && starts(pos + prefix.size(), "R\""))
                return pos + prefix.size() + 1;
        return 0;
    }

    [[nodiscard]] std::size_t raw_string_end(std::size_t pos, std::size_t quote) const {
        const std::size_t paren = text_.find('(', quote);
        if (paren == std::string_view::npos) source_.fail(pos, "a raw string without '('");
        const auto delimiter = text_.substr(quote + 1, paren - quote - 1);
        return past(pos, paren, fmt::format("){}\"", delimiter));
    }

    [[nodiscard]] std::size_t quote_after_prefix(std::size_t pos) const {
        for (const std::string_view prefix : kLiteralPrefixes) {
            const std::size_t quote = pos + prefix.size();
            if (starts(pos, prefix) && (peek(quote) == '"' || peek(quote) == '\'')) return quote;
        }
        return std::string_view::npos;
    }

    [[nodiscard]] std::size_t literal_end(std::size_t quote) const {
        for (std::size_t i = quote + 1; i < text_.size() && text_[i] != '\n'; ++i) {
            if (text_[i] == text_[quote]) return i + 1;
            if (text_[i] == '\\') ++i;
        }
        source_.fail(quote, "the literal is never closed");
    }

    [[nodiscard]] std::size_t word_end(std::size_t pos) const {
        while (is_word(peek(pos))) ++pos;
        return pos;
    }

    /// Digits, separators, suffixes and signed exponents, as the preprocessor takes them.
    [[nodiscard]] std::size_t number_end(std::size_t pos) const {
        const bool is_hex = starts(pos, "0x") || starts(pos, "0X");
        const std::string_view exponents = is_hex ? "pP" : "eE";
        for (;; ++pos) {
            const char c = peek(pos);
            const bool is_signed_exponent = exponents.find(c) != std::string_view::npos && c != 0 &&
                                            (peek(pos + 1) == '+' || peek(pos + 1) == '-');
            if (is_signed_exponent || (c == '\'' && is_word(peek(pos + 1)))) {
                ++pos;
            } else if (!is_word(c) && c != '.') {
                return pos;
            }
        }
    }

    [[nodiscard]] std::size_t symbol_end(std::size_t pos) const {
        for (const std::string_view symbol : kLongSymbols)
            if (starts(pos, symbol)) return pos + symbol.size();
        if (kShortSymbols.find(text_[pos]) == std::string_view::npos)
            source_.fail(pos, fmt::format("character {:#04x} has no meaning",
                                          static_cast<unsigned char>(text_[pos])));
        return pos + 1;
    }

    const SourceFile& source_;
    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace

std::vector<Token> tokenize(const SourceFile& source) {
    return Cutter(source).cut();
}

}  // namespace capra::mutation::cxx
