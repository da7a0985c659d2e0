#include "sim/verilator_engine.hpp"

#include "sim/decoded_program.hpp"

namespace capra::sim {

std::vector<Result> VerilatorEngine::run(std::span<const Job> jobs) {
    std::vector<Result> results;
    results.reserve(jobs.size());
    for (const Job& job : jobs) {
        core_->load(*job.program, job.memory);
        core_->start(cycle_limit(decode_program(*job.program, target_)));
        Result& result = results.emplace_back();
        for (Retire retire; core_->next_retire(retire);) result.trace.push_back(retire);
        result.status = core_->status();
        result.counters = core_->counters();
        const auto ext = core_->external_memory();
        result.memory.assign(ext.begin(), ext.begin() + job.program->memory_words);
    }
    return results;
}

}  // namespace capra::sim
