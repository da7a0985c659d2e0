#include "sim/machine.hpp"

#include "isa/error.hpp"
#include "sim/exec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

namespace capra::sim {

void Machine::load_memory(std::span<const std::int32_t> words) {
    if (words.size() > memories_.ext.size())
        throw Error(fmt::format("a memory image of {} words does not fit external memory of {}",
                                words.size(), memories_.ext.size()));
    const auto rest = std::copy(words.begin(), words.end(), memories_.ext.begin());
    // Only what an earlier run may have written needs clearing; most of the memory never is.
    const std::size_t written = std::max(dirty_words_, words.size());
    std::fill(rest, memories_.ext.begin() + static_cast<std::ptrdiff_t>(written), 0);
    dirty_words_ = words.size();
}

inline void Machine::mark_stored(const isa::Instruction& insn) {
    dirty_words_ = std::max<std::size_t>(dirty_words_, std::size_t{insn.x} + insn.n);
}

inline void Machine::count(isa::Unit unit, std::uint64_t unit_cycles,
                           std::uint32_t fetch_decode_cycles) {
    counters_.control += fetch_decode_cycles;
    counters_.total += fetch_decode_cycles + unit_cycles;
    switch (unit) {
        case isa::Unit::control:
            break;
        case isa::Unit::dma:
            counters_.dma += unit_cycles;
            break;
        case isa::Unit::matrix:
            counters_.matrix += unit_cycles;
            break;
        case isa::Unit::vector:
            counters_.vector += unit_cycles;
            break;
    }
}

inline bool Machine::execute(const isa::Instruction& insn) {
    if (insn.op == isa::Opcode::st) mark_stored(insn);
    return sim::execute(memories_, insn);
}

inline bool Machine::advance(const DecodedProgram& program, std::size_t index) {
    const Step& step = program.steps[index];
    if (execute(step.insn)) {
        count(step.unit, step.unit_cycles, program.fetch_decode_cycles);
        return true;
    }
    count(step.unit, step.fault_cycles, program.fetch_decode_cycles);
    fault_ = Status{State::trapped, isa::Trap::index_range, static_cast<std::uint32_t>(index)};
    return false;
}

void Machine::begin() {
    counters_ = {};
    fault_.reset();
}

std::optional<Retire> Machine::step(const DecodedProgram& program, std::size_t index) {
    if (!advance(program, index)) return std::nullopt;
    return Retire{static_cast<std::uint32_t>(index), counters_.total, program.steps[index].unit};
}

Status Machine::finish(const DecodedProgram& program) {
    if (!fault_ && program.end.state == State::trapped)
        count(isa::Unit::control, 0, program.fetch_decode_cycles);
    assert(counters_.total ==
           counters_.matrix + counters_.dma + counters_.vector + counters_.control);
    return fault_.value_or(program.end);
}

Status Machine::run(const DecodedProgram& program) {
    begin();
    for (std::size_t i = 0; i < program.steps.size(); ++i)
        if (!advance(program, i)) break;
    return finish(program);
}

Status Machine::run(const DecodedProgram& program, std::vector<Retire>& trace) {
    begin();
    for (std::size_t i = 0; i < program.steps.size(); ++i) {
        const std::optional<Retire> retire = step(program, i);
        if (!retire) break;
        trace.push_back(*retire);
    }
    return finish(program);
}

}  // namespace capra::sim
