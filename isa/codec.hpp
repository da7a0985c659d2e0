// Instruction <-> 128-bit word.
#pragma once

#include "isa/instruction.hpp"
#include "isa/table.hpp"

#include <optional>
#include <string>

namespace capra::isa {

/// Bits [lsb, lsb+width) of a word, width <= 32.
std::uint32_t extract_bits(const Word& word, unsigned lsb, unsigned width);

/// Encodes; an Error names the field and value that do not fit their bits.
Word encode(const Instruction& insn);

/// Decodes the fields of a word. Empty when the opcode is unknown. Reserved bits are ignored:
/// `has_reserved_bits` tells whether any is set.
std::optional<Instruction> decode(const Word& word);

/// Every bit that an instruction with this opcode may set.
Word legal_mask(const InstructionRow& row);

/// True if the word sets a bit that its (known) opcode does not define.
bool has_reserved_bits(const Word& word, const InstructionRow& row);

/// 32 lower-case hex digits, most significant first.
std::string to_hex(const Word& word);

/// The inverse of `to_hex`; empty unless it is exactly 32 hex digits.
std::optional<Word> word_from_hex(std::string_view hex);

}  // namespace capra::isa
