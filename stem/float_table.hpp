// How a token finds its row of a table, in double precision.
#pragma once

#include "stem/float_layers.hpp"

namespace capra::stem {

/// The words that the token reads; the trace gets the rows they stand in, and the weights of those
/// of product keys.
Vector table_row(const TableRows& table, Passage& passage);

}  // namespace capra::stem
