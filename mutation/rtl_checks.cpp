#include "mutation/rtl_checks.hpp"

#include "model/chip_decoder.hpp"
#include "model/compiled_model.hpp"
#include "mutation/rtl_directed.hpp"
#include "sim/fuzz_case.hpp"
#include "sim/model_engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <span>

namespace capra::mutation {
namespace {

/// External memory of a size that is no power of two: its bound is a run-time input.
constexpr std::uint32_t kExtWords = 12000;

/// What these see of the mutants, all of seeds 1 to 600 see, beside the directed programs: a greedy
/// cover of the kill matrix (`--full`), the most telling first.
constexpr std::array<std::uint64_t, 14> kTellingSeeds = {205, 167, 571, 519, 147, 90,  240,
                                                         263, 320, 33,  140, 330, 430, 574};

void add_decoder(RtlChecks& into, const model::LanguageModel& language_model,
                 model::DecoderKind kind, const std::set<std::string>& wanted) {
    constexpr std::uint32_t kSteps = 24;
    const model::CompiledModel compiled = model::compile_model(language_model, kind, kSteps);
    sim::ModelEngine engine(compiled.target);
    std::set<std::string> seen;
    for (const model::ProgramRun& run : model::decode(compiled, engine, kSteps, 0).runs)
        if (wanted.contains(run.program->name) && seen.insert(run.program->name).second)
            into.checks.push_back({run.program->name, *run.program, run.image, {}});
}

void add_random(RtlChecks& into, std::uint64_t seed) {
    isa::Program program = sim::random_program(seed, into.target);
    std::vector<std::int32_t> memory = isa::initial_memory(program);
    into.checks.push_back({program.name, std::move(program), std::move(memory), {}});
}

}  // namespace

std::vector<RtlCheck> RtlChecks::for_icarus() const {
    std::vector<RtlCheck> chosen;
    for (const RtlCheck& check : checks)
        if (!check.power_up) chosen.push_back(check);
    return chosen;
}

std::vector<RtlCheck> RtlChecks::brief() const {
    std::vector<RtlCheck> chosen = for_icarus();
    chosen.resize(chosen.size() - chapter);
    return chosen;
}

RtlChecks rtl_checks(std::uint64_t fuzz_programs) {
    const isa::Target target = isa::reference_target(kExtWords);
    RtlChecks result{.target = target, .checks = directed_checks(target)};
    for (const std::uint64_t seed : kTellingSeeds) add_random(result, seed);
    for (std::uint64_t seed = 1; seed <= fuzz_programs; ++seed)
        if (std::ranges::find(kTellingSeeds, seed) == kTellingSeeds.end()) add_random(result, seed);
    const std::size_t brief = result.checks.size();
    const model::LanguageModel structured = model::structured_model(1);
    add_decoder(result, structured, model::DecoderKind::routed,
                {"A1", "A8", "A24", "B0", "B1", "B2", "B3"});
    add_decoder(result, structured, model::DecoderKind::dense, {"D1"});
    add_decoder(result, model::tiny_model(1), model::DecoderKind::single, {"S1"});
    result.chapter = result.checks.size() - brief;
    return result;
}

}  // namespace capra::mutation
