// The mutant schema of the RTL: one set of Verilog files that holds every mutant, and the selector
// that brings one of them to life.
//
// The top module gets a register `mutant_q`; 0 selects nothing, and the schema then behaves as the
// original does. Every other module reads it by the upward name `<top>.mutant_q`, which the macro
// CAPRA_MUTANT can replace. How it is set:
//   Verilator  two more ports of the top: a rising mutant_load_i copies mutant_i. Set mutant_i and
//              mutant_load_i = 1, eval(), mutant_load_i = 0, eval(); no clock edge is needed, and a
//              model can be used again for the next mutant. The register is not public on purpose:
//              Verilator evaluates all logic behind a public variable in every eval().
//   Icarus     the plusarg +mutant=N, 0 without it. Verilator does the same, and has no ports, when
//              CAPRA_MUTANT_PLUSARG is defined (for a bench that does not know the ports).
// With CAPRA_MUTANT_HIT defined, Verilator calls the C++ function `void capra_mutant_hit()`, which
// the program must define, whenever the text of the selected mutant is executed. For combinational
// logic this happens at the first evaluation.
//
// Every version of a statement is a statement of its own: no expression is ever combined with
// another one, so no width and no signedness can change.
#pragma once

#include "mutation/mutant.hpp"
#include "mutation/verilog_sites.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace capra::mutation {

/// A file with what was understood of it.
struct VerilogFile {
    SourceFile source;
    std::vector<Module> modules;
    std::vector<Signal> constants;  ///< of the headers that the modules include
};

/// Reads and parses; headers are looked for beside the file. The file is known as
/// `<folder>/<name>`, folder being the last one of the path.
VerilogFile load_verilog(const std::string& path);

/// The mutants of one file in the order of their places. Ids depend on this file only (and on the
/// constants it includes).
std::vector<Mutant> find_mutants(const VerilogFile& file);

/// The file with every mutant in it. They are selected by the numbers from `first` on, in the order
/// of find_mutants(). If the module `top` is there, it gets the selector.
std::string render_schema(const VerilogFile& file, const std::string& top, std::uint32_t first);

}  // namespace capra::mutation
