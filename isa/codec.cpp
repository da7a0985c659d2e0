#include "isa/codec.hpp"

#include "isa/error.hpp"

#include <fmt/format.h>

namespace capra::isa {
namespace {

/// A word as one number, in which a field is a shift away wherever it lies.
__extension__ using Bits = unsigned __int128;

Word word_of(Bits bits) {
    return {static_cast<std::uint64_t>(bits), static_cast<std::uint64_t>(bits >> 64)};
}

std::optional<std::uint64_t> hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return std::nullopt;
}

}  // namespace

std::uint32_t extract_bits(const Word& word, unsigned lsb, unsigned width) {
    const Bits bits = Bits{word.hi} << 64 | word.lo;
    return static_cast<std::uint32_t>((bits >> lsb) & ((std::uint64_t{1} << width) - 1));
}

Word encode(const Instruction& insn) {
    const InstructionRow& row = row_of(insn.op);
    Bits bits{static_cast<std::uint8_t>(insn.op)};
    for (const FieldRow& field : row.fields) {
        const std::uint64_t value = insn.*field.member;
        if ((value >> field.width) != 0)
            throw Error(fmt::format("{}: field {} = {} does not fit {} bits", row.mnemonic,
                                    field.name, value, field.width));
        bits |= Bits{value} << field.lsb;
    }
    return word_of(bits);
}

std::optional<Instruction> decode(const Word& word) {
    const InstructionRow* row = find_row(static_cast<std::uint8_t>(word.lo & 0xff));
    if (row == nullptr) return std::nullopt;
    Instruction insn{.op = row->op};
    for (const FieldRow& field : row->fields)
        insn.*field.member = extract_bits(word, field.lsb, field.width);
    return insn;
}

Word legal_mask(const InstructionRow& row) {
    Bits mask{0xff};
    for (const FieldRow& field : row.fields) mask |= ((Bits{1} << field.width) - 1) << field.lsb;
    return word_of(mask);
}

bool has_reserved_bits(const Word& word, const InstructionRow& row) {
    const Word mask = legal_mask(row);
    return (word.lo & ~mask.lo) != 0 || (word.hi & ~mask.hi) != 0;
}

std::string to_hex(const Word& word) {
    return fmt::format("{:016x}{:016x}", word.hi, word.lo);
}

std::optional<Word> word_from_hex(std::string_view hex) {
    if (hex.size() != 32) return std::nullopt;
    Word word;
    for (const char c : hex) {
        const auto digit = hex_digit(c);
        if (!digit) return std::nullopt;
        word.hi = (word.hi << 4) | (word.lo >> 60);
        word.lo = (word.lo << 4) | *digit;
    }
    return word;
}

}  // namespace capra::isa
