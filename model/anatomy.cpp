#include "model/anatomy.hpp"

#include "isa/codec.hpp"

namespace capra::model {

Anatomy anatomy(const isa::Program& program) {
    Anatomy result{.histogram = isa::histogram(program)};
    for (const auto& word : program.code) {
        const auto insn = isa::decode(word);
        if (!insn) continue;
        if (insn->op == isa::Opcode::ld) result.words_loaded += insn->n;
        if (insn->op == isa::Opcode::st) result.words_stored += insn->n;
    }
    return result;
}

std::uint64_t multiply_accumulates(const isa::Program& program) {
    std::uint64_t sum = 0;
    for (const auto& word : program.code) {
        const auto insn = isa::decode(word);
        if (insn && insn->op == isa::Opcode::mm) sum += std::uint64_t{insn->m} * insn->k * insn->n;
    }
    return sum;
}

std::string histogram_text(const Anatomy& anatomy) {
    return isa::histogram_text(anatomy.histogram);
}

}  // namespace capra::model
