#include "sim/reference.hpp"

#include "sim/place.hpp"

#include <algorithm>
#include <array>

namespace capra::sim {

void Reference::load(std::size_t index, const Job& job) {
    index_ = index;
    job_ = job;
    decoded = decode_program(*job.program, target_);
    machine.load_memory(job.memory);
    machine.begin();
}

Divergence Reference::differs(std::uint32_t pc, std::string_view what, std::uint64_t element,
                              std::string expected, std::string got) const {
    return {.program = index_,
            .program_name = job_.program->name,
            .pc = pc,
            .instruction = instruction_at(*job_.program, pc),
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

std::optional<Divergence> Reference::compare_end(const Status& want, const Status& got,
                                                 const Counters& want_counters,
                                                 const Counters& got_counters) const {
    const std::uint32_t pc = want.pc;
    if (auto d = compare(pc, "state", 0, static_cast<unsigned>(want.state),
                         static_cast<unsigned>(got.state)))
        return d;
    if (auto d = compare(pc, "code", 0, static_cast<unsigned>(want.trap),
                         static_cast<unsigned>(got.trap)))
        return d;
    if (auto d = compare(pc, "pc", 0, want.pc, got.pc)) return d;
    constexpr std::array kCounters = {&Counters::total, &Counters::matrix, &Counters::dma,
                                      &Counters::vector, &Counters::control};
    for (std::size_t i = 0; i < kCounters.size(); ++i)
        if (auto d =
                compare(pc, "counter", i, want_counters.*kCounters[i], got_counters.*kCounters[i]))
            return d;
    return std::nullopt;
}

std::optional<Divergence> Reference::compare_prediction(const Verification& predicted,
                                                        const Status& end,
                                                        std::uint64_t retires) const {
    if (auto d = compare_end(predicted.end, end, predicted.counters, machine.counters())) return d;
    // Everything before the end retires, and so does HALT.
    const std::uint64_t halts = end.state == State::halted ? 1 : 0;
    return compare(end.pc, "retires", 0, end.pc + halts, retires);
}

std::optional<Divergence> Reference::compare_memory(std::span<const std::int32_t> got,
                                                    std::size_t got_end) const {
    const std::size_t words =
        std::max({std::size_t{job_.program->memory_words}, machine.external_end(), got_end});
    const auto want = std::span(machine.memories().ext).first(words);
    const auto [here, there] = std::mismatch(want.begin(), want.end(), got.begin());
    if (here == want.end()) return std::nullopt;
    return compare(decoded.end.pc, "memory", static_cast<std::uint64_t>(here - want.begin()), *here,
                   *there);
}

}  // namespace capra::sim
