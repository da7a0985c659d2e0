// Stacks of normal weights: they follow no rule, and show what a construction would hide.
#pragma once

#include "model/py_random.hpp"
#include "stem/plan.hpp"

namespace capra::stem {

/// Every entry normal with mean 0 and this standard deviation, drawn row by row. (rows, cols)
Matrix drawn(model::PyRandom& rng, std::uint32_t rows, std::uint32_t cols, double sd);

/// The expert of each token in a Hash layer: 11 t mod 16 in four ranges, 4 tokens an expert.
std::vector<std::uint32_t> token_hash();

/// Every weight normal, scaled so that states neither vanish nor grow over ten layers; the bias of
/// a routed layer is +2, as at the start of Circus' training.
Stack random_stack(const StackPlan& plan, std::uint32_t seed);

}  // namespace capra::stem
