// The roofs that a target's cost formulas put over every program: what its memory port and its
// array could do at most. Performance is in MACs (multiply-accumulates) a cycle, intensity in MACs
// a word moved between external memory and scratchpad.
#pragma once

#include "isa/target.hpp"
#include "report/data.hpp"

#include <cstdint>

namespace capra::report {

struct Roofs {
    double words_a_cycle = 0;   ///< of a long LD
    double array_macs = 0;      ///< one MAC a cycle in every cell of the array
    std::uint32_t rows = 0;     ///< of the array's tile
    double one_row_macs = 0;    ///< of a deep MM of one row: what decoding one token can use
    double full_tile_macs = 0;  ///< of a deep MM that fills the array

    friend bool operator==(const Roofs&, const Roofs&) = default;
};

/// From the marginal costs: of one more word in LD, of one more row of B in MM.
Roofs roofs(const isa::Target& target);

/// MACs a cycle that are left when the port and the array take turns, as they do on this machine:
/// 1 / (1 / (words_a_cycle * intensity) + 1 / macs). Overlap would give the smaller of the two.
double in_turns(double words_a_cycle, double macs, double intensity);

double intensity(const Cost& cost);
double performance(const Cost& cost);

}  // namespace capra::report
