// What every program must keep, whatever format it was read from: its names, and where its data
// and symbols lie.
#pragma once

#include "isa/program.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace capra::isa {

enum class Part : std::uint8_t { name, target, memory, data, symbol };

/// The first thing that is wrong with a program, and where.
struct LayoutProblem {
    Part part;
    std::size_t index;     ///< which data block or symbol; else 0
    std::string_view key;  ///< which member of that symbol; empty: the whole of it
    std::string what;      ///< the end of an error message
};

/// Checks that the program's name is empty or a name, that its target and symbols have names,
/// that memory is within 2^24 words, that data blocks have values and do not overlap, that data
/// and symbols lie in the program's memory, and that scales are finite and not negative.
/// The instructions are not looked at.
std::optional<LayoutProblem> layout_problem(const Program& program);

}  // namespace capra::isa
