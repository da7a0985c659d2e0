// The command line of stem_edit.
#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace capra::tools {

/// Positions of a text that follow each other, counted from 0: [first, first + count).
struct Span {
    std::size_t first = 0;
    std::size_t count = 0;

    [[nodiscard]] bool contains(std::size_t position) const {
        return position >= first && position - first < count;
    }
    friend bool operator==(const Span&, const Span&) = default;
};

struct EditOptions {
    std::string pattern = "*S*S";
    std::uint32_t seed = 1;
    std::vector<std::uint32_t> text{0, 3, 2, 13, 4, 7, 6, 1};
    std::string span = "3-4";  ///< as given, positions from 1
    std::vector<std::uint32_t> target{9, 12};
    std::string mode = "swap";
    std::string pad = "left";
    std::vector<std::uint32_t> choose{};  ///< of the target, from 1; subset only
    std::string engine = "model";
    std::optional<std::string> json{};
};

void add_edit_options(CLI::App& app, EditOptions& options);

/// Reads "3-4", or "3" for one position, counted from 1. An Error names the text of `--span` unless
/// it is a span of so many positions.
Span parse_span(std::string_view text, std::size_t positions);

/// Errors: a text that is too long, an option that belongs to another mode, tokens to choose that
/// are none or do not rise, a pattern with other layers than attention and tables.
void check_options(const CLI::App& app, const EditOptions& options);

}  // namespace capra::tools
