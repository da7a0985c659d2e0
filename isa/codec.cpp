#include "isa/codec.hpp"

#include "isa/error.hpp"

#include <fmt/format.h>

namespace capra::isa {
namespace {

void deposit(Word& word, unsigned lsb, unsigned width, std::uint64_t value) {
    const std::uint64_t kept = value & ((std::uint64_t{1} << width) - 1);
    if (lsb >= 64) {
        word.hi |= kept << (lsb - 64);
        return;
    }
    word.lo |= kept << lsb;
    if (lsb + width > 64) word.hi |= kept >> (64 - lsb);
}

int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

}  // namespace

std::uint32_t extract_bits(const Word& word, unsigned lsb, unsigned width) {
    std::uint64_t bits = 0;
    if (lsb >= 64) {
        bits = word.hi >> (lsb - 64);
    } else {
        bits = word.lo >> lsb;
        if (lsb + width > 64) bits |= word.hi << (64 - lsb);
    }
    return static_cast<std::uint32_t>(bits & ((std::uint64_t{1} << width) - 1));
}

Word encode(const Instruction& insn) {
    const InstructionRow& row = row_of(insn.op);
    Word word;
    deposit(word, 0, 8, static_cast<std::uint8_t>(insn.op));
    for (const FieldRow& field : row.fields) {
        const std::uint32_t value = insn.*field.member;
        if (field.width < 32 && (value >> field.width) != 0)
            throw Error(fmt::format("{}: field {} = {} does not fit {} bits", row.mnemonic,
                                    field.name, value, field.width));
        deposit(word, field.lsb, field.width, value);
    }
    return word;
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
    Word mask;
    deposit(mask, 0, 8, 0xff);
    for (const FieldRow& field : row.fields)
        deposit(mask, field.lsb, field.width, ~std::uint64_t{0});
    return mask;
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
        const int digit = hex_digit(c);
        if (digit < 0) return std::nullopt;
        word.hi = (word.hi << 4) | (word.lo >> 60);
        word.lo = (word.lo << 4) | static_cast<std::uint64_t>(digit);
    }
    return word;
}

}  // namespace capra::isa
