#include "sim/fuzz_case.hpp"

#include "isa/check.hpp"
#include "isa/codec.hpp"
#include "sim/fuzz_bounds.hpp"
#include "sim/fuzz_draw.hpp"
#include "sim/fuzz_instruction.hpp"
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
          places_(Places::choose(random_, target)),
          spad_written_(target.spad_bytes, false),
          acc_written_(target.acc_words, false) {
        program_.name = fmt::format("fuzz-{}", seed);
        program_.target = target.name;
        program_.memory_words = places_.ext.base + places_.ext.size;
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
        isa::DataBlock block{.address = places_.ext.base, .values = {}};
        const std::uint32_t style = random_.between(0, 8);
        for (std::uint32_t i = 0; i < places_.ext.size; ++i)
            block.values.push_back(data_value(random_, style, places_.levels));
        program_.data.push_back(std::move(block));
    }

    /// Loads most of the scratchpad arena, so that later reads find written cells.
    void fill_scratchpad() {
        for (std::uint32_t at = places_.spad.base; at < places_.spad.base + places_.spad.size;) {
            const std::uint32_t left = places_.spad.base + places_.spad.size - at;
            const std::uint32_t n = std::min({left, places_.ext.size, random_.between(60, 400)});
            push({.op = Opcode::ld,
                  .d = at,
                  .x = places_.ext.base + random_.between(0, places_.ext.size - n),
                  .n = n});
            at += n + (random_.one_in(4) ? random_.between(0, 5) : 0);
        }
    }

    /// Tries random operands until an instruction is legal and reads written cells only.
    void add_random() {
        constexpr int kTries = 60;
        for (int i = 0; i < kTries; ++i) {
            const Instruction insn = draw_instruction(random_, places_, target_);
            if (isa::check(insn, target_) != isa::Trap::none || !reads_written(insn)) continue;
            if (isa::has_index(isa::row_of(insn.op)) && !random_.one_in(8)) prepare_index(insn);
            push(insn);
            return;
        }
    }

    /// Writes an index that names a row: the place of the largest of no more elements than rows. A
    /// random one would mostly name none, and end the program.
    void prepare_index(const Instruction& insn) {
        const std::uint32_t cell = insn.op == Opcode::ldx ? insn.a : places_.spad.address(random_);
        constexpr int kTries = 30;
        for (int i = 0; i < kTries; ++i) {
            const Instruction amax{.op = Opcode::amax,
                                   .d = cell,
                                   .a = places_.spad.address(random_),
                                   .n = random_.between(1, std::min(insn.rows, 24U))};
            if (isa::check(amax, target_) != isa::Trap::none || !reads_written(amax)) continue;
            push(amax);
            break;
        }
        if (insn.wide != 0) push({.op = Opcode::rq, .d = insn.a + 1, .a = insn.a + 1, .n = 1});
        if (insn.op == Opcode::ldxw && spad_written_[cell])
            push({.op = Opcode::st, .a = cell, .x = insn.w, .n = 1});
    }

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
            places_.tile = {effect.base,
                            effect.cols * (effect.stride == effect.cols ? effect.rows : 1)};
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
    Places places_;
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
