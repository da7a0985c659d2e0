// Program text: one instruction a line, `MM d=0 a=16 b=32 k=16 m=1 n=4 sa=16 sb=16 sd=4`.
//
//   .program NAME / .target NAME / .memory WORDS
//   .input|.weight|.output NAME ADDRESS ROWS COLS SCALE
//   .data ADDRESS v v v ...
//   .word HEX32            an instruction that does not decode, kept bit for bit
//   ; comment              to the end of the line
//
// Field names and their order are the instruction table's; a field that is left out is 0.
// Text is printable ASCII and holds no notes. assemble(disassemble(p)) == p for every program
// without notes and without a `layout_problem`, whether its instructions are legal or not.
#pragma once

#include "isa/program.hpp"

#include <string>
#include <string_view>

namespace capra::isa {

/// One instruction as text; a word with an unknown opcode or reserved bits becomes `.word`.
std::string disassemble(const Word& word);

/// A whole program as text, ending in a newline.
std::string disassemble(const Program& program);

/// Text to program. An Error names `file`, the line, and the token or the `layout_problem` that is
/// wrong there.
Program assemble(std::string_view text, const std::string& file);

}  // namespace capra::isa
