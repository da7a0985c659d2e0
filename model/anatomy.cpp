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

std::string histogram_text(const Anatomy& anatomy) {
    return isa::histogram_text(anatomy.histogram);
}

}  // namespace capra::model
