// One planted fault, and what a campaign can say about it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace capra::mutation {

/// A change of one span of one file. `id` does not depend on other files or on the campaign.
struct Mutant {
    std::string id;
    std::string suite;       ///< "chapter", "rtl" or "cpp"
    std::string file;        ///< relative to the project
    std::uint32_t line = 0;  ///< of the span's first character, from 1
    std::uint32_t column = 0;
    std::string op;         ///< mutation operator
    std::size_t begin = 0;  ///< the span, in bytes
    std::size_t end = 0;
    std::string original;  ///< what the span holds
    std::string replacement;

    friend bool operator==(const Mutant&, const Mutant&) = default;
};

/// Operator of the mutants that somebody chose.
inline constexpr std::string_view kCuratedOperator = "curated";

enum class Verdict : std::uint8_t {
    killed,       ///< a check saw it
    timeout,      ///< it ran for twice the cycles of the unbroken project
    survived,     ///< no check saw it
    equivalent,   ///< survived, and listed with the reason why nothing can see it
    not_applied,  ///< its anchor does not match exactly once
    not_built,    ///< it does not compile
    not_reached,  ///< no check executed the changed text
};

/// The text with the mutant's span replaced. An Error if the span does not hold the original.
std::string apply_mutant(std::string_view text, const Mutant& mutant);

}  // namespace capra::mutation
