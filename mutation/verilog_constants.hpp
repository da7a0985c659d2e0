// Mistakes in what is fixed before a simulation begins, which no schema can hold: each is tried as
// a patch.
#pragma once

#include "mutation/verilog_schema.hpp"

#include <string>
#include <vector>

namespace capra::mutation {

/// Operators of a file:
///   parameter  a localparam one more, a number also one less; a sized number of few bits is one
///              of a family (states, phases) and takes its neighbour's value. Parameters of the
///              module `top` likewise; what other modules have as default is set by whoever
///              instantiates them.
///   width      a register without its highest bit
std::vector<Mutant> find_constant_mutants(const VerilogFile& file, const std::string& top);

}  // namespace capra::mutation
