#include "mutation/rtl_directed.hpp"

#include "isa/table.hpp"
#include "mutation/rtl_directed_program.hpp"
#include "mutation/rtl_indexed.hpp"
#include "sim/fuzz_bounds.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

namespace capra::mutation {
namespace {

using isa::Instruction;
using isa::Opcode;

/// Random power-ups: with these every register that a reset forgets shows once.
constexpr int kPowerUps = 24;

/// What the programs load first: some operands, room for results, a table for LUT.
constexpr std::uint32_t kTable = 112;
constexpr std::uint32_t kCells = kTable + 256;

/// Each instruction once, on small operands. AMAX leaves its largest byte at the read port, so that
/// SM, if it took what is there at its start for a score, would find another maximum. MM leaves
/// rows and columns unused. RQC goes round its table of two columns.
Code one_of_each() {
    return {
        {.op = Opcode::ld, .d = 0, .x = 0, .n = kCells},
        {.op = Opcode::amax, .d = 100, .a = 1, .n = 9},
        {.op = Opcode::sm, .d = 90, .a = 37, .n = 5, .scale = 30000},
        {.op = Opcode::mm,
         .d = 3,
         .a = 1,
         .b = 20,
         .m = 2,
         .k = 5,
         .n = 3,
         .sa = 6,
         .sb = 4,
         .sd = 4},
        {.op = Opcode::rq, .d = 70, .a = 3, .n = 3, .mult = 0x50000000, .shift = 36, .acc = 1},
        {.op = Opcode::vadd, .d = 80, .a = 10, .b = 30, .n = 9},
        {.op = Opcode::rqc, .d = 75, .a = 3, .b = 40, .n = 3, .cols = 2, .shift = 22},
        {.op = Opcode::amaxc, .d = 101, .a = 3, .b = 44, .n = 3},
        {.op = Opcode::ldx, .d = 107, .a = 100, .x = 20, .rows = 9, .n = 3},
        {.op = Opcode::ldx, .d = 107, .a = 100, .x = 0, .rows = 600, .n = 1, .wide = 1},
        {.op = Opcode::st, .a = 100, .x = kCells, .n = 1},
        {.op = Opcode::ldxw, .d = 110, .x = 7, .w = kCells, .rows = 9, .n = 2},
        {.op = Opcode::lut, .d = 103, .a = 30, .b = kTable, .n = 4},
        {.op = Opcode::vmul, .d = 70, .a = 10, .b = 30, .n = 4, .mult = 3, .shift = 4},
        {.op = Opcode::vmul, .d = 74, .a = 10, .b = 30, .n = 3, .mult = 3, .shift = 4, .bcast = 1},
        {.op = Opcode::topk, .d = 83, .a = 10, .k = 3, .n = 10},
        {.op = Opcode::topkc, .d = 90, .a = 3, .b = 44, .k = 2, .n = 3, .shift = 20},
        {.op = Opcode::rq, .d = 5, .a = 5, .n = 20, .mult = 0x60000000, .shift = 31, .relu = 1},
        {.op = Opcode::st, .a = 0, .x = kCells, .n = 24},
        {.op = Opcode::halt}};
}

/// A program without HALT in a full program memory runs off its end.
Code full_memory(const isa::Target& target) {
    Code code(target.prog_words, {.op = Opcode::amax, .d = 1, .a = 0, .n = 1});
    code.front() = {.op = Opcode::ld, .d = 0, .x = 0, .n = 4};
    return code;
}

/// Every operand as large as it may be, and up to the last cell of its memory.
RtlCheck last_cells(const isa::Target& target) {
    const std::uint32_t spad = target.spad_bytes;
    const std::uint32_t k = target.tile_depth;
    const std::uint32_t m = target.tile_rows;
    const std::uint32_t n = target.tile_cols;
    RtlCheck result = directed_program(
        "directed/last-cells", target,
        {{.op = Opcode::ld, .n = spad},
         {.op = Opcode::mm,
          .d = target.acc_words - m * n,
          .a = 0,
          .b = spad - k * n,
          .m = m,
          .k = k,
          .n = n,
          .sa = k,
          .sb = n,
          .sd = n},
         {.op = Opcode::rq,
          .d = spad - n,
          .a = target.acc_words - n,
          .n = n,
          .mult = 0x7fffffff,
          .shift = 45,
          .acc = 1},
         {.op = Opcode::vadd, .d = spad - 2, .a = spad - 2, .b = spad - 2, .n = 2},
         {.op = Opcode::sm,
          .d = spad - target.softmax_max,
          .a = spad - target.softmax_max,
          .n = target.softmax_max,
          .scale = 50000},
         {.op = Opcode::amax, .d = spad - 1, .a = spad - target.argmax_max, .n = target.argmax_max},
         {.op = Opcode::rqc,
          .d = spad - n,
          .a = target.acc_words - n,
          .b = spad - 3 * n,
          .n = n,
          .cols = n,
          .shift = 20},
         {.op = Opcode::amaxc, .d = spad - 1, .a = target.acc_words - n, .b = spad - 2 * n, .n = n},
         {.op = Opcode::lut, .d = spad - 260, .a = spad - 258, .b = spad - 256, .n = 4},
         {.op = Opcode::vmul, .d = spad - 5, .a = spad - 5, .b = spad - 5, .n = 5, .mult = 1},
         {.op = Opcode::vmul,
          .d = spad - 5,
          .a = spad - 5,
          .b = spad - 1,
          .n = 4,
          .mult = 1,
          .bcast = 1},
         {.op = Opcode::topk,
          .d = 0,
          .a = spad - target.argmax_max,
          .k = 3,
          .n = target.argmax_max},
         {.op = Opcode::topk, .d = spad - 4, .a = spad - 14, .k = 2, .n = 10},
         {.op = Opcode::topkc,
          .d = spad - 2 * n,
          .a = target.acc_words - n,
          .b = spad - 4 * n,
          .k = n,
          .n = n,
          .shift = 20},
         {.op = Opcode::topkc,
          .d = 0,
          .a = target.acc_words - n,
          .b = spad - 2 * n,
          .k = 1,
          .n = n,
          .shift = 20},
         {.op = Opcode::st, .a = spad - 5, .x = target.ext_words - 5, .n = 5},
         {.op = Opcode::halt}},
        some_data(spad));
    result.program.memory_words = target.ext_words;
    return result;
}

/// The program with its last instruction before HALT replaced.
RtlCheck ending(std::string name, const isa::Target& target, const Instruction& last) {
    Code code = one_of_each();
    code[code.size() - 2] = last;
    return directed_program(std::move(name), target, code, some_data(kCells));
}

/// Destinations on both sides of every border of the overlap rule.
void add_overlaps(std::vector<RtlCheck>& checks, const isa::Target& target) {
    const auto add = [&](const std::string& name, const Instruction& insn) {
        checks.push_back(ending("directed/" + name, target, insn));
    };
    for (const std::uint32_t d : {9U, 11U, 13U, 14U}) {
        const std::string at = std::to_string(static_cast<int>(d) - 10);
        add("rq-over-a-" + at, {.op = Opcode::rq, .d = d, .a = 10, .n = 4});
        add("sm-over-a-" + at, {.op = Opcode::sm, .d = d, .a = 10, .n = 4});
        add("vadd-over-a-" + at, {.op = Opcode::vadd, .d = d, .a = 10, .b = 30, .n = 4});
        add("vadd-over-b-" + at, {.op = Opcode::vadd, .d = d, .a = 30, .b = 10, .n = 4});
        add("vmul-over-a-" + at, {.op = Opcode::vmul, .d = d, .a = 10, .b = 30, .n = 4});
        add("vmul-over-b-" + at, {.op = Opcode::vmul, .d = d, .a = 30, .b = 10, .n = 4});
    }
    for (const std::uint32_t d : {17U, 18U, 20U, 23U, 24U})
        add(fmt::format("rqc-over-table-{}", static_cast<int>(d) - 20),
            {.op = Opcode::rqc, .d = d, .a = 3, .b = 20, .n = 3, .cols = 2, .shift = 20});
    for (const std::uint32_t d : {26U, 27U, 30U, 33U, 34U}) {
        const int at = static_cast<int>(d) - 30;
        add(fmt::format("topk-over-a-{}", at),
            {.op = Opcode::topk, .d = d, .a = 30, .k = 2, .n = 4});
        add(fmt::format("topkc-over-table-{}", at),
            {.op = Opcode::topkc, .d = d, .a = 3, .b = 30, .k = 2, .n = 2, .shift = 20});
    }
    for (const std::uint32_t d : {26U, 27U, 30U, 31U})
        add(fmt::format("vmul-over-cell-{}", static_cast<int>(d) - 30),
            {.op = Opcode::vmul, .d = d, .a = 50, .b = 30, .n = 4, .mult = 1, .bcast = 1});
    for (const std::uint32_t d : {28U, 30U, 31U, 33U, 34U, kTable - 4, kTable - 3, kTable})
        add(fmt::format("lut-to-{}", d), {.op = Opcode::lut, .d = d, .a = 30, .b = kTable, .n = 4});
    // In a table that begins at 0 the last destination inside is 255.
    for (const std::uint32_t d : {255U, 256U})
        add(fmt::format("lut-over-end-{}", d),
            {.op = Opcode::lut, .d = d, .a = 300, .b = 0, .n = 4});
}

void add_illegal(std::vector<RtlCheck>& checks, const isa::Target& target) {
    Code legal = one_of_each();
    Instruction transposed = legal[3];
    transposed.bt = 1;
    legal.push_back(transposed);
    std::size_t number = 0;
    for (const Instruction& insn : legal)
        for (const Instruction& illegal : sim::just_illegal(insn, target))
            checks.push_back(directed_program(
                fmt::format("illegal/{}-{}", isa::row_of(insn.op).mnemonic, ++number), target,
                {illegal}, some_data(1)));
}

/// 127 * 2^32 / sum is odd, and the exponential of -1 times it is one less than a multiple of 2^32
/// and a half: the last bit of the product decides the rounding. There is one such sum, 179309,
/// with one exponential, 12001; found by solving e * R = 2^31 - 1 modulo 2^32 for every sum.
RtlCheck softmax_edge(const isa::Target& target) {
    std::vector<std::int8_t> row = {0, 0, 0, 0, 0, -1, -3, -3, -5, -7, -9, -10};
    const auto n = static_cast<std::uint32_t>(row.size());
    return directed_program("directed/softmax-edge", target,
                            {{.op = Opcode::ld, .n = n},
                             {.op = Opcode::sm, .n = n, .scale = 1519614},
                             {.op = Opcode::st, .n = n},
                             {.op = Opcode::halt}},
                            std::move(row));
}

}  // namespace

std::vector<RtlCheck> directed_checks(const isa::Target& target) {
    std::vector<RtlCheck> checks;
    checks.push_back(
        directed_program("directed/one-of-each", target, one_of_each(), some_data(kCells)));
    checks.push_back(softmax_edge(target));
    checks.push_back(last_cells(target));
    add_indexed_loads(checks, target);
    add_illegal(checks, target);
    add_overlaps(checks, target);
    // All ones, then random registers.
    for (int i = 0; i <= kPowerUps; ++i) {
        checks.push_back(directed_program(fmt::format("power-up/{}", i), target, one_of_each(),
                                          some_data(kCells)));
        checks.back().power_up = sim::ResetRandomness{.mode = i == 0 ? 1 : 2, .seed = i};
    }
    checks.push_back(
        directed_program("directed/full-memory", target, full_memory(target), some_data(4)));
    return checks;
}

}  // namespace capra::mutation
