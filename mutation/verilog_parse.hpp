// Recursive-descent parser of the Verilog subset that rtl/ is written in.
#pragma once

#include "mutation/verilog_syntax.hpp"

#include <vector>

namespace capra::mutation {

/// Modules of a file: ANSI ports, nets and variables, parameters, continuous assignments, `always`
/// blocks, functions, instances with named connections, generate loops and conditions, `include`
/// and `ASSERT`. Anything else is an Error that names file, line and column.
std::vector<Module> parse_verilog(const SourceFile& source);

/// The constants of a header of localparams, such as isa.vh.
std::vector<Signal> parse_constants(const SourceFile& source);

}  // namespace capra::mutation
