// A source file, the places in it, and changes of it, in whatever language it is written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

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

/// Bytes of a file and what to put there. The result never equals what was there.
struct Change {
    std::string op;  ///< the operator's name
    Span span;
    std::string replacement;
};

}  // namespace capra::mutation
