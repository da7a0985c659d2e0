#include "sim/place.hpp"

#include "isa/assembler.hpp"

namespace capra::sim {

std::string instruction_at(const isa::Program& program, std::uint32_t pc) {
    return pc < program.code.size() ? isa::disassemble(program.code[pc]) : "end of code";
}

}  // namespace capra::sim
