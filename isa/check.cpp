#include "isa/check.hpp"

#include "isa/codec.hpp"

namespace capra::isa {
namespace {

constexpr std::string_view kTrapNames[kTrapCount] = {
    "none",      "illegal_opcode", "reserved_bits", "field_range", "spad_range",
    "acc_range", "ext_range",      "overlap",       "pc_range",    "index_range"};

constexpr std::string_view kTrapProse[kTrapCount] = {
    "no trap",
    "the opcode byte names no instruction",
    "a bit that the instruction does not define is set",
    "a count or stride is zero or above its limit, or k is above n",
    "an operand reaches past the end of the scratchpad",
    "an operand reaches past the end of the accumulators",
    "an operand reaches past the end of external memory",
    "the destination overlaps a source that starts before it, or one that is read again",
    "the program counter ran past the last instruction",
    "the index of LDX or LDXW names no row of its table"};

bool fields_in_range(const Instruction& insn, const InstructionRow& row, const Target& target) {
    for (const FieldRow& field : row.fields) {
        const std::uint32_t value = insn.*field.member;
        const auto width_max = static_cast<std::uint32_t>((std::uint64_t{1} << field.width) - 1);
        if (value < field.min || value > target.limit(field.limit, width_max)) return false;
        if (field.at_most != nullptr && value > insn.*field.at_most) return false;
    }
    return true;
}

struct Memory {
    Space space;
    std::uint32_t Target::*cells;
    Trap trap;
};

/// In the order in which their bounds are checked.
constexpr Memory kMemories[] = {{Space::spad, &Target::spad_bytes, Trap::spad_range},
                                {Space::acc, &Target::acc_words, Trap::acc_range},
                                {Space::ext, &Target::ext_words, Trap::ext_range}};

/// An in-order stream would overwrite cells of the source that it has yet to read.
bool stream_overtakes(const Access& destination, const Access& source) {
    if (source.space != destination.space || destination.base >= source.end()) return false;
    return source.rereads ? destination.end() > source.base : destination.base > source.base;
}

}  // namespace

std::string_view trap_name(Trap trap) {
    return kTrapNames[static_cast<unsigned>(trap)];
}
std::string_view trap_prose(Trap trap) {
    return kTrapProse[static_cast<unsigned>(trap)];
}

Accesses accesses(const Instruction& insn) {
    Accesses result{};
    for (const OperandRow& operand : row_of(insn.op).operands) {
        if (operand.when != nullptr && insn.*operand.when != operand.when_value) continue;
        const std::uint32_t cols =
            (operand.cols != nullptr ? insn.*operand.cols : 1) * operand.cells_each;
        const std::uint32_t rows = operand.rows != nullptr ? insn.*operand.rows : 1;
        const std::uint32_t stride = operand.stride != nullptr ? insn.*operand.stride : cols;
        result.items[result.count++] = {
            operand.use, operand.space, insn.*operand.base, rows,
            cols,        stride,        operand.rereads,    operand.one_row};
    }
    return result;
}

Access effect(const Instruction& insn) {
    for (const Access& access : accesses(insn))
        if (access.use == Use::write) return access;
    return {Use::write, Space::none, 0, 0, 0, 0, false, false};
}

Trap check(const Instruction& insn, const Target& target) {
    const InstructionRow& row = row_of(insn.op);
    if (!fields_in_range(insn, row, target)) return Trap::field_range;
    const Accesses operands = accesses(insn);
    for (const Memory& memory : kMemories)
        for (const Access& access : operands)
            if (access.space == memory.space && access.end() > target.*memory.cells)
                return memory.trap;
    if (row.streams) {
        const Access destination = effect(insn);  // one of the operands; never overtakes itself
        for (const Access& access : operands)
            if (stream_overtakes(destination, access)) return Trap::overlap;
    }
    return Trap::none;
}

Trap check_word(const Word& word, const Target& target) {
    const InstructionRow* row = find_row(static_cast<std::uint8_t>(word.lo & 0xff));
    if (row == nullptr) return Trap::illegal_opcode;
    if (has_reserved_bits(word, *row)) return Trap::reserved_bits;
    return check(*decode(word), target);
}

}  // namespace capra::isa
