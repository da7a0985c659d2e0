#include "sim/fuzz_bounds.hpp"

#include "isa/check.hpp"
#include "isa/codec.hpp"

namespace capra::sim {
namespace {

std::uint64_t cells(isa::Space space, const isa::Target& target) {
    if (space == isa::Space::spad) return target.spad_bytes;
    if (space == isa::Space::acc) return target.acc_words;
    return target.ext_words;
}

std::uint64_t largest(const isa::FieldRow& field) {
    return (std::uint64_t{1} << field.width) - 1;
}

class Breaker {
  public:
    explicit Breaker(const isa::Instruction& insn) : insn_(insn) {}

    void set(const isa::FieldRow& field, std::uint64_t value) {
        if (value > largest(field)) return;
        broken.push_back(insn_);
        broken.back().*field.member = static_cast<std::uint32_t>(value);
    }

    std::vector<isa::Instruction> broken;

  private:
    const isa::Instruction& insn_;
};

}  // namespace

std::vector<isa::Instruction> just_illegal(const isa::Instruction& insn,
                                           const isa::Target& target) {
    Breaker breaker(insn);
    const isa::InstructionRow& row = isa::row_of(insn.op);
    const isa::Accesses accesses = isa::accesses(insn);
    for (const isa::FieldRow& field : row.fields) {
        if (field.min > 0) breaker.set(field, std::uint64_t{field.min} - 1);
        const auto most = static_cast<std::uint32_t>(largest(field));
        breaker.set(field, std::uint64_t{target.limit(field.limit, most)} + 1);
        if (field.at_most != nullptr) breaker.set(field, std::uint64_t{insn.*field.at_most} + 1);
        const isa::Access* access = accesses.begin();
        for (const isa::OperandRow& operand : row.operands) {
            if (operand.when != nullptr && insn.*operand.when != operand.when_value) continue;
            if (operand.base == field.member) {
                const std::uint64_t extent = access->end() - access->base;
                const std::uint64_t room = cells(access->space, target);
                if (extent <= room) breaker.set(field, room - extent + 1);
            }
            ++access;
        }
    }
    return breaker.broken;
}

}  // namespace capra::sim
