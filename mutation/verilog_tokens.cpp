#include "mutation/verilog_tokens.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace capra::mutation {
namespace {

// Longest first: the first that fits is the token.
constexpr std::array<std::string_view, 19> kLongSymbols = {
    "<<<", ">>>", "===", "!==", "<<", ">>", "<=", ">=", "==", "!=",
    "&&",  "||",  "+:",  "-:",  "~&", "~|", "~^", "^~", "**"};
constexpr std::string_view kShortSymbols = "()[]{};:,.?=<>+-*/%&|^~!@#";
constexpr std::string_view kSpace = " \t\r\n\f";
constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
constexpr std::string_view kWordTail =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789$";
constexpr std::string_view kDigits = "0123456789_";
constexpr std::string_view kBasedDigits = "0123456789abcdefABCDEFxXzZ?_";

bool one_of(std::string_view set, char c) {
    return set.find(c) != std::string_view::npos;
}

/// Cuts one file. Every function returns the end of what it found at `pos`.
class Cutter {
  public:
    explicit Cutter(const SourceFile& source) : source_(source), text_(source.text) {}

    [[nodiscard]] Token next(std::size_t pos) const {
        if (pos == text_.size()) return {TokenKind::end, {pos, pos}};
        const char c = text_[pos];
        if (one_of(kSpace, c)) return {TokenKind::space, {pos, run(pos, kSpace)}};
        if (starts(pos, "//")) return {TokenKind::comment, {pos, find(pos, "\n")}};
        if (starts(pos, "/*")) return {TokenKind::comment, {pos, past(pos, pos + 2, "*/")}};
        if (c == '"') return {TokenKind::string, {pos, string_end(pos)}};
        if (one_of(kLetters, c)) return {TokenKind::word, {pos, run(pos, kWordTail)}};
        if (c == '$') return {TokenKind::system, {pos, named(pos)}};
        if (c == '`') return {TokenKind::directive, {pos, named(pos)}};
        if (one_of(kDigits, c) || c == '\'') return {TokenKind::number, {pos, number_end(pos)}};
        return {TokenKind::symbol, {pos, symbol_end(pos)}};
    }

  private:
    [[nodiscard]] bool starts(std::size_t pos, std::string_view what) const {
        return text_.substr(pos).starts_with(what);
    }

    [[nodiscard]] std::size_t run(std::size_t pos, std::string_view set) const {
        return std::min(text_.find_first_not_of(set, pos), text_.size());
    }

    [[nodiscard]] std::size_t find(std::size_t pos, std::string_view what) const {
        return std::min(text_.find(what, pos), text_.size());
    }

    [[nodiscard]] std::size_t past(std::size_t begin, std::size_t from,
                                   std::string_view closing) const {
        const std::size_t found = text_.find(closing, from);
        if (found == std::string_view::npos) source_.fail(begin, "it is never closed");
        return found + closing.size();
    }

    [[nodiscard]] std::size_t string_end(std::size_t pos) const {
        for (std::size_t i = pos + 1; i < text_.size() && text_[i] != '\n'; ++i) {
            if (text_[i] == '"') return i + 1;
            if (text_[i] == '\\') ++i;
        }
        source_.fail(pos, "the string is never closed");
    }

    [[nodiscard]] std::size_t named(std::size_t pos) const {
        const std::size_t stop = run(pos + 1, kWordTail);
        if (stop == pos + 1) source_.fail(pos, fmt::format("'{}' without a name", text_[pos]));
        return stop;
    }

    /// Digits, or [size] ' [s] base digits.
    [[nodiscard]] std::size_t number_end(std::size_t pos) const {
        const std::size_t tick = run(pos, kDigits);
        if (tick == text_.size() || text_[tick] != '\'') return tick;
        std::size_t base = tick + 1;
        if (base < text_.size() && one_of("sS", text_[base])) ++base;
        if (base == text_.size() || !one_of("bBoOdDhH", text_[base]))
            source_.fail(pos, "a number without a base");
        const std::size_t stop = run(base + 1, kBasedDigits);
        if (stop == base + 1) source_.fail(pos, "a number without digits");
        return stop;
    }

    [[nodiscard]] std::size_t symbol_end(std::size_t pos) const {
        for (const std::string_view symbol : kLongSymbols)
            if (starts(pos, symbol)) return pos + symbol.size();
        if (!one_of(kShortSymbols, text_[pos]))
            source_.fail(pos, fmt::format("character {:#04x} has no meaning",
                                          static_cast<unsigned char>(text_[pos])));
        return pos + 1;
    }

    const SourceFile& source_;
    std::string_view text_;
};

}  // namespace

std::vector<Token> tokenize(const SourceFile& source) {
    std::vector<Token> tokens;
    const Cutter cutter(source);
    std::size_t pos = 0;
    do {
        tokens.push_back(cutter.next(pos));
        pos = tokens.back().span.end;
    } while (tokens.back().kind != TokenKind::end);
    return tokens;
}

}  // namespace capra::mutation
