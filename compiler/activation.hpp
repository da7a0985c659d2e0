// Functions of one number that the chip looks up in a table of 256 entries.
#pragma once

#include "compiler/graph.hpp"

#include <cstdint>
#include <vector>

namespace capra::compiler {

/// True for silu, sigmoid and gelu.
bool is_activation(Op op);

/// The value of an activation, as `Op` defines it.
double activation(Op op, double x);

/// Entries of LUT: number v mod 256 is round_half_up(f(v * in_scale) / out_scale), saturated to
/// -128..127, for v in -128..127.
std::vector<std::int8_t> activation_table(Op op, double in_scale, double out_scale);

}  // namespace capra::compiler
