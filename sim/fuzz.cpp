#include "sim/fuzz.hpp"

#include "sim/fuzz_case.hpp"
#include "sim/verify.hpp"

#include <algorithm>

namespace capra::sim {
namespace {

/// Programs that share one vvp run, and the steps progress is reported in.
constexpr std::uint64_t kBatch = 50;

struct Batch {
    std::vector<isa::Program> programs;
    std::vector<std::vector<std::int32_t>> memories;
    std::vector<Job> jobs;
};

Batch draw(std::uint64_t seed, std::uint64_t count, const isa::Target& target) {
    Batch batch;
    for (std::uint64_t i = 0; i < count; ++i) {
        batch.programs.push_back(random_program(seed + i, target));
        batch.memories.push_back(isa::initial_memory(batch.programs.back()));
    }
    for (std::size_t i = 0; i < count; ++i)
        batch.jobs.push_back({&batch.programs[i], batch.memories[i]});
    return batch;
}

FuzzFailure shrink_failure(const std::string& engine, std::uint64_t seed, const Batch& batch,
                           const Divergence& divergence, const isa::Target& target,
                           const FuzzFound& found) {
    const Comparison compare = [&](std::span<const Job> jobs) {
        return replay(engine, target, jobs);
    };
    FuzzFailure failure{.engine = engine,
                        .seed = seed + divergence.program,
                        .program = batch.programs[divergence.program],
                        .divergence = divergence};
    if (found) found(failure);
    failure.program = shrink(failure.program, target, compare);
    const std::vector<std::int32_t> memory = isa::initial_memory(failure.program);
    const Job job{&failure.program, memory};
    // A difference that depends on the programs before it does not survive alone; then the
    // program stays as drawn and the divergence is the one first seen.
    if (const auto report = compare({&job, 1}); !report.pass())
        failure.divergence = *report.divergence;
    return failure;
}

}  // namespace

FuzzReport fuzz(std::uint64_t seed, std::uint64_t programs, const std::vector<std::string>& engines,
                const isa::Target& target, const FuzzProgress& progress, const FuzzFound& found) {
    FuzzReport report;
    while (report.programs < programs) {
        const std::uint64_t first = seed + report.programs;
        const std::uint64_t count = std::min(kBatch, programs - report.programs);
        const Batch batch = draw(first, count, target);
        for (const std::string& engine : engines) {
            const ReplayReport replayed = replay(engine, target, batch.jobs);
            if (!replayed.pass()) {
                report.failure =
                    shrink_failure(engine, first, batch, *replayed.divergence, target, found);
                return report;
            }
            report.cells += replayed.cells;
            if (&engine == &engines.front()) report.cycles += replayed.cycles;
        }
        for (const isa::Program& program : batch.programs)
            report.trapping += verify(program, target).end.state == State::trapped ? 1 : 0;
        report.programs += count;
        if (progress) progress(report.programs, programs);
    }
    return report;
}

}  // namespace capra::sim
