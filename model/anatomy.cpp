#include "model/anatomy.hpp"

#include "isa/codec.hpp"
#include "isa/table.hpp"

#include <cassert>

namespace capra::model {
namespace {

void append(std::string& text, const Anatomy& anatomy, std::string_view mnemonic) {
    const auto found = anatomy.histogram.find(std::string(mnemonic));
    if (found == anatomy.histogram.end()) return;
    if (!text.empty()) text += ", ";
    text += found->first + " " + std::to_string(found->second);
}

}  // namespace

Anatomy anatomy(const isa::Program& program) {
    Anatomy result;
    for (const auto& word : program.code) {
        const auto insn = isa::decode(word);
        assert(insn.has_value());
        ++result.histogram[std::string(isa::row_of(insn->op).mnemonic)];
        if (insn->op == isa::Opcode::ld) result.words_loaded += insn->n;
        if (insn->op == isa::Opcode::st) result.words_stored += insn->n;
    }
    return result;
}

std::string histogram_text(const Anatomy& anatomy) {
    std::string text;
    for (const auto& row : isa::kTable)
        if (row.op != isa::Opcode::halt) append(text, anatomy, row.mnemonic);
    append(text, anatomy, isa::row_of(isa::Opcode::halt).mnemonic);
    return text;
}

}  // namespace capra::model
