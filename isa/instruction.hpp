// The value type of one decoded instruction, and the names its fields have everywhere.
#pragma once

#include <cstdint>

namespace capra::isa {

/// Opcodes. The high nibble is the unit that executes the instruction (see `Unit`); opcode 0 is
/// left illegal so that a zeroed program memory traps.
enum class Opcode : std::uint8_t {
    halt = 0x01,
    ld = 0x10,
    st = 0x11,
    ldx = 0x12,
    ldxw = 0x13,
    mm = 0x20,
    rq = 0x30,
    vadd = 0x31,
    sm = 0x32,
    amax = 0x33,
    rqc = 0x34,
    amaxc = 0x35,
    lut = 0x36,
    vmul = 0x37,
    topk = 0x38,
    topkc = 0x39,
};

enum class Unit : std::uint8_t { control = 0, dma = 1, matrix = 2, vector = 3 };

/// One instruction, decoded. A field that an opcode does not have stays 0.
/// Addresses count cells of their space: bytes of scratchpad, int32 words of accumulators,
/// words of external memory.
struct Instruction {
    Opcode op = Opcode::halt;
    std::uint32_t d = 0;      ///< destination address
    std::uint32_t a = 0;      ///< first source address
    std::uint32_t b = 0;      ///< second source address
    std::uint32_t x = 0;      ///< external memory word address
    std::uint32_t w = 0;      ///< external memory word that holds an index
    std::uint32_t rows = 0;   ///< rows of a table in external memory
    std::uint32_t m = 0;      ///< rows of A and of the result
    std::uint32_t k = 0;      ///< depth of the dot products; in TOPK, winners
    std::uint32_t n = 0;      ///< element count; in MM, columns of B and of the result
    std::uint32_t cols = 0;   ///< elements of a row, entries of a column table
    std::uint32_t sa = 0;     ///< row stride of A
    std::uint32_t sb = 0;     ///< row stride of B as stored
    std::uint32_t sd = 0;     ///< row stride of the result
    std::uint32_t mult = 0;   ///< requantise multiplier
    std::uint32_t shift = 0;  ///< requantise shift
    std::uint32_t scale = 0;  ///< softmax input scale, 2^-20 in log2 per step
    std::uint32_t wide = 0;   ///< 1: the index has two bytes
    std::uint32_t bt = 0;     ///< 1: B is stored transposed
    std::uint32_t acc = 0;    ///< 1: the source is the accumulators
    std::uint32_t relu = 0;   ///< 1: negative results become 0
    std::uint32_t bcast = 0;  ///< 1: the second source is one cell, taken for every element

    friend bool operator==(const Instruction&, const Instruction&) = default;
};

/// A pointer to one field of an instruction; null stands for the constant 1 in cost terms and
/// operand shapes.
using Field = std::uint32_t Instruction::*;

/// The encoded form, 128 bits.
struct Word {
    std::uint64_t lo = 0;
    std::uint64_t hi = 0;

    friend bool operator==(const Word&, const Word&) = default;
};

}  // namespace capra::isa
