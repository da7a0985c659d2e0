// Text generated from the instruction table: the Verilog header and the ISA manual.
#pragma once

#include <string>

namespace capra::isa {

/// rtl/isa.vh: opcodes, field positions, masks, traps, limits and the softmax table, as
/// localparams to be included inside a module body.
std::string generate_verilog_header();

/// tb/mnemonic.vh: a function that gives an opcode's mnemonic as text, to be included inside the
/// body of a bench.
std::string generate_mnemonic_function();

/// docs/isa.md: the manual.
std::string generate_manual();

}  // namespace capra::isa
