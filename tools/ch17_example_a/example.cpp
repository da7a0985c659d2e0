#include "tools/ch17_example_a/example.hpp"

#include "isa/error.hpp"

#include <algorithm>

namespace capra::tools {
namespace {

constexpr std::uint32_t kShownContext = 8;
constexpr std::uint32_t kShownExpert = 1;

/// The real values of an input that a program was started with.
model::Vector given_input(const model::ProgramRun& run, std::string_view name) {
    const auto& symbol = isa::find_symbol(*run.program, isa::SymbolKind::input, name);
    return compiler::dequantise_matrix(model::stored_matrix(*run.program, symbol, run.image),
                                       symbol.scale)
        .values;
}

/// A program of the decode; every run of it costs the same.
ShownProgram shown(const model::DecodeRun& decode, const isa::Program& program) {
    const auto run = std::find_if(decode.runs.begin(), decode.runs.end(),
                                  [&](const auto& r) { return r.program == &program; });
    if (run == decode.runs.end()) throw Error("the decode never ran program " + program.name);
    return {program.name, model::anatomy(program), run->result.counters};
}

}  // namespace

ExampleA::ExampleA()
    : compiled(model::compile_model(model::structured_model(1), model::DecoderKind::routed,
                                    kExampleSteps)),
      first_steps(model::first_steps(compiled.model)),
      forced(model::forced_predictions(compiled.model)) {
    const auto engine = sim::make_engine("model", compiled.target);
    model::ChipDecoder chip(compiled, *engine);
    chip_step = chip.step(kFollowedToken);
    chip_x = given_input(chip.runs().front(), "x");
    right = model::decode(compiled, *engine, kExampleSteps, 0);
    off_by_one = model::decode(compiled, *engine, kExampleSteps, 0, [&](std::uint32_t route) {
        return (route + 1) % compiled.model.experts;
    });
    programs = {shown(right, compiled.contexts[kShownContext - 1].program),
                shown(right, compiled.experts[kShownExpert].program)};
}

}  // namespace capra::tools
