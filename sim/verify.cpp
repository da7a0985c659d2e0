#include "sim/verify.hpp"

#include "isa/check.hpp"
#include "sim/decoded_program.hpp"
#include "sim/place.hpp"

#include <fmt/format.h>

namespace capra::sim {
namespace {

using isa::Access;
using isa::Space;
using isa::Use;

constexpr std::string_view space_name(Space space) {
    switch (space) {
        case Space::spad:
            return "scratchpad";
        case Space::acc:
            return "accumulator";
        case Space::ext:
            return "external";
        case Space::none:
            break;
    }
    return "no";
}

/// Calls `visit(cell)` for every cell of the access until it returns false.
template <typename Visit>
void for_each_cell(const Access& access, Visit visit) {
    for (std::uint32_t r = 0; r < access.rows; ++r)
        for (std::uint32_t c = 0; c < access.cols; ++c)
            if (!visit(access.base + r * access.stride + c)) return;
}

class Verifier {
  public:
    Verifier(const isa::Program& program, const isa::Target& target) : program_(program) {
        report_.spad_written.assign(target.spad_bytes, false);
        report_.acc_written.assign(target.acc_words, false);
    }

    /// `fault` holds the cycles of a last instruction that gives up; its fetch and decode are those
    /// of the trap.
    Verification run(const DecodedProgram& decoded, const Step& fault) {
        for (std::uint32_t pc = 0; pc < decoded.steps.size(); ++pc) {
            price(decoded.steps[pc], decoded.fetch_decode_cycles);
            if (isa::has_index(isa::row_of(decoded.steps[pc].insn.op)))
                report_.indexed.push_back(pc);
            for (const Access& access : isa::accesses(decoded.steps[pc].insn)) visit(pc, access);
        }
        price(fault, 0);
        finish(decoded);
        check_layout();
        return std::move(report_);
    }

  private:
    void find(std::uint32_t pc, const std::string& what) {
        report_.findings.push_back(
            {pc, fmt::format("instruction {} ({}): {}", pc, instruction_at(program_, pc), what)});
    }

    void price(const Step& step, std::uint32_t fetch_decode_cycles) {
        Counters& counters = report_.counters;
        counters.control += fetch_decode_cycles;
        if (step.unit == isa::Unit::matrix) counters.matrix += step.unit_cycles;
        if (step.unit == isa::Unit::dma) counters.dma += step.unit_cycles;
        if (step.unit == isa::Unit::vector) counters.vector += step.unit_cycles;
    }

    std::vector<bool>* written(Space space) {
        if (space == Space::spad) return &report_.spad_written;
        if (space == Space::acc) return &report_.acc_written;
        return nullptr;
    }

    void visit(std::uint32_t pc, const Access& access) {
        std::vector<bool>* cells = written(access.space);
        if (cells == nullptr) {
            if (access.end() > program_.memory_words)
                find(pc, fmt::format("external word {} is outside the program's memory of {}",
                                     access.end() - 1, program_.memory_words));
            return;
        }
        for_each_cell(access, [&](std::uint32_t cell) {
            if (access.use == Use::write) {
                (*cells)[cell] = true;
                return true;
            }
            if ((*cells)[cell]) return true;
            find(pc, fmt::format("reads {} cell {}, which nothing wrote", space_name(access.space),
                                 cell));
            return false;
        });
    }

    void finish(const DecodedProgram& decoded) {
        report_.end = decoded.end;
        Counters& counters = report_.counters;
        if (decoded.end.state == State::trapped) {
            counters.control += decoded.fetch_decode_cycles;
            find(decoded.end.pc, fmt::format("traps with {}: {}", isa::trap_name(decoded.end.trap),
                                             isa::trap_prose(decoded.end.trap)));
        } else if (decoded.end.pc + 1 != program_.code.size()) {
            find(decoded.end.pc, fmt::format("{} instructions behind HALT are never reached",
                                             program_.code.size() - decoded.end.pc - 1));
        }
        counters.total = counters.matrix + counters.dma + counters.vector + counters.control;
    }

    void check_layout() {
        for (const isa::DataBlock& block : program_.data)
            check_range(fmt::format("data at {}", block.address), block.address,
                        block.values.size());
        for (const isa::Symbol& symbol : program_.symbols)
            check_range(fmt::format("symbol '{}'", symbol.name), symbol.address,
                        std::uint64_t{symbol.rows} * symbol.cols);
    }

    void check_range(const std::string& what, std::uint64_t address, std::uint64_t words) {
        if (address + words > program_.memory_words)
            report_.findings.push_back(
                {0, fmt::format("{} ends at word {}, outside the program's memory of {}", what,
                                address + words, program_.memory_words)});
    }

    const isa::Program& program_;
    Verification report_;
};

}  // namespace

Verification verify(const isa::Program& program, const isa::Target& target,
                    std::optional<std::uint32_t> faulty) {
    DecodedProgram decoded = decode_program(program, target.validate());
    if (!faulty) return Verifier(program, target).run(decoded, {});
    const Step last = decoded.steps.at(*faulty);
    decoded.steps.resize(*faulty);
    decoded.end = {State::trapped, isa::Trap::index_range, *faulty};
    return Verifier(program, target)
        .run(decoded, {.unit_cycles = last.fault_cycles, .unit = last.unit});
}

}  // namespace capra::sim
