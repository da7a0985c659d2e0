#include "sim/reference.hpp"

#include "isa/assembler.hpp"

#include <array>

namespace capra::sim {

void Reference::load(std::size_t index, const Job& job) {
    index_ = index;
    job_ = &job;
    decoded = decode_program(*job.program, target_);
    machine.load_memory(job.memory);
    machine.begin();
}

Divergence Reference::differs(std::uint32_t pc, std::string_view what, std::uint64_t element,
                              std::string expected, std::string got) const {
    const auto& code = job_->program->code;
    return {.program = index_,
            .program_name = job_->program->name,
            .pc = pc,
            .instruction = pc < code.size() ? isa::disassemble(code[pc]) : "end of code",
            .cycle = machine.counters().total,
            .what = std::string(what),
            .element = element,
            .expected = std::move(expected),
            .got = std::move(got)};
}

std::optional<Divergence> Reference::compare_retire(const Retire& expected,
                                                    const Retire& got) const {
    if (auto d = compare(expected.pc, "pc", 0, expected.pc, got.pc)) return d;
    if (auto d = compare(expected.pc, "unit", 0, static_cast<unsigned>(expected.unit),
                         static_cast<unsigned>(got.unit)))
        return d;
    return compare(expected.pc, "cycle", 0, expected.cycle, got.cycle);
}

std::optional<Divergence> Reference::compare_end(const Status& expected, const Status& got,
                                                 const Counters& counters) const {
    const std::uint32_t pc = expected.pc;
    if (auto d = compare(pc, "state", 0, static_cast<unsigned>(expected.state),
                         static_cast<unsigned>(got.state)))
        return d;
    if (auto d = compare(pc, "code", 0, static_cast<unsigned>(expected.trap),
                         static_cast<unsigned>(got.trap)))
        return d;
    if (auto d = compare(pc, "pc", 0, expected.pc, got.pc)) return d;
    const Counters& want = machine.counters();
    const std::array<std::pair<std::uint64_t, std::uint64_t>, 5> pairs = {
        {{want.total, counters.total},
         {want.matrix, counters.matrix},
         {want.dma, counters.dma},
         {want.vector, counters.vector},
         {want.control, counters.control}}};
    for (std::size_t i = 0; i < pairs.size(); ++i)
        if (auto d = compare(pc, "counter", i, pairs[i].first, pairs[i].second)) return d;
    return std::nullopt;
}

std::optional<Divergence> Reference::compare_memory(std::span<const std::int32_t> got) const {
    for (std::uint32_t i = 0; i < job_->program->memory_words; ++i)
        if (auto d = compare(decoded.end.pc, "memory", i, machine.memories().ext[i], got[i]))
            return d;
    return std::nullopt;
}

}  // namespace capra::sim
