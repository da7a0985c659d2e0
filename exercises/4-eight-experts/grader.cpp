// Grades exercise 4: the student's formula against the counters of the chip.
#include "exercises/4-eight-experts/exercise.hpp"
#include "model/chip_decoder.hpp"
#include "sim/model_engine.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string_view>

namespace capra::exercise {
namespace {

constexpr std::uint32_t kContexts = 24;
/// Contexts come first, with the number of experts that every reader knows.
constexpr std::uint32_t kExperts[] = {4, 8, 16, 2};

/// One counter: what it is called, and where it stands in both structures.
struct Counter {
    std::string_view name;
    std::uint64_t Cost::*guess;
    std::uint64_t sim::Counters::*chip;
};

constexpr std::array<Counter, 4> kCounters = {{
    {"matrix", &Cost::matrix, &sim::Counters::matrix},
    {"dma", &Cost::dma, &sim::Counters::dma},
    {"vector", &Cost::vector, &sim::Counters::vector},
    {"control", &Cost::control, &sim::Counters::control},
}};

/// Of an MM of one row by k x n.
constexpr std::int64_t mm(std::int64_t k, std::int64_t n) {
    return k + k * n + k + 1 + n + n + 5;
}

/// What is behind a counter that is `off` cycles too large.
std::string matrix_hint(std::int64_t off, std::int64_t context, std::int64_t experts) {
    const std::int64_t router_tiles = (experts + 3) / 4;
    if (off < 0 && off == -(router_tiles - 1) * mm(16, 4))
        return "a whole tile of the router is missing: it has as many columns as there are experts";
    if (off < 0 && off == mm(16, experts) - router_tiles * mm(16, 4))
        return "that is one MM for all columns of the router, and an MM has at most 4";
    if (off > 0 && off == mm(16, 4) - mm(16, (context - 1) % 4 + 1))
        return "the last tile of the scores has only as many columns as positions are left";
    if (off >= 2000) return "only one expert program runs in a step, whatever there are";
    return "q, k, v, scores, mixed values, projection, router; hidden, expert output, logits";
}

std::string dma_hint(std::int64_t off, std::int64_t context, std::int64_t experts) {
    if (context == 1 && off == 2 * 9) return "at context 1 nothing is cached, and nothing loaded";
    if (experts != 4 && off == 4 - experts)
        return "what does A store of the router beside the route?";
    if (experts != 4 && off == 16 * (4 - experts)) return "Wr has 16 rows: how many words is it?";
    return "LD takes 9 cycles and ST takes 2 beside their words; which words do the programs name?";
}

std::string vector_hint(std::int64_t off, std::int64_t, std::int64_t experts) {
    if (experts != 4 && off % (experts - 4) == 0)
        return "AMAX and RQ take longer for a longer row, and one expert more is one score more";
    return "RQ follows every product, and copies k, v and the residual; which rows grow?";
}

std::string control_hint(std::int64_t off, std::uint64_t got) {
    if (got == 0) return "no instruction comes for nothing: each is fetched and decoded";
    if (off == -4) return "HALT ends both programs, and is fetched like any other";
    return fmt::format("that is {} instructions too {}", std::abs(off) / 2,
                       off < 0 ? "few" : "many");
}

std::optional<Verdict> check(std::uint32_t context, std::uint32_t experts, const Cost& got,
                             const sim::Counters& want) {
    for (const Counter& counter : kCounters) {
        const std::uint64_t mine = got.*counter.guess;
        const std::uint64_t chips = want.*counter.chip;
        if (mine == chips) continue;
        const auto off = static_cast<std::int64_t>(mine - chips);
        std::string hint = control_hint(off, mine);
        if (counter.name == "matrix") hint = matrix_hint(off, context, experts);
        if (counter.name == "dma") hint = dma_hint(off, context, experts);
        if (counter.name == "vector") hint = vector_hint(off, context, experts);
        return Verdict{
            .law = "The formula gives each counter of the chip.",
            .where = fmt::format("context {}, {} experts: {}", context, experts, counter.name),
            .expected = std::to_string(chips),
            .got = std::to_string(mine),
            .hint = hint};
    }
    return std::nullopt;
}

/// The counters of each step of a decode on the chip, by context - 1.
std::vector<sim::Counters> measured(std::uint32_t experts) {
    const auto compiled =
        model::compile_model(model::structured_model(1, model::kStructuredNoise, experts),
                             model::DecoderKind::routed, kContexts);
    sim::ModelEngine engine(compiled.target);
    const auto run = model::decode(compiled, engine, kContexts, 0);
    std::vector<sim::Counters> steps;
    for (std::size_t i = 0; i < run.runs.size(); i += 2)
        steps.push_back(model::total_counters(std::span(run.runs).subspan(i, 2)));
    return steps;
}

}  // namespace

Verdict grade(const decltype(answer)& candidate) {
    std::string totals;
    for (const std::uint32_t experts : kExperts) {
        const auto chip = measured(experts);
        std::uint64_t total = 0;
        for (std::uint32_t context = 1; context <= kContexts; ++context) {
            const sim::Counters& want = chip[context - 1];
            if (auto verdict = check(context, experts, candidate(context, experts), want))
                return *verdict;
            total += want.total;
        }
        totals += fmt::format("\n{:2} experts {:7} cycles", experts, total);
    }
    return {.passed = true,
            .law = "four counters, 24 contexts, 2 to 16 experts",
            .got = "all 24 steps" + totals};
}

}  // namespace capra::exercise
