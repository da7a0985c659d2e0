#include "isa/histogram.hpp"

#include "isa/codec.hpp"

namespace capra::isa {
namespace {

constexpr std::string_view kIllegal = "illegal";

void append(std::string& text, const Histogram& histogram, std::string_view mnemonic) {
    const auto found = histogram.find(std::string(mnemonic));
    if (found == histogram.end()) return;
    if (!text.empty()) text += ", ";
    text += found->first + " " + std::to_string(found->second);
}

}  // namespace

Histogram histogram(const Program& program) {
    Histogram counts;
    for (const Word& word : program.code) {
        const auto insn = decode(word);
        ++counts[std::string(insn ? row_of(insn->op).mnemonic : kIllegal)];
    }
    return counts;
}

std::string histogram_text(const Histogram& histogram) {
    std::string text;
    for (const InstructionRow& row : kTable)
        if (row.op != Opcode::halt) append(text, histogram, row.mnemonic);
    append(text, histogram, row_of(Opcode::halt).mnemonic);
    append(text, histogram, kIllegal);
    return text;
}

}  // namespace capra::isa
