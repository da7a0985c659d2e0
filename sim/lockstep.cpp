#include "sim/lockstep.hpp"

#include "isa/assembler.hpp"
#include "sim/effect.hpp"
#include "sim/icarus_engine.hpp"
#include "sim/machine.hpp"

#include <fmt/format.h>

#include <array>

namespace capra::sim {
namespace {

constexpr std::array<std::string_view, 4> kSpaceNames = {"none", "spad", "acc", "ext"};

/// The machine, and where in the job list it stands; builds divergences.
class Reference {
  public:
    explicit Reference(const isa::Target& target) : machine(target), target_(target) {}

    void load(std::size_t index, const Job& job) {
        index_ = index;
        job_ = &job;
        decoded = decode_program(*job.program, target_);
        machine.load_memory(job.memory);
        machine.begin();
    }

    [[nodiscard]] Divergence differs(std::uint32_t pc, std::string_view what, std::uint64_t element,
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

    template <typename T>
    [[nodiscard]] std::optional<Divergence> compare(std::uint32_t pc, std::string_view what,
                                                    std::uint64_t element, T expected,
                                                    T got) const {
        if (expected == got) return std::nullopt;
        return differs(pc, what, element, fmt::format("{}", expected), fmt::format("{}", got));
    }

    Machine machine;
    DecodedProgram decoded;

  private:
    const isa::Target& target_;
    const Job* job_ = nullptr;
    std::size_t index_ = 0;
};

using Maybe = std::optional<Divergence>;

Maybe compare_retire(const Reference& ref, const Retire& expected, const Retire& got) {
    if (auto d = ref.compare(expected.pc, "pc", 0, expected.pc, got.pc)) return d;
    if (auto d = ref.compare(expected.pc, "unit", 0, static_cast<unsigned>(expected.unit),
                             static_cast<unsigned>(got.unit)))
        return d;
    return ref.compare(expected.pc, "cycle", 0, expected.cycle, got.cycle);
}

Maybe compare_end(const Reference& ref, const Status& expected, const Status& got,
                  const Counters& counters) {
    const std::uint32_t pc = expected.pc;
    if (auto d = ref.compare(pc, "state", 0, static_cast<unsigned>(expected.state),
                             static_cast<unsigned>(got.state)))
        return d;
    if (auto d = ref.compare(pc, "code", 0, static_cast<unsigned>(expected.trap),
                             static_cast<unsigned>(got.trap)))
        return d;
    if (auto d = ref.compare(pc, "pc", 0, expected.pc, got.pc)) return d;
    const Counters& want = ref.machine.counters();
    const std::array<std::pair<std::uint64_t, std::uint64_t>, 5> pairs = {
        {{want.total, counters.total},
         {want.matrix, counters.matrix},
         {want.dma, counters.dma},
         {want.vector, counters.vector},
         {want.control, counters.control}}};
    for (std::size_t i = 0; i < pairs.size(); ++i)
        if (auto d = ref.compare(pc, "counter", i, pairs[i].first, pairs[i].second)) return d;
    return std::nullopt;
}

Maybe compare_memory(const Reference& ref, std::uint32_t pc, std::span<const std::int32_t> got,
                     std::uint32_t words) {
    for (std::uint32_t i = 0; i < words; ++i)
        if (auto d = ref.compare(pc, "memory", i, ref.machine.memories().ext[i], got[i])) return d;
    return std::nullopt;
}

/// Verilator, in-process, one retired instruction at a time.
class VerilatorLockstep {
  public:
    VerilatorLockstep(const isa::Target& target, ResetRandomness randomness)
        : ref_(target), core_(target, randomness) {}

    Maybe run(std::size_t index, const Job& job, ReplayReport& report) {
        ref_.load(index, job);
        core_.load(*job.program, job.memory);
        core_.start();
        for (std::size_t i = 0; i < ref_.decoded.steps.size(); ++i) {
            Retire got;
            const bool retired = core_.next_retire(got);
            const Retire expected = ref_.machine.step(ref_.decoded, i);
            if (!retired)
                return ref_.differs(expected.pc, "state", 0, "an instruction retires",
                                    fmt::format("stopped at pc {}", core_.status().pc));
            if (auto d = compare_retire(ref_, expected, got)) return d;
            if (auto d =
                    compare_cells(expected.pc, isa::effect(ref_.decoded.steps[i].insn), report))
                return d;
            ++report.retires;
        }
        Retire extra;
        const bool more = core_.next_retire(extra);
        const Status expected = ref_.machine.finish(ref_.decoded);
        if (more)
            return ref_.differs(expected.pc, "state", 0, "the program has ended",
                                fmt::format("pc {} retires", extra.pc));
        report.counters.push_back(core_.counters());
        report.cycles += core_.counters().total;
        if (auto d = compare_end(ref_, expected, core_.status(), core_.counters())) return d;
        report.cells += job.program->memory_words;
        return compare_memory(ref_, expected.pc, core_.external_memory(),
                              job.program->memory_words);
    }

  private:
    Maybe compare_cells(std::uint32_t pc, const isa::Access& effect, ReplayReport& report) {
        for (std::uint32_t r = 0; r < effect.rows; ++r)
            for (std::uint32_t c = 0; c < effect.cols; ++c) {
                const std::uint32_t cell = effect.base + r * effect.stride + c;
                const std::int32_t want = read_cell(ref_.machine.memories(), effect.space, cell);
                const std::int32_t got = core_.cell(effect.space, cell);
                if (want != got)
                    return ref_.differs(pc, kSpaceNames[static_cast<unsigned>(effect.space)], cell,
                                        fmt::format("{}", want), fmt::format("{}", got));
            }
        report.cells += std::uint64_t{effect.rows} * effect.cols;
        return std::nullopt;
    }

    Reference ref_;
    VerilatedCore core_;
};

/// The machine against itself: stepped against run whole.
Maybe run_model(Reference& ref, Machine& whole, std::size_t index, const Job& job,
                ReplayReport& report) {
    ref.load(index, job);
    std::vector<Retire> trace;
    whole.load_memory(job.memory);
    const Status got = whole.run(ref.decoded, trace);
    for (std::size_t i = 0; i < ref.decoded.steps.size(); ++i)
        if (auto d = compare_retire(ref, ref.machine.step(ref.decoded, i), trace[i])) return d;
    const Status expected = ref.machine.finish(ref.decoded);
    report.retires += trace.size();
    report.cells += job.program->memory_words;
    report.counters.push_back(whole.counters());
    report.cycles += whole.counters().total;
    if (auto d = compare_end(ref, expected, got, whole.counters())) return d;
    return compare_memory(ref, expected.pc, whole.memories().ext, job.program->memory_words);
}

}  // namespace

std::string to_string(const Divergence& d) {
    return fmt::format("program {} ({}), instruction {}: {}; cycle {}: {} {}: expected {}, got {}",
                       d.program, d.program_name, d.pc, d.instruction, d.cycle, d.what, d.element,
                       d.expected, d.got);
}

ReplayReport replay(const std::string& engine, const isa::Target& target, std::span<const Job> jobs,
                    ResetRandomness randomness) {
    ReplayReport report{.engine = engine};
    if (engine == "icarus") return replay_icarus(target, jobs);
    if (engine == "verilator") {
        VerilatorLockstep lockstep(target, randomness);
        for (std::size_t i = 0; i < jobs.size() && report.pass(); ++i)
            report.divergence = lockstep.run(i, jobs[i], report);
        return report;
    }
    if (engine != "model") unknown_engine(engine);
    Reference ref(target);
    Machine whole(target);
    for (std::size_t i = 0; i < jobs.size() && report.pass(); ++i)
        report.divergence = run_model(ref, whole, i, jobs[i], report);
    return report;
}

}  // namespace capra::sim
