#include "sim/loaded_data.hpp"

#include "isa/codec.hpp"

namespace capra::sim {
namespace {

using isa::Access;
using isa::Instruction;
using isa::Opcode;

bool overlap(const Access& a, const Access& b) {
    return a.space == b.space && a.base < b.end() && b.base < a.end();
}

/// The last instruction before `pc` that may write one of the cells, moved into `pc`.
std::optional<Instruction> last_write(const isa::Program& program, std::uint32_t& pc,
                                      const Access& cells) {
    while (pc > 0) {
        const auto insn = isa::decode(program.code[--pc]);
        if (insn && overlap(isa::effect(*insn), cells)) return insn;
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::vector<std::int8_t>> loaded_data(const isa::Program& program, std::uint32_t pc,
                                                    const Access& access) {
    const auto load = last_write(program, pc, access);
    if (!load || load->op != Opcode::ld) return std::nullopt;
    const Access written = isa::effect(*load);
    if (access.base < written.base || access.end() > written.end()) return std::nullopt;
    Access source = access;
    source.space = isa::Space::ext;
    source.base = load->x + (access.base - written.base);
    if (last_write(program, pc, source)) return std::nullopt;
    for (const isa::DataBlock& block : program.data) {
        if (source.base < block.address || source.end() > block.address + block.values.size())
            continue;
        const auto begin = block.values.begin() + (source.base - block.address);
        return {{begin, begin + source.cols}};
    }
    return std::nullopt;
}

}  // namespace capra::sim
