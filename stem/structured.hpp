// Stacks that follow their rule, and for which every mechanism is necessary.
//
// The 32 words of a state are two halves. The identity half holds the code of the token, a row of
// the Hadamard matrix of order 16 over 4, all of them orthonormal; layers leave it alone, so that
// each still sees the token. They write evidence for the next token, as a sum of codes, to the
// output half. W_out reads the output half strongly and the identity half weakly: a token that no
// layer answers predicts itself. Attention adds noise to both.
//
// Word 0 of every code is 1/4: what has to work for all tokens alike, as the gate of a table's
// block that is not to know the rule, reads that word.
#pragma once

#include "stem/plan.hpp"

#include <cstdint>

namespace capra::stem {

/// Each feed-forward layer answers its share of the tokens (stem/lessons.hpp) and is silent on the
/// others; more than 16 of them leave some silent on all.
Stack structured_stack(const StackPlan& plan, std::uint32_t seed);

}  // namespace capra::stem
