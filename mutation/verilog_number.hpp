// Verilog number literals: what they say, and their neighbours.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace capra::mutation {

struct Number {
    std::uint64_t value = 0;
    std::optional<unsigned> width;  ///< as written
    bool is_signed = false;         ///< plain decimals are
    char base = 'd';
};

/// Nothing if the text is no number, holds x or z, or does not fit 64 bits.
std::optional<Number> read_number(std::string_view text);

/// As Verilog text, in its base.
std::string write_number(const Number& number);

/// The literals one above and one below, wrapping within the width; one for a single bit. Below a
/// number of more than 64 bits there is nothing to write.
std::vector<std::string> neighbours(const Number& number);

}  // namespace capra::mutation
