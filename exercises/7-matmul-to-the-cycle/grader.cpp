// Grades exercise 7: generated matrix multiplies, their values, predicted cycles and cost.
#include "exercises/7-matmul-to-the-cycle/exercise.hpp"
#include "isa/assembler.hpp"
#include "isa/check.hpp"
#include "isa/codec.hpp"
#include "isa/target.hpp"
#include "sim/model_engine.hpp"
#include "sim/replay.hpp"
#include "sim/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <random>

namespace capra::exercise {
namespace {

constexpr std::uint32_t kTile = 4;
constexpr Matmul kShapes[] = {
    {.m = 2, .k = 5, .n = 3, .shift = 9},    {.m = 1, .k = 16, .n = 16, .shift = 10},
    {.m = 8, .k = 16, .n = 12, .shift = 10}, {.m = 7, .k = 9, .n = 10, .shift = 9},
    {.m = 5, .k = 256, .n = 6, .shift = 12}, {.m = 32, .k = 8, .n = 32, .shift = 9}};

std::string name_of(const Matmul& s) {
    return fmt::format("{} x {} by {} x {}", s.m, s.k, s.k, s.n);
}

std::uint32_t c_address(const Matmul& s) {
    return s.m * s.k + s.k * s.n;
}

isa::Program program_of(const Plan& plan, const Matmul& s) {
    isa::Program program{.name = name_of(s), .memory_words = c_address(s) + s.m * s.n};
    for (const isa::Instruction& in : plan.code) program.code.push_back(isa::encode(in));
    return program;
}

std::vector<std::int32_t> drawn_memory(const Matmul& s) {
    std::mt19937 rng(7);
    std::uniform_int_distribution<std::int32_t> value(-128, 127);
    std::vector<std::int32_t> memory(c_address(s) + s.m * s.n);
    std::generate_n(memory.begin(), c_address(s), [&] { return value(rng); });
    return memory;
}

std::int32_t element(const Matmul& s, const std::vector<std::int32_t>& memory, std::uint32_t row,
                     std::uint32_t col) {
    std::int32_t sum = 0;
    for (std::uint32_t t = 0; t < s.k; ++t)
        sum += memory[row * s.k + t] * memory[s.m * s.k + t * s.n + col];
    return std::clamp((sum + (1 << (s.shift - 1))) >> s.shift, -128, 127);
}

/// What to look at when this is the first wrong element, row by row.
std::string element_hint(const Matmul& s, std::uint32_t row, std::uint32_t col) {
    const std::uint32_t whole_columns = s.n / kTile * kTile;
    const std::uint32_t whole_rows = s.m / kTile * kTile;
    if (col >= whole_columns && row == 0)
        return fmt::format("it is in the last tile of a row, which has {} columns", s.n % kTile);
    if (row >= whole_rows && col == 0 && row % kTile == 0 && row > 0)
        return fmt::format("it is in the last row of tiles, which has {} rows", s.m % kTile);
    if (row == 0 && col >= kTile)
        return "the first tile is right: where do B and the result of the next one begin?";
    if (row >= kTile)
        return "the first row of tiles is right: where do A and the result of the next one begin?";
    if (row > 0) return "its first row is right: look at the strides sa and sd";
    return "sb is the distance from a row of B to the next, as it lies in the scratchpad";
}

std::optional<Verdict> check_fields(const Plan& plan) {
    for (std::size_t i = 0; i < plan.code.size(); ++i) {
        const isa::Trap trap = isa::check(plan.code[i], isa::reference_target());
        if (trap != isa::Trap::none)
            return Verdict{
                .law = "Every instruction is legal.",
                .where =
                    fmt::format("instruction {} ({})", i, isa::row_of(plan.code[i].op).mnemonic),
                .got = fmt::format("{}: {}", isa::trap_name(trap), isa::trap_prose(trap)),
                .hint = "an MM takes at most 4 rows, 4 columns and a depth of 256"};
    }
    return std::nullopt;
}

std::optional<Verdict> check_safety(const sim::Verification& report) {
    if (report.ok()) return std::nullopt;
    return Verdict{.law = "`capra verify` finds nothing wrong with the program.",
                   .where = report.findings.front().text};
}

std::optional<Verdict> check_values(const Matmul& s, const std::vector<std::int32_t>& before,
                                    const std::vector<std::int32_t>& after) {
    for (std::uint32_t row = 0; row < s.m; ++row)
        for (std::uint32_t col = 0; col < s.n; ++col) {
            const std::int32_t want = element(s, before, row, col);
            const std::int32_t got = after[c_address(s) + row * s.n + col];
            if (got != want)
                return Verdict{.law = "C is A B, scaled and rounded.",
                               .where = fmt::format("C row {}, column {}", row, col),
                               .expected = std::to_string(want),
                               .got = std::to_string(got),
                               .hint = element_hint(s, row, col)};
        }
    return std::nullopt;
}

std::optional<Verdict> check_ends(const Plan& plan, const std::vector<sim::Retire>& trace) {
    if (plan.ends.size() != trace.size())
        return Verdict{.law = "Every instruction has its predicted end.",
                       .expected = fmt::format("{} ends", trace.size()),
                       .got = fmt::format("{} ends", plan.ends.size())};
    for (std::size_t i = 0; i < trace.size(); ++i)
        if (plan.ends[i] != trace[i].cycle)
            return Verdict{
                .law = "ends[i] is the cycle in which instruction i ends.",
                .where = fmt::format("the first wrong one is instruction {} ({})", i,
                                     isa::disassemble(isa::encode(plan.code[i]))),
                .expected = std::to_string(trace[i].cycle),
                .got = std::to_string(plan.ends[i]),
                .hint = "fetch and decode take 2 cycles, of HALT too; then the unit works"};
    return std::nullopt;
}

/// One LD, as few tiles as there can be, one RQ, one ST, HALT. The cost of all tiles depends on
/// their number alone, not on how rows and columns are shared out.
std::uint64_t least_cycles(const Matmul& s) {
    const std::uint64_t down = (s.m + kTile - 1) / kTile;
    const std::uint64_t across = (s.n + kTile - 1) / kTile;
    const std::uint64_t tiles = s.k * s.m * across + s.k * s.n * down + s.m * across + s.n * down +
                                s.m * s.n + down * across * (s.k + 5 + 2);
    return (c_address(s) + 9 + 2) + tiles + 2 * (s.m * s.n + 2 + 2) + 2;
}

std::optional<Verdict> check_cost(const Matmul& s, const sim::Counters& c) {
    if (c.total == least_cycles(s)) return std::nullopt;
    return Verdict{.law = "The program takes as few cycles as any.",
                   .expected = std::to_string(least_cycles(s)),
                   .got = fmt::format("{} = matrix {} + dma {} + vector {} + control {}", c.total,
                                      c.matrix, c.dma, c.vector, c.control),
                   .hint = "what costs the same once for a long row as for a short one?"};
}

std::optional<Verdict> check_shape(const decltype(answer)& candidate, const Matmul& s) {
    const Plan plan = candidate(s);
    if (const auto v = check_fields(plan)) return v;
    const isa::Program program = program_of(plan, s);
    const isa::Target target = isa::reference_target();
    if (const auto v = check_safety(sim::verify(program, target))) return v;
    const auto memory = drawn_memory(s);
    const sim::Result result = sim::ModelEngine(target).run_one(program, memory);
    if (const auto v = check_values(s, memory, result.memory)) return v;
    if (const auto v = check_ends(plan, result.trace)) return v;
    if (const auto v = check_cost(s, result.counters)) return v;
    const sim::Job job{&program, memory};
    const sim::ReplayReport rtl = sim::replay("verilator", target, {&job, 1});
    if (rtl.pass()) return std::nullopt;
    return Verdict{.law = "The RTL does what the C++ machine does.",
                   .got = sim::to_string(*rtl.divergence)};
}

}  // namespace

Verdict grade(const decltype(answer)& candidate) {
    std::string costs;
    for (const Matmul& s : kShapes) {
        if (auto verdict = check_shape(candidate, s)) {
            verdict->where = name_of(s) + (verdict->where.empty() ? "" : ", ") + verdict->where;
            return *verdict;
        }
        costs += fmt::format("\n{:20} {:6} cycles", name_of(s), least_cycles(s));
    }
    return {.passed = true,
            .law = "values, the end of every instruction, least cycles",
            .got = "six shapes" + costs};
}

}  // namespace capra::exercise
