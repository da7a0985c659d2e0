#include "model/anatomy.hpp"
#include "model/checks.hpp"
#include "model/tally.hpp"

#include <array>

#include <fmt/core.h>

namespace capra::model {
namespace {

/// Total, matrix, dma, vector; control is the rest.
using Parts = std::array<std::uint64_t, 4>;
constexpr Parts kA1 = {3550, 2006, 1221, 229};
constexpr Parts kA8 = {4165, 2338, 1463, 264};
constexpr Parts kA24 = {5589, 3162, 1975, 344};
constexpr Parts kB = {3696, 2144, 1353, 141};
constexpr Parts kBTwoRows = {4262, 2544, 1386, 272};

/// Cycles of step 1, step 24 and all 24 steps, from token 0.
using DecoderCost = std::array<std::uint64_t, 3>;
constexpr DecoderCost kSingle = {7000, 9039, 192710};
constexpr DecoderCost kRouted = {7246, 9285, 198614};
constexpr DecoderCost kDense = {15618, 17657, 399542};

constexpr std::uint64_t kGroupedCycles = 17048;
constexpr std::uint64_t kSeparateCycles = 29568;

const Anatomy kAnatomyA8 = {{{"LD", 8},
                             {"MM", 23},
                             {"RQ", 10},
                             {"SM", 1},
                             {"VADD", 1},
                             {"ST", 5},
                             {"AMAX", 1},
                             {"HALT", 1}},
                            1328,
                            16 + 1 + 4 + 16 + 16};
const Anatomy kAnatomyB = {
    {{"LD", 4}, {"MM", 16}, {"RQ", 4}, {"VADD", 1}, {"AMAX", 1}, {"ST", 2}, {"HALT", 1}},
    1296,
    1 + 16};

Parts parts_of(const ProgramRun& run) {
    const auto& c = run.result.counters;
    return {c.total, c.matrix, c.dma, c.vector};
}

Check parts_check(std::string name, const ProgramRun& run, const Parts& published) {
    const auto measured = parts_of(run);
    const auto& c = run.result.counters;
    return {std::move(name),
            measured == published && c.total == c.matrix + c.dma + c.vector + c.control,
            fmt::format("total, matrix, dma, vector: {}; published {}", listed(measured),
                        listed(published))};
}

Check decoder_check(std::string name, const ChipRuns& chip, const DecoderCost& published) {
    const auto& run = chip.runs.front();
    const DecoderCost measured = {run.step_cycles(1), run.step_cycles(kCheckedSteps),
                                  run.total().total};
    return {std::move(name), measured == published,
            fmt::format("step 1, step 24, 24 steps: {}; published {}", listed(measured),
                        listed(published))};
}

Check anatomy_check(std::string name, const isa::Program& program, const Anatomy& published) {
    const auto measured = anatomy(program);
    return {std::move(name), measured == published,
            fmt::format("{}; {} words loaded, {} stored; published {} and {}",
                        histogram_text(measured), measured.words_loaded, measured.words_stored,
                        published.words_loaded, published.words_stored)};
}

/// A step's cost is the same from every start, and that of B the same for every expert.
Check data_check(const ChipRuns& routed) {
    Tally tally;
    const auto& reference = routed.runs.front().runs;
    for (const auto& run : routed.runs)
        for (std::size_t i = 0; i < run.runs.size(); ++i) {
            const std::size_t same_kind = i % 2 == 0 ? i : 1;
            tally.count(run.runs[i].result.counters == reference[same_kind].result.counters);
        }
    return tally.check("cost_does_not_depend_on_data",
                       "program runs cost what the same kind of program costs from token 0");
}

Checks grouping_checks(const ChipRuns& routed) {
    const auto engine = sim::make_engine("model", routed.compiled.target);
    const auto programs = compile_expert_rows(routed.compiled, 2);
    const auto& run = routed.runs.front();
    constexpr std::size_t kFirst = 8;  // steps 9..16
    constexpr std::size_t kTokens = 8;
    const auto grouped =
        run_grouped(programs, std::span(run.steps).subspan(kFirst, kTokens), *engine);
    std::uint64_t separate = 0;
    Tally tokens;
    for (std::size_t i = 0; i < kTokens; ++i) {
        separate += run.runs[2 * (kFirst + i) + 1].result.counters.total;
        tokens.count(grouped.tokens[i] == run.steps[kFirst + i].token);
    }
    const auto cycles = grouped.cycles();
    return {parts_check("cost_of_b_two_rows", grouped.runs.front(), kBTwoRows),
            {"cost_of_grouping", cycles == kGroupedCycles && separate == kSeparateCycles,
             fmt::format("8 tokens in {} programs of 2 rows: {} cycles, one by one {} ({:.2f}), "
                         "published {} and {}",
                         grouped.runs.size(), cycles, separate,
                         static_cast<double>(cycles) / static_cast<double>(separate),
                         kGroupedCycles, kSeparateCycles)},
            tokens.check("grouped_tokens_equal_separate_tokens",
                         "tokens are those of one program a token")};
}

}  // namespace

Checks cost_checks(const ChipRuns& single, const ChipRuns& routed, const ChipRuns& dense) {
    const auto& runs = routed.runs.front().runs;
    Checks checks{
        parts_check("cost_of_a_context_1", runs[0], kA1),
        parts_check("cost_of_a_context_8", runs[14], kA8),
        parts_check("cost_of_a_context_24", runs[46], kA24),
        parts_check("cost_of_b", runs[1], kB),
        anatomy_check("instructions_of_a_context_8", *runs[14].program, kAnatomyA8),
        anatomy_check("instructions_of_b", *runs[1].program, kAnatomyB),
        data_check(routed),
        decoder_check("cost_of_single_decoder", single, kSingle),
        decoder_check("cost_of_routed_decoder", routed, kRouted),
        decoder_check("cost_of_dense_decoder", dense, kDense),
    };
    const auto grouping = grouping_checks(routed);
    checks.insert(checks.end(), grouping.begin(), grouping.end());
    return checks;
}

}  // namespace capra::model
