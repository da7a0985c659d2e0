#include "sim/fuzz_instruction.hpp"

#include <array>

namespace capra::sim {
namespace {

using isa::Instruction;
using isa::Opcode;

/// How often each opcode is drawn, out of the sum of all.
constexpr struct {
    Opcode op;
    std::uint32_t weight;
} kWeights[] = {
    {Opcode::ld, 1},   {Opcode::st, 2},   {Opcode::mm, 6},    {Opcode::rq, 4},    {Opcode::vadd, 2},
    {Opcode::sm, 5},   {Opcode::amax, 2}, {Opcode::rqc, 2},   {Opcode::amaxc, 2}, {Opcode::lut, 3},
    {Opcode::vmul, 2}, {Opcode::topk, 2}, {Opcode::topkc, 3}, {Opcode::ldx, 3},   {Opcode::ldxw, 2},
};

class Drawer {
  public:
    Drawer(Random& random, const Places& places, const isa::Target& target)
        : random_(random), places_(places), target_(target) {}

    Instruction draw() {
        switch (opcode()) {
            case Opcode::halt:
                break;
            case Opcode::ld:
                return {.op = Opcode::ld, .d = spad(), .x = ext(), .n = length(40)};
            case Opcode::st:
                return {.op = Opcode::st, .a = spad(), .x = ext(), .n = length(40)};
            case Opcode::ldx:
                return ldx();
            case Opcode::ldxw:
                return ldxw();
            case Opcode::mm:
                return mm();
            case Opcode::rq:
                return rq();
            case Opcode::vadd:
                return {.op = Opcode::vadd, .d = spad(), .a = spad(), .b = spad(), .n = length(40)};
            case Opcode::sm:
                return sm();
            case Opcode::amax:
                return {.op = Opcode::amax, .d = spad(), .a = spad(), .n = row(24)};
            case Opcode::rqc:
                return rqc();
            case Opcode::amaxc:
                return amaxc();
            case Opcode::lut:
                return {.op = Opcode::lut, .d = spad(), .a = spad(), .b = table(), .n = length(40)};
            case Opcode::vmul:
                return vmul();
            case Opcode::topk:
                return topk();
            case Opcode::topkc:
                return topkc();
        }
        return {.op = Opcode::halt};
    }

  private:
    Opcode opcode() {
        std::uint32_t sum = 0;
        for (const auto& [op, weight] : kWeights) sum += weight;
        std::uint32_t at = random_.between(0, sum - 1);
        for (const auto& [op, weight] : kWeights) {
            if (at < weight) return op;
            at -= weight;
        }
        return Opcode::halt;
    }

    Instruction mm() {
        Instruction insn{.op = Opcode::mm, .d = acc(), .a = spad(), .b = spad()};
        insn.m = random_.between(1, target_.tile_rows);
        insn.n = random_.between(1, target_.tile_cols);
        insn.k = random_.length(20, target_.tile_depth);
        insn.bt = random_.between(0, 1);
        insn.sa = stride(insn.k);
        insn.sb = stride(insn.bt != 0 ? insn.k : insn.n);
        insn.sd = stride(insn.n);
        return insn;
    }

    /// Usually dense or padded rows, sometimes rows that overlap.
    std::uint32_t stride(std::uint32_t cols) {
        return random_.one_in(4) ? random_.between(1, cols) : cols + random_.between(0, 3);
    }

    Instruction rq() {
        Instruction insn{.op = Opcode::rq, .d = spad(), .n = length(40)};
        insn.acc = random_.between(0, 2) != 0 ? 1 : 0;
        insn.relu = random_.between(0, 1);
        insn.a = insn.acc != 0 ? acc() : spad();
        if (insn.acc != 0) insn.n = random_.length(16, target_.acc_words);
        constexpr std::array<std::uint32_t, 4> kMultipliers = {0, 1, 0x40000000, 0x7fffffff};
        insn.mult = random_.one_in(3) ? random_.pick(kMultipliers)
                                      : random_.between(0x40000000, 0x7fffffff);
        // Shifts near 38 bring accumulators into int8 range; the others saturate or vanish.
        insn.shift = random_.one_in(3) ? random_.between(0, 63) : random_.between(29, 46);
        return insn;
    }

    Instruction vmul() {
        Instruction insn{
            .op = Opcode::vmul, .d = spad(), .a = spad(), .b = spad(), .n = length(40)};
        insn.bcast = random_.between(0, 1);
        insn.mult =
            random_.one_in(3) ? random_.between(0, 3) : random_.between(0x40000000, 0x7fffffff);
        // Shifts near 37 bring products into int8 range; the others saturate or vanish.
        insn.shift = random_.one_in(4) ? random_.between(0, 63) : random_.between(31, 44);
        return insn;
    }

    /// Usually the result of an MM, which is what lies in the accumulators without gaps.
    void choose_tile(Instruction& insn) {
        if (random_.one_in(4)) return;
        insn.a = places_.tile.base;
        insn.n = random_.between(1, places_.tile.size);
    }

    Instruction amaxc() {
        Instruction insn{.op = Opcode::amaxc, .d = spad(), .a = acc(), .b = spad()};
        insn.n = row(12);
        choose_tile(insn);
        return insn;
    }

    Instruction rqc() {
        Instruction insn{.op = Opcode::rqc, .d = spad(), .a = acc(), .b = spad()};
        insn.relu = random_.between(0, 1);
        insn.n = random_.length(16, target_.acc_words);
        choose_tile(insn);
        insn.cols = random_.length(6, insn.n + 2);
        insn.shift = column_shift();
        return insn;
    }

    Instruction sm() {
        Instruction insn{.op = Opcode::sm, .d = spad(), .a = spad()};
        insn.n = random_.length(20, target_.softmax_max);
        insn.scale = random_.one_in(3) ? places_.levels.last_scale()
                                       : random_.between(0, 0xffffff) >> random_.between(0, 23);
        if (random_.one_in(3)) insn.d = insn.a;
        return insn;
    }

    Instruction ldx() {
        Instruction insn{.op = Opcode::ldx, .d = spad(), .a = spad(), .x = ext(), .n = length(8)};
        insn.rows = rows();
        insn.wide = random_.between(0, 1);
        return insn;
    }

    Instruction ldxw() {
        Instruction insn{.op = Opcode::ldxw, .d = spad(), .x = ext(), .w = ext(), .n = length(8)};
        insn.rows = rows();
        return insn;
    }

    /// Mostly few, now and then more than a byte can name.
    std::uint32_t rows() { return random_.length(16, places_.ext.size); }

    Instruction topk() {
        Instruction insn{.op = Opcode::topk, .d = spad(), .a = spad(), .n = row(16)};
        insn.k = winners(insn.n);
        return insn;
    }

    Instruction topkc() {
        Instruction insn{.op = Opcode::topkc, .d = spad(), .a = acc(), .b = spad(), .n = row(12)};
        choose_tile(insn);
        insn.k = winners(insn.n);
        insn.shift = column_shift();
        return insn;
    }

    /// Few of a row, now and then all of it.
    std::uint32_t winners(std::uint32_t n) { return random_.between(1, random_.one_in(3) ? n : 3); }

    /// Shifts near 23 bring accumulators times 16 bits into int8 range; others saturate or vanish.
    std::uint32_t column_shift() {
        return random_.one_in(4) ? random_.between(0, 63) : random_.between(14, 31);
    }

    std::uint32_t spad() { return places_.spad.address(random_); }
    std::uint32_t acc() { return places_.acc.address(random_); }
    std::uint32_t ext() { return places_.ext.address(random_); }
    std::uint32_t length(std::uint32_t usual) { return random_.length(usual, places_.spad.size); }
    std::uint32_t row(std::uint32_t usual) { return random_.length(usual, target_.argmax_max); }
    /// Where a table of a cell for every byte fits, if it fits.
    std::uint32_t table() {
        constexpr std::uint32_t kEntries = 256;
        const Arena& arena = places_.spad;
        return arena.base + random_.between(0, arena.size - std::min(arena.size, kEntries));
    }

    Random& random_;
    const Places& places_;
    const isa::Target& target_;
};

}  // namespace

Places Places::choose(Random& random, const isa::Target& target) {
    return {.spad = Arena::choose(random, target.spad_bytes, 700),
            .acc = Arena::choose(random, target.acc_words, 96),
            .ext = Arena::choose(random, target.ext_words, 400),
            .levels = TwoLevels::choose(random)};
}

Instruction draw_instruction(Random& random, const Places& places, const isa::Target& target) {
    return Drawer(random, places, target).draw();
}

}  // namespace capra::sim
