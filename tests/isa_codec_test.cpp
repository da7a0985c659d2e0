// Encoding: every field has its bits, and nothing else does.
#include "isa/codec.hpp"

#include "isa/error.hpp"

#include <algorithm>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace capra::isa {
namespace {

std::uint32_t width_max(const FieldRow& field) {
    return static_cast<std::uint32_t>((std::uint64_t{1} << field.width) - 1);
}

TEST(IsaCodec, fields_of_an_instruction_do_not_share_bits) {
    for (const InstructionRow& row : kTable) {
        Word used;
        used.lo = 0xff;
        for (const FieldRow& field : row.fields) {
            Instruction insn{.op = row.op};
            insn.*field.member = width_max(field);
            Word bits = encode(insn);
            bits.lo &= ~std::uint64_t{0xff};
            EXPECT_EQ(bits.lo & used.lo, 0U) << row.mnemonic << " " << field.name;
            EXPECT_EQ(bits.hi & used.hi, 0U) << row.mnemonic << " " << field.name;
            used.lo |= bits.lo;
            used.hi |= bits.hi;
        }
        EXPECT_EQ(used, legal_mask(row)) << row.mnemonic;
    }
}

// check.v and dma_unit.v read a field without asking which instruction it is.
TEST(IsaCodec, fields_of_one_name_share_a_place_in_all_instructions_but_mm) {
    for (const InstructionRow& row : kTable) {
        for (const InstructionRow& other : kTable) {
            if (row.op == Opcode::mm || other.op == Opcode::mm) continue;
            for (const FieldRow& field : row.fields) {
                for (const FieldRow& same : other.fields) {
                    if (field.member != same.member) continue;
                    EXPECT_EQ(field.lsb, same.lsb) << row.mnemonic << " " << field.name;
                    EXPECT_EQ(field.width, same.width) << row.mnemonic << " " << field.name;
                }
            }
        }
    }
}

// Worked by hand from the positions in the manual.
TEST(IsaCodec, mm_has_its_published_bits) {
    const Instruction mm{.op = Opcode::mm,
                         .d = 0x1234,
                         .a = 0x5678,
                         .b = 0x9abc,
                         .m = 4,
                         .k = 16,
                         .n = 3,
                         .sa = 16,
                         .sb = 32,
                         .sd = 8,
                         .bt = 1};
    // high half: sd 008 | sb 020 | sa 010 | n 03 | m 04 | k 010
    EXPECT_EQ(to_hex(encode(mm)), "00802001003040109abc567812340120");
}

TEST(IsaCodec, rq_has_its_published_bits) {
    const Instruction rq{.op = Opcode::rq,
                         .d = 1,
                         .a = 2,
                         .n = 3,
                         .mult = 0x7fffffff,
                         .shift = 63,
                         .acc = 1,
                         .relu = 1};
    EXPECT_EQ(to_hex(encode(rq)), "7fffffff003f00030000000200010330");
}

RC_GTEST_PROP(IsaCodec, decode_inverts_encode, ()) {
    const InstructionRow& row = kTable[*rc::gen::inRange<std::size_t>(0, kTable.size())];
    Instruction insn{.op = row.op};
    for (const FieldRow& field : row.fields)
        insn.*field.member = *rc::gen::inRange<std::uint32_t>(0, width_max(field)) +
                             *rc::gen::inRange<std::uint32_t>(0, 2);
    const Word word = encode(insn);
    RC_ASSERT(decode(word) == insn);
    RC_ASSERT(!has_reserved_bits(word, row));
    RC_ASSERT(word_from_hex(to_hex(word)) == word);
}

TEST(IsaCodec, a_value_too_wide_for_its_field_is_refused) {
    try {
        encode({.op = Opcode::ld, .n = 65536});
        FAIL();
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "LD: field n = 65536 does not fit 16 bits");
    }
    EXPECT_THROW(encode({.op = Opcode::rq, .mult = 1U << 31}), Error);
}

TEST(IsaCodec, bits_are_extracted_from_either_half_and_across_both) {
    const Word word{.lo = 0xa000'0000'0000'0001, .hi = 0xc000'0000'0000'0005};
    EXPECT_EQ(extract_bits(word, 0, 1), 1U);
    EXPECT_EQ(extract_bits(word, 63, 1), 1U);
    EXPECT_EQ(extract_bits(word, 64, 3), 5U);
    EXPECT_EQ(extract_bits(word, 60, 8), 0x5aU);
    EXPECT_EQ(extract_bits(word, 96, 32), 0xc0000000U);
}

TEST(IsaCodec, opcode_zero_and_unassigned_opcodes_do_not_decode) {
    EXPECT_FALSE(decode({}).has_value());
    EXPECT_FALSE(decode({.lo = 0x14}).has_value());
    EXPECT_FALSE(decode({.lo = 0xff}).has_value());
    EXPECT_TRUE(decode({.lo = 0x01}).has_value());
}

TEST(IsaCodec, every_bit_outside_the_mask_is_reserved) {
    for (const InstructionRow& row : kTable) {
        const Word mask = legal_mask(row);
        for (unsigned bit = 0; bit < 128; ++bit) {
            Word word = encode({.op = row.op});
            const std::uint64_t one = std::uint64_t{1} << (bit % 64);
            (bit < 64 ? word.lo : word.hi) |= one;
            const bool legal = ((bit < 64 ? mask.lo : mask.hi) & one) != 0;
            EXPECT_EQ(has_reserved_bits(word, row), !legal) << row.mnemonic << " bit " << bit;
        }
    }
}

TEST(IsaCodec, hex_of_the_wrong_length_is_refused) {
    EXPECT_FALSE(word_from_hex("0").has_value());
    EXPECT_FALSE(word_from_hex(std::string(31, '0')).has_value());
    EXPECT_FALSE(word_from_hex(std::string(33, '0')).has_value());
}

TEST(IsaCodec, a_hex_digit_is_one_of_16_in_either_case_and_nothing_else) {
    constexpr std::string_view kLower = "0123456789abcdef";
    constexpr std::string_view kUpper = "0123456789ABCDEF";
    for (int byte = 0; byte < 256; ++byte) {
        const char c = static_cast<char>(byte);
        const std::size_t digit = std::min(kLower.find(c), kUpper.find(c));
        const std::optional<Word> word = word_from_hex(std::string(31, '0') + c);
        const Word expected{.lo = digit, .hi = 0};
        EXPECT_EQ(word, digit < 16 ? std::optional(expected) : std::nullopt) << byte;
    }
}

}  // namespace
}  // namespace capra::isa
