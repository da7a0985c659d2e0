#include "sim/decoded_program.hpp"

#include "isa/codec.hpp"
#include "isa/error.hpp"

#include <fmt/format.h>

namespace capra::sim {

DecodedProgram decode_program(const isa::Program& program, const isa::Target& target) {
    if (program.code.size() > target.prog_words)
        throw Error(fmt::format("program {}: {} instructions do not fit the program memory of {}",
                                program.name, program.code.size(), target.prog_words));
    if (program.memory_words > target.ext_words)
        throw Error(fmt::format("program {}: {} words do not fit the external memory of {}",
                                program.name, program.memory_words, target.ext_words));
    DecodedProgram decoded{.steps = {},
                           .end = {State::trapped, isa::Trap::pc_range,
                                   static_cast<std::uint32_t>(program.code.size())},
                           .fetch_decode_cycles = target.fetch_decode_cycles};
    for (std::uint32_t pc = 0; pc < program.code.size(); ++pc) {
        const isa::Trap trap = isa::check_word(program.code[pc], target);
        if (trap != isa::Trap::none) {
            decoded.end = {State::trapped, trap, pc};
            break;
        }
        const isa::Instruction insn = *isa::decode(program.code[pc]);
        decoded.steps.push_back({insn, target.unit_cycles(insn), isa::row_of(insn.op).unit,
                                 target.fault_cycles(insn.op)});
        if (insn.op == isa::Opcode::halt) {
            decoded.end = {State::halted, isa::Trap::none, pc};
            break;
        }
    }
    return decoded;
}

std::uint64_t total_cycles(const DecodedProgram& program) {
    std::uint64_t cycles = program.end.state == State::trapped ? program.fetch_decode_cycles : 0;
    for (const Step& step : program.steps) cycles += step.unit_cycles + program.fetch_decode_cycles;
    return cycles;
}

std::uint64_t cycle_limit(const DecodedProgram& program) {
    return 2 * total_cycles(program) + 100;
}

}  // namespace capra::sim
