#include "mutation/rtl_checks.hpp"

#include "model/chip_decoder.hpp"
#include "model/compiled_model.hpp"
#include "sim/fuzz_case.hpp"
#include "sim/model_engine.hpp"

#include <fmt/format.h>

#include <set>

namespace capra::mutation {
namespace {

/// External memory of a size that is no power of two: its bound is a run-time input.
constexpr std::uint32_t kExtWords = 12000;

void add_decoder(RtlChecks& into, const model::LanguageModel& language_model,
                 model::DecoderKind kind, const std::set<std::string>& wanted) {
    constexpr std::uint32_t kSteps = 24;
    const model::CompiledModel compiled = model::compile_model(language_model, kind, kSteps);
    sim::ModelEngine engine(compiled.target);
    std::set<std::string> seen;
    for (const model::ProgramRun& run : model::decode(compiled, engine, kSteps, 0).runs)
        if (wanted.contains(run.program->name) && seen.insert(run.program->name).second)
            into.checks.push_back({run.program->name, *run.program, run.image});
}

}  // namespace

RtlChecks rtl_checks(std::uint64_t fuzz_programs) {
    RtlChecks result{.target = isa::reference_target(kExtWords), .checks = {}};
    const model::LanguageModel structured = model::structured_model(1);
    add_decoder(result, structured, model::DecoderKind::routed,
                {"A1", "A8", "A24", "B0", "B1", "B2", "B3"});
    add_decoder(result, structured, model::DecoderKind::dense, {"D1"});
    add_decoder(result, model::tiny_model(1), model::DecoderKind::single, {"S1"});
    for (std::uint64_t seed = 1; seed <= fuzz_programs; ++seed) {
        isa::Program program = sim::random_program(seed, result.target);
        std::vector<std::int32_t> memory = isa::initial_memory(program);
        result.checks.push_back({program.name, std::move(program), std::move(memory)});
    }
    return result;
}

}  // namespace capra::mutation
