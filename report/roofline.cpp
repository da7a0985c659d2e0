#include "report/roofline.hpp"

namespace capra::report {
namespace {

using isa::Opcode;

/// Cycles that one more of `field` costs; the formulas are linear in it.
double marginal_cycles(const isa::Target& target, isa::Instruction insn, isa::Field field) {
    const std::uint64_t before = target.unit_cycles(insn);
    insn.*field += 1;
    return static_cast<double>(target.unit_cycles(insn) - before);
}

/// MACs a cycle of a full-width tile of so many rows when its depth goes to infinity.
double deep_macs(const isa::Target& target, std::uint32_t rows) {
    const isa::Instruction mm{.op = Opcode::mm, .m = rows, .k = 1, .n = target.tile_cols};
    return static_cast<double>(rows * target.tile_cols) /
           marginal_cycles(target, mm, &isa::Instruction::k);
}

}  // namespace

Roofs roofs(const isa::Target& target) {
    const isa::Instruction ld{.op = Opcode::ld, .n = 1};
    return {1 / marginal_cycles(target, ld, &isa::Instruction::n),
            static_cast<double>(target.tile_rows * target.tile_cols), target.tile_rows,
            deep_macs(target, 1), deep_macs(target, target.tile_rows)};
}

double in_turns(double words_a_cycle, double macs, double intensity) {
    return 1 / (1 / (words_a_cycle * intensity) + 1 / macs);
}

double intensity(const Cost& cost) {
    return static_cast<double>(cost.macs) / static_cast<double>(cost.words());
}

double performance(const Cost& cost) {
    return static_cast<double>(cost.macs) / static_cast<double>(cost.counters.total);
}

}  // namespace capra::report
