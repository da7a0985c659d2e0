#include "sim/model_engine.hpp"

namespace capra::sim {

std::vector<Result> ModelEngine::run(std::span<const Job> jobs) {
    std::vector<Result> results;
    results.reserve(jobs.size());
    for (const Job& job : jobs) {
        const DecodedProgram decoded = decode_program(*job.program, target_);
        machine_.load_memory(job.memory);
        Result& result = results.emplace_back();
        result.status = machine_.run(decoded, result.trace);
        result.counters = machine_.counters();
        const auto& ext = machine_.memories().ext;
        result.memory.assign(ext.begin(), ext.begin() + job.program->memory_words);
    }
    return results;
}

}  // namespace capra::sim
