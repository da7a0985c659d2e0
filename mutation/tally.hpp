// Counting verdicts.
#pragma once

#include "mutation/trial.hpp"

#include <array>
#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace capra::mutation {

inline constexpr std::size_t kVerdicts = 7;
std::string_view verdict_name(Verdict verdict);

struct Tally {
    std::array<std::size_t, kVerdicts> counts{};

    void add(Verdict verdict) { ++counts[static_cast<std::size_t>(verdict)]; }
    [[nodiscard]] std::size_t of(Verdict verdict) const {
        return counts[static_cast<std::size_t>(verdict)];
    }
    [[nodiscard]] std::size_t planted() const;

    /// Killed and timed out in percent of every mutant that ran; nothing is excused.
    [[nodiscard]] double raw_score() const;
    /// The same with the listed equivalents left out.
    [[nodiscard]] double adjusted_score() const;
};

/// The part of the project a mutant breaks: "chapter (curated)" for the chapter's suite, else by
/// folder "RTL", "C++ machine", "instruction set", "compiler", "host loop"; "other" elsewhere.
std::string_view layer_of(const Mutant& mutant);

struct TallyRow {
    std::string name;
    Tally counts;
};

Tally tally(std::span<const Trial> trials);
/// The layers that have mutants, in the order above.
std::vector<TallyRow> tally_by_layer(std::span<const Trial> trials);
/// One tally a file, and one an operator.
std::map<std::string, Tally> tally_by_file(std::span<const Trial> trials);
std::map<std::string, Tally> tally_by_operator(std::span<const Trial> trials);

}  // namespace capra::mutation
