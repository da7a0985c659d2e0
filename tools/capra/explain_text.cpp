#include "tools/capra/explain_text.hpp"

#include "isa/assembler.hpp"
#include "isa/check.hpp"
#include "isa/codec.hpp"
#include "isa/names.hpp"
#include "isa/notes_file.hpp"
#include "isa/table.hpp"
#include "sim/memory_map.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace capra::tools {
namespace {

std::string_view mnemonic(const isa::Word& word) {
    return isa::row_of(isa::decode(word)->op).mnemonic;
}

/// The relu that the requantise of this node does on the side, or no node.
isa::NoteIndex relu_in(const isa::Notes& notes, isa::NoteIndex id) {
    for (isa::NoteIndex other = id; other < notes.nodes.size(); ++other)
        if (notes.nodes[other].in_place && notes.nodes[other].inputs.front() == id) return other;
    return isa::kNoNode;
}

std::string scale_text(const isa::NodeNote& node) {
    if (!node.column_scales.empty()) return "scale a column";
    return node.scale == 0 ? "index" : fmt::format("scale {:.4g}", node.scale);
}

/// "scores = 0.25 * q * k_all^T                       1 x 8   scale 0.0123"
std::string header(const isa::Notes& notes, isa::NoteIndex id, bool again) {
    const isa::NodeNote& node = notes.nodes[id];
    std::string text = fmt::format("{} = {}", node.name, sim::node_formula(notes, id));
    const isa::NoteIndex relu = relu_in(notes, id);
    if (relu != isa::kNoNode)
        text = fmt::format("{} = {}, {}", notes.nodes[relu].name, sim::node_formula(notes, relu),
                           text);
    if (again) text += " (continued)";
    return fmt::format("\n{:<68} {:>11}   {}\n", text, fmt::format("{} x {}", node.rows, node.cols),
                       scale_text(node));
}

std::string lines(const isa::Program& program, const sim::ExplainedInstruction& insn) {
    std::string text =
        fmt::format("{:>5}  {:<5} {:<68} {:>7} {:>8}\n", insn.pc, mnemonic(program.code[insn.pc]),
                    insn.what, insn.cycles, insn.total);
    if (!insn.why.empty()) text += fmt::format("{:7}{}\n", "", insn.why);
    return text;
}

std::string listing(const isa::Program& program, const sim::Explanation& explanation) {
    std::string text;
    std::vector<isa::NoteIndex> seen;
    isa::NoteIndex current = isa::kNoNode;
    for (const sim::ExplainedInstruction& insn : explanation.instructions) {
        if (insn.node != current && insn.node != isa::kNoNode) {
            const bool again = std::ranges::find(seen, insn.node) != seen.end();
            text += header(*program.notes, insn.node, again);
            seen.push_back(insn.node);
        }
        if (insn.node == isa::kNoNode && current != isa::kNoNode) text += "\n";
        current = insn.node;
        text += lines(program, insn);
    }
    return text;
}

std::string ending(const isa::Program& program, const sim::Explanation& explanation) {
    std::string text;
    const sim::Status& end = explanation.end;
    if (end.state == sim::State::trapped) {
        const bool ran_off = end.pc == program.code.size();
        text += fmt::format("{:>5}  {}traps with {}: {}\n", end.pc,
                            ran_off ? "" : isa::disassemble(program.code[end.pc]) + "\n       ",
                            isa::trap_name(end.trap), isa::trap_prose(end.trap));
    }
    if (end.pc + 1 < program.code.size())
        text += fmt::format("{:>5}  and what follows is never reached\n", end.pc + 1);
    const sim::Counters& c = explanation.counters;
    return text + fmt::format("\ncycles {} = matrix {} + dma {} + vector {} + control {}\n",
                              c.total, c.matrix, c.dma, c.vector, c.control);
}

std::string scratchpad(const isa::Program& program, const isa::Target& target) {
    if (!program.notes)
        return "\nThis program has no notes, as its compiler would write them: operands are shown "
               "by "
               "address.\n";
    std::uint32_t peak = 0;
    for (const isa::BufferNote& buffer : program.notes->buffers)
        peak = std::max(peak, buffer.address + buffer.bytes);
    return fmt::format("\nScratchpad, {} of {} bytes used, over the instructions:\n\n{}", peak,
                       target.spad_bytes, sim::memory_map(*program.notes));
}

nlohmann::ordered_json instruction_json(const isa::Program& program,
                                        const sim::ExplainedInstruction& insn) {
    nlohmann::ordered_json node;
    if (insn.node != isa::kNoNode) node = program.notes->nodes[insn.node].name;
    const isa::Word& word = program.code[insn.pc];
    return {
        {"pc", insn.pc},         {"text", isa::disassemble(word)},
        {"node", node},          {"unit", isa::unit_name(isa::row_of(isa::decode(word)->op).unit)},
        {"what", insn.what},     {"why", insn.why},
        {"cycles", insn.cycles}, {"total", insn.total}};
}

nlohmann::json notes_json(const isa::Program& program) {
    if (!program.notes) return nullptr;
    nlohmann::json notes = isa::notes_to_json(*program.notes);
    for (isa::NoteIndex id = 0; id < program.notes->nodes.size(); ++id)
        notes["nodes"][id]["formula"] = sim::node_formula(*program.notes, id);
    return notes;
}

}  // namespace

std::string explanation_text(const isa::Program& program, const isa::Target& target,
                             const sim::Explanation& explanation) {
    return fmt::format("program {}, {} instructions\n\n{:>5}  {:<74} {:>7} {:>8}\n",
                       program.name.empty() ? "without a name" : program.name, program.code.size(),
                       "pc", "instruction", "cycles", "total") +
           listing(program, explanation) + ending(program, explanation) +
           scratchpad(program, target);
}

nlohmann::ordered_json explanation_json(const isa::Program& program,
                                        const sim::Explanation& explanation) {
    nlohmann::ordered_json instructions = nlohmann::ordered_json::array();
    for (const sim::ExplainedInstruction& insn : explanation.instructions)
        instructions.push_back(instruction_json(program, insn));
    const sim::Counters& c = explanation.counters;
    const sim::Status& end = explanation.end;
    return {{"program", program.name},
            {"target", program.target},
            {"instructions", instructions},
            {"counters",
             {{"total", c.total},
              {"matrix", c.matrix},
              {"dma", c.dma},
              {"vector", c.vector},
              {"control", c.control}}},
            {"end",
             {{"state", end.state == sim::State::halted ? "halted" : "trapped"},
              {"pc", end.pc},
              {"trap", isa::trap_name(end.trap)}}},
            {"notes", notes_json(program)}};
}

}  // namespace capra::tools
