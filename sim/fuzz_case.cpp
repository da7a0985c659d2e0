#include "sim/fuzz_case.hpp"

#include "isa/check.hpp"
#include "isa/codec.hpp"
#include "sim/fuzz_bounds.hpp"
#include "sim/fuzz_draw.hpp"
#include "sim/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace capra::sim {
namespace {

using isa::Instruction;
using isa::Opcode;

class Generator {
  public:
    Generator(std::uint64_t seed, const isa::Target& target)
        : random_(seed),
          target_(target),
          spad_(Arena::choose(random_, target.spad_bytes, 700)),
          acc_(Arena::choose(random_, target.acc_words, 96)),
          ext_(Arena::choose(random_, target.ext_words, 400)),
          levels_(TwoLevels::choose(random_)),
          spad_written_(target.spad_bytes, false),
          acc_written_(target.acc_words, false) {
        program_.name = fmt::format("fuzz-{}", seed);
        program_.target = target.name;
        program_.memory_words = ext_.base + ext_.size;
    }

    isa::Program run() {
        fill_memory();
        fill_scratchpad();
        const std::uint32_t length = random_.between(1, 24);
        for (std::uint32_t i = 0; i < length; ++i) add_random();
        if (!random_.one_in(40)) push({.op = Opcode::halt});
        if (random_.one_in(5)) corrupt();
        return std::move(program_);
    }

  private:
    void fill_memory() {
        isa::DataBlock block{.address = ext_.base, .values = {}};
        const std::uint32_t style = random_.between(0, 8);
        for (std::uint32_t i = 0; i < ext_.size; ++i)
            block.values.push_back(data_value(random_, style, levels_));
        program_.data.push_back(std::move(block));
    }

    /// Loads most of the scratchpad arena, so that later reads find written cells.
    void fill_scratchpad() {
        for (std::uint32_t at = spad_.base; at < spad_.base + spad_.size;) {
            const std::uint32_t left = spad_.base + spad_.size - at;
            const std::uint32_t n = std::min({left, ext_.size, random_.between(60, 400)});
            push({.op = Opcode::ld,
                  .d = at,
                  .x = ext_.base + random_.between(0, ext_.size - n),
                  .n = n});
            at += n + (random_.one_in(4) ? random_.between(0, 5) : 0);
        }
    }

    /// Tries random operands until an instruction is legal and reads written cells only.
    void add_random() {
        constexpr int kTries = 60;
        for (int i = 0; i < kTries; ++i) {
            const Instruction insn = draw();
            if (isa::check(insn, target_) != isa::Trap::none || !reads_written(insn)) continue;
            push(insn);
            return;
        }
    }

    Instruction draw() {
        switch (random_.between(0, 25)) {
            case 0:
                return {.op = Opcode::ld, .d = spad(), .x = ext(), .n = length(40)};
            case 1:
            case 2:
                return {.op = Opcode::st, .a = spad(), .x = ext(), .n = length(40)};
            case 3:
            case 4:
            case 5:
            case 6:
                return draw_mm();
            case 7:
            case 8:
            case 9:
                return draw_rq();
            case 10:
            case 11:
                return {.op = Opcode::vadd, .d = spad(), .a = spad(), .b = spad(), .n = length(40)};
            case 12:
            case 13:
            case 14:
                return draw_sm();
            case 15:
            case 16:
                return draw_rqc();
            case 17:
            case 18:
                return draw_amaxc();
            case 22:
            case 23:
                return draw_vmul();
            case 19:
            case 20:
            case 21:
                return {.op = Opcode::lut, .d = spad(), .a = spad(), .b = table(), .n = length(40)};
            default:
                return {.op = Opcode::amax,
                        .d = spad(),
                        .a = spad(),
                        .n = random_.length(24, target_.argmax_max)};
        }
    }

    Instruction draw_mm() {
        Instruction insn{.op = Opcode::mm, .d = acc_.address(random_), .a = spad(), .b = spad()};
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

    Instruction draw_rq() {
        Instruction insn{.op = Opcode::rq, .d = spad(), .n = length(40)};
        insn.acc = random_.between(0, 2) != 0 ? 1 : 0;
        insn.relu = random_.between(0, 1);
        insn.a = insn.acc != 0 ? acc_.address(random_) : spad();
        if (insn.acc != 0) insn.n = random_.length(16, target_.acc_words);
        constexpr std::array<std::uint32_t, 4> kMultipliers = {0, 1, 0x40000000, 0x7fffffff};
        insn.mult = random_.one_in(3) ? random_.pick(kMultipliers)
                                      : random_.between(0x40000000, 0x7fffffff);
        // Shifts near 38 bring accumulators into int8 range; the others saturate or vanish.
        insn.shift = random_.one_in(3) ? random_.between(0, 63) : random_.between(29, 46);
        return insn;
    }

    Instruction draw_vmul() {
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
        insn.a = tile_.base;
        insn.n = random_.between(1, tile_.size);
    }

    Instruction draw_amaxc() {
        Instruction insn{.op = Opcode::amaxc, .d = spad(), .a = acc_.address(random_), .b = spad()};
        insn.n = random_.length(12, target_.argmax_max);
        choose_tile(insn);
        return insn;
    }

    Instruction draw_rqc() {
        Instruction insn{.op = Opcode::rqc, .d = spad(), .a = acc_.address(random_), .b = spad()};
        insn.relu = random_.between(0, 1);
        insn.n = random_.length(16, target_.acc_words);
        choose_tile(insn);
        insn.cols = random_.length(6, insn.n + 2);
        // Shifts near 23 bring accumulators into int8 range; the others saturate or vanish.
        insn.shift = random_.one_in(4) ? random_.between(0, 63) : random_.between(14, 31);
        return insn;
    }

    Instruction draw_sm() {
        Instruction insn{.op = Opcode::sm, .d = spad(), .a = spad()};
        insn.n = random_.length(20, target_.softmax_max);
        insn.scale = random_.one_in(3) ? levels_.last_scale()
                                       : random_.between(0, 0xffffff) >> random_.between(0, 23);
        if (random_.one_in(3)) insn.d = insn.a;
        return insn;
    }

    std::uint32_t spad() { return spad_.address(random_); }
    /// Where a table of a cell for every byte fits, if it fits.
    std::uint32_t table() {
        constexpr std::uint32_t kEntries = 256;
        if (spad_.size <= kEntries) return spad();
        return spad_.base + random_.between(0, spad_.size - kEntries);
    }
    std::uint32_t ext() { return ext_.address(random_); }
    std::uint32_t length(std::uint32_t usual) { return random_.length(usual, spad_.size); }

    [[nodiscard]] bool reads_written(const Instruction& insn) const {
        for (const isa::Access& access : isa::accesses(insn)) {
            if (access.space == isa::Space::ext && access.end() > program_.memory_words)
                return false;
            if (access.use == isa::Use::write || access.space == isa::Space::ext) continue;
            const auto& written = access.space == isa::Space::spad ? spad_written_ : acc_written_;
            for (std::uint32_t r = 0; r < access.rows; ++r)
                for (std::uint32_t c = 0; c < access.cols; ++c)
                    if (!written[access.base + r * access.stride + c]) return false;
        }
        return true;
    }

    void push(const Instruction& insn) {
        program_.code.push_back(isa::encode(insn));
        const isa::Access effect = isa::effect(insn);
        if (effect.space == isa::Space::none || effect.space == isa::Space::ext) return;
        if (effect.space == isa::Space::acc)
            tile_ = {effect.base, effect.cols * (effect.stride == effect.cols ? effect.rows : 1)};
        auto& written = effect.space == isa::Space::spad ? spad_written_ : acc_written_;
        for (std::uint32_t r = 0; r < effect.rows; ++r)
            for (std::uint32_t c = 0; c < effect.cols; ++c)
                written[effect.base + r * effect.stride + c] = true;
    }

    /// Breaks an instruction, if what remains is still defined.
    void corrupt() {
        const std::size_t at =
            random_.between(0, static_cast<std::uint32_t>(program_.code.size() - 1));
        const isa::Word before = program_.code[at];
        program_.code[at] = random_.one_in(2) ? with_flipped_bit(before) : beyond_a_bound(before);
        if (!is_defined(program_, target_)) program_.code[at] = before;
    }

    isa::Word with_flipped_bit(isa::Word word) {
        const std::uint32_t bit = random_.between(0, 127);
        (bit < 64 ? word.lo : word.hi) ^= std::uint64_t{1} << (bit % 64);
        return word;
    }

    isa::Word beyond_a_bound(const isa::Word& word) {
        const auto illegal = just_illegal(*isa::decode(word), target_);
        if (illegal.empty()) return word;
        const auto last = static_cast<std::uint32_t>(illegal.size() - 1);
        return isa::encode(illegal[random_.between(0, last)]);
    }

    Random random_;
    const isa::Target& target_;
    Arena spad_;
    Arena acc_;
    Arena ext_;
    TwoLevels levels_;
    Arena tile_{.base = 0, .size = 1};  ///< accumulators that the last MM wrote without a gap
    std::vector<bool> spad_written_;
    std::vector<bool> acc_written_;
    isa::Program program_;
};

}  // namespace

isa::Program random_program(std::uint64_t seed, const isa::Target& target) {
    return Generator(seed, target).run();
}

bool is_defined(const isa::Program& program, const isa::Target& target) {
    const Verification report = verify(program, target);
    return report.findings.size() <= (report.end.state == State::trapped ? 1U : 0U);
}

}  // namespace capra::sim
