// These checks trust nothing the host wrote down: they read the route and h from the memory that
// A left behind, and the inputs from the memory that the next program was started with.
#include "model/checks.hpp"
#include "model/tally.hpp"

#include <algorithm>
#include <cmath>

namespace capra::model {
namespace {

constexpr std::size_t kProgramsPerStep = 2;  // A, then B_e

/// Integer cells of a symbol.
std::span<const std::int32_t> cells_of(const isa::Symbol& symbol,
                                       std::span<const std::int32_t> memory) {
    return memory.subspan(symbol.address, std::size_t{symbol.rows} * symbol.cols);
}

/// True if `reader` was started with exactly what `writer` stored: row `row` of the input, in the
/// reader's scale, is the output. The scales of the two may differ; then the stored value must be
/// the nearest step (half up, saturated).
bool handed_over(const ProgramRun& writer, std::string_view output, const ProgramRun& reader,
                 std::string_view input, std::uint32_t row) {
    const auto& from = isa::find_symbol(*writer.program, isa::SymbolKind::output, output);
    const auto& to = isa::find_symbol(*reader.program, isa::SymbolKind::input, input);
    const auto stored = cells_of(from, writer.result.memory);
    const auto given = cells_of(to, reader.image).subspan(std::size_t{row} * to.cols, to.cols);
    return std::equal(stored.begin(), stored.end(), given.begin(), given.end(),
                      [&](std::int32_t s, std::int32_t g) {
                          const double steps = std::floor(s * from.scale / to.scale + 0.5);
                          return g == std::clamp(steps, -128.0, 127.0);
                      });
}

std::int32_t stored_route(const ProgramRun& attention) {
    const auto& symbol = isa::find_symbol(*attention.program, isa::SymbolKind::output, "route");
    return attention.result.memory[symbol.address];
}

/// x of context T is the embedding of the token before it, in the planned scale.
bool reads_token(const ProgramRun& attention, const Matrix& x) {
    const auto& symbol = isa::find_symbol(*attention.program, isa::SymbolKind::input, "x");
    const auto cells = cells_of(symbol, attention.image);
    return std::equal(cells.begin(), cells.end(), x.values.begin(), x.values.end(),
                      [&](std::int32_t cell, double value) {
                          return std::abs(cell * symbol.scale - value) <= symbol.scale / 2 + 1e-12;
                      });
}

struct Handover {
    Tally programs, routes, hidden, caches, tokens;
};

void count_caches(Tally& caches, const DecodeRun& run, std::size_t step) {
    const auto& reader = run.runs[step * kProgramsPerStep];
    for (std::size_t t = 0; t < step; ++t) {
        const auto& writer = run.runs[t * kProgramsPerStep];
        const auto row = static_cast<std::uint32_t>(t);
        caches.count(handed_over(writer, "k", reader, "k_cache", row));
        caches.count(handed_over(writer, "v", reader, "v_cache", row));
    }
}

void count_step(Handover& handover, const CompiledModel& compiled, const DecodeRun& run,
                std::size_t step) {
    const auto& a = run.runs[step * kProgramsPerStep];
    const auto& b = run.runs[step * kProgramsPerStep + 1];
    const auto route = static_cast<std::size_t>(stored_route(a));
    handover.programs.count(route < compiled.experts.size() &&
                            a.program == &compiled.contexts[step].program &&
                            b.program == &compiled.experts[route].program);
    handover.routes.count(run.routes[step] == route);
    handover.hidden.count(handed_over(a, "h", b, "h", 0));
    handover.tokens.count(reads_token(a, embedding(compiled.model, run.tokens[step])));
    count_caches(handover.caches, run, step);
}

}  // namespace

Checks handover_checks(const ChipRuns& routed) {
    Handover handover;
    for (const auto& run : routed.runs)
        for (std::size_t step = 0; step < run.steps.size(); ++step)
            count_step(handover, routed.compiled, run, step);
    return {handover.programs.check("program_is_the_chosen_experts",
                                    "steps ran A(T), then the program of the route A stored"),
            handover.routes.check("reported_route_is_the_stored_one",
                                  "routes the host reports are what A stored"),
            handover.hidden.check("b_reads_the_h_that_a_stored",
                                  "memory images of B hold exactly A's h"),
            handover.caches.check("caches_hold_the_stored_keys_and_values",
                                  "cache rows given are the k and v stored before"),
            handover.tokens.check("a_reads_the_token_before",
                                  "memory images of A hold the embedding of the last token")};
}

}  // namespace capra::model
