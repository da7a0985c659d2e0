#include "sim/explain.hpp"

#include "isa/check.hpp"
#include "isa/numerics.hpp"
#include "sim/decoded_program.hpp"
#include "sim/exec.hpp"
#include "sim/loaded_data.hpp"
#include "sim/operand_names.hpp"
#include "sim/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

namespace capra::sim {
namespace {

using isa::Access;
using isa::Instruction;
using isa::Opcode;
using isa::Use;

/// The operands an instruction reads, in table order.
std::vector<Access> sources(const Instruction& insn) {
    std::vector<Access> found;
    for (const Access& access : isa::accesses(insn))
        if (access.use == Use::read) found.push_back(access);
    return found;
}

/// A factor or a scale as people read it.
std::string number(double value) {
    return fmt::format("{:.4g}", value);
}

/// The smallest and the largest of some, or the one that they all are.
std::string range(std::span<const double> values) {
    const auto [min, max] = std::ranges::minmax(values);
    const std::string least = number(min);
    const std::string most = number(max);
    return least == most ? least : fmt::format("{}..{}", least, most);
}

/// What a multiplier and a shift stand for.
double requant_factor(std::int64_t mult, std::uint32_t shift) {
    return std::ldexp(static_cast<double>(mult), -static_cast<int>(shift));
}

/// Explains one instruction of a program.
class Reading {
  public:
    Reading(const isa::Program& program, std::uint32_t pc, const Instruction& insn)
        : program_(program), pc_(pc), insn_(insn), sources_(sources(insn)) {}

    [[nodiscard]] std::string what() const {
        if (insn_.op == Opcode::halt) return value();
        return fmt::format("{} = {}", name(isa::effect(insn_)), value());
    }

    [[nodiscard]] std::string why() const {
        switch (insn_.op) {
            case Opcode::ld:
                return column_scales();
            case Opcode::ldx:
            case Opcode::ldxw:
                return fmt::format("a row of {}; an index of {} or more traps", insn_.n,
                                   insn_.rows);
            case Opcode::rq:
                return factor_made() + requant_scales(insn_.acc != 0);
            case Opcode::vmul:
                return factor_made() + product_scales();
            case Opcode::lut:
                return scales_before_and_after();
            case Opcode::rqc:
                return columns_requantised();
            case Opcode::sm:
                return fmt::format(
                    "one step is {} / 2^{} = {} in log2{}", insn_.scale, isa::kSoftmaxScaleBits,
                    number(std::ldexp(insn_.scale, -int{isa::kSoftmaxScaleBits})), softmax_scale());
            case Opcode::topk:
                return "indices, then values";
            case Opcode::topkc:
                return fmt::format("indices, then values / 2^{}", insn_.shift);
            default:
                return "";
        }
    }

  private:
    /// What is written, in terms of the sources; HALT writes nothing.
    [[nodiscard]] std::string value() const {
        switch (insn_.op) {
            case Opcode::halt:
                break;
            case Opcode::ld:
            case Opcode::st:
                return source(0);
            case Opcode::ldx:
            case Opcode::ldxw:
            case Opcode::lut:
                return looked_up();
            case Opcode::mm:
                return fmt::format("{} * {}{}", source(0), source(1), insn_.bt != 0 ? "^T" : "");
            case Opcode::rq:
                return requantised(number(factor()));
            case Opcode::rqc:
                return requantised(fmt::format("{} / 2^{}", source(1), insn_.shift));
            case Opcode::vadd:
                return fmt::format("{} + {}", source(0), source(1));
            case Opcode::vmul:
                return requantised(fmt::format("{} * {}", source(1), number(factor())));
            case Opcode::sm:
                return fmt::format("softmax({})", source(0));
            case Opcode::amax:
                return fmt::format("argmax({})", source(0));
            case Opcode::amaxc:
                return fmt::format("argmax({} * {})", source(0), source(1));
            case Opcode::topk:
                return fmt::format("top {} of {}", insn_.k, source(0));
            case Opcode::topkc:
                return fmt::format("top {} of {} * {}", insn_.k, source(0), source(1));
        }
        return "stop";
    }

    [[nodiscard]] std::string name(const Access& access) const {
        return operand_name(program_, pc_, access);
    }
    [[nodiscard]] std::string source(std::size_t i) const { return name(sources_[i]); }
    [[nodiscard]] std::string requantised(const std::string& factor) const {
        const std::string value = fmt::format("round({} * {})", source(0), factor);
        return insn_.relu != 0 ? fmt::format("relu({})", value) : value;
    }
    /// The entry or the row that the first source names in the second, a table.
    [[nodiscard]] std::string looked_up() const {
        return fmt::format("{}[{}]", source(1), source(0));
    }
    /// The factor of RQ and VMUL, which the text states.
    [[nodiscard]] double factor() const { return requant_factor(insn_.mult, insn_.shift); }
    [[nodiscard]] std::string factor_made() const {
        return fmt::format("{} = {} / 2^{}", number(factor()), insn_.mult, insn_.shift);
    }

    /// Of the weight with one scale a column that is loaded.
    [[nodiscard]] std::string column_scales() const {
        if (!program_.notes || program_.notes->instructions[pc_] == isa::kNoNode) return "";
        const isa::NodeNote& node = program_.notes->nodes[program_.notes->instructions[pc_]];
        if (node.column_scales.empty()) return "";
        return fmt::format("scales {} a column", range(node.column_scales));
    }

    /// "q 0.0129": a node and its scale; "wq's column scale". Winners are at that of their row.
    [[nodiscard]] std::string scale_of(isa::NoteIndex id) const {
        const isa::NodeNote& node = program_.notes->nodes[id];
        if (node.op == "topk" && !node.inputs.empty()) return scale_of(node.inputs[0]);
        if (!node.column_scales.empty()) return node.name + "'s column scale";
        return fmt::format("{} {}", node.name, number(node.scale));
    }

    /// The scale of what is in these cells; empty if no note tells.
    [[nodiscard]] std::string scale_in(const Access& access) const {
        const isa::BufferNote* buffer = buffer_of(*program_.notes, pc_, access);
        return buffer == nullptr ? "" : scale_of(buffer->scale_of);
    }

    /// Accumulators count in products of the operands' steps.
    [[nodiscard]] std::string scale_of_sums() const {
        const isa::NoteIndex id = program_.notes->instructions[pc_];
        if (id == isa::kNoNode || program_.notes->nodes[id].inputs.size() != 2) return "";
        const isa::NodeNote& node = program_.notes->nodes[id];
        return fmt::format("{}{} * {}", node.factor == 1 ? "" : number(node.factor) + " * ",
                           scale_of(node.inputs[0]), scale_of(node.inputs[1]));
    }

    /// "0.0039..0.0079 = q 0.0129 * wq's column scale / ..."
    [[nodiscard]] std::string columns_requantised() const {
        const std::string scales = requant_scales(/*of_sums=*/true);
        return column_factors() + (scales.empty() ? " a column" : scales);
    }

    /// The least and the largest, if the program's data tell.
    [[nodiscard]] std::string column_factors() const {
        const auto table = loaded_data(program_, pc_, sources_[1]);
        if (!table) return "a factor";
        std::vector<double> factors;
        for (std::uint32_t j = 0; j < insn_.cols; ++j)
            factors.push_back(requant_factor(column_multiplier(table->data(), j), insn_.shift));
        return range(factors);
    }

    [[nodiscard]] std::string requant_scales(bool of_sums) const {
        if (!program_.notes) return "";
        const std::string from = of_sums ? scale_of_sums() : scale_in(sources_[0]);
        const std::string to = scale_in(isa::effect(insn_));
        return from.empty() || to.empty() ? "" : fmt::format(" = {} / {}", from, to);
    }

    /// " = h 0.0129 * row 0.0079 / y 0.0203"
    [[nodiscard]] std::string product_scales() const {
        if (!program_.notes) return "";
        const std::string a = scale_in(sources_[0]);
        const std::string b = scale_in(sources_[1]);
        const std::string to = scale_in(isa::effect(insn_));
        if (a.empty() || b.empty() || to.empty()) return "";
        return fmt::format(" = {} * {} / {}", a, b, to);
    }

    /// "x 0.0129 to h 0.0079"
    [[nodiscard]] std::string scales_before_and_after() const {
        if (!program_.notes) return "";
        const std::string from = scale_in(sources_[0]);
        const std::string to = scale_in(isa::effect(insn_));
        return from.empty() || to.empty() ? "" : fmt::format("{} to {}", from, to);
    }

    [[nodiscard]] std::string softmax_scale() const {
        const std::string scale = program_.notes ? scale_in(sources_[0]) : "";
        return scale.empty() ? "" : fmt::format(" = {} / ln 2", scale);
    }

    const isa::Program& program_;
    std::uint32_t pc_;
    const Instruction& insn_;
    std::vector<Access> sources_;
};

/// What names the row of a lookup: "token", or "best[1]" for a winner of a topk.
std::string index_text(const isa::Notes& notes, const isa::NodeNote& lookup) {
    const isa::NodeNote& index = notes.nodes[lookup.inputs[1]];
    return index.op == "topk" ? fmt::format("{}[{}]", index.name, lookup.position) : index.name;
}

}  // namespace

Explanation explain(const isa::Program& program, const isa::Target& target) {
    const DecodedProgram decoded = decode_program(program, target.validate());
    Explanation explanation{
        .instructions = {}, .end = decoded.end, .counters = verify(program, target).counters};
    std::uint64_t total = 0;
    for (std::uint32_t pc = 0; pc < decoded.steps.size(); ++pc) {
        const Step& step = decoded.steps[pc];
        const Reading reading(program, pc, step.insn);
        const std::uint64_t cycles = decoded.fetch_decode_cycles + step.unit_cycles;
        total += cycles;
        explanation.instructions.push_back(
            {.pc = pc,
             .node = program.notes ? program.notes->instructions[pc] : isa::kNoNode,
             .what = reading.what(),
             .why = reading.why(),
             .cycles = cycles,
             .total = total});
    }
    return explanation;
}

std::string node_formula(const isa::Notes& notes, isa::NoteIndex id) {
    const isa::NodeNote& node = notes.nodes[id];
    std::vector<std::string_view> operands;
    for (const isa::NoteIndex input : node.inputs) operands.push_back(notes.nodes[input].name);
    if (node.op == "matmul")
        return fmt::format("{}{}{}", node.factor == 1 ? "" : number(node.factor) + " * ",
                           fmt::join(operands, " * "), node.transpose_b ? "^T" : "");
    if (node.op == "add") return fmt::format("{}", fmt::join(operands, " + "));
    if (node.op == "mul") return fmt::format("{}", fmt::join(operands, " .* "));
    if (operands.empty()) return node.op;
    if (node.op == "element") return fmt::format("{}[{}]", operands[0], node.position);
    if (node.op == "topk") return fmt::format("top {} of {}", node.cols, operands[0]);
    if (node.op == "lookup" && operands.size() == 2)
        return fmt::format("{}[{}]", operands[0], index_text(notes, node));
    return fmt::format("{}({})", node.op, fmt::join(operands, ", "));
}

}  // namespace capra::sim
