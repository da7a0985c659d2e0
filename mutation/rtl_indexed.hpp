// Directed programs of LDX and LDXW.
#pragma once

#include "mutation/rtl_checks.hpp"

#include <vector>

namespace capra::mutation {

/// The last row there is, and indices on both sides of every bound.
void add_indexed_loads(std::vector<RtlCheck>& checks, const isa::Target& target);

}  // namespace capra::mutation
