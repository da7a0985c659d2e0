// Grades exercise 12: an assembler program of a STEM block, whose up-projection is a table's row.
#include "exercises/int8_layers.hpp"
#include "exercises/program_checks.hpp"
#include "isa/assembler.hpp"
#include "isa/check.hpp"
#include "isa/files.hpp"
#include "isa/target.hpp"
#include "sim/model_engine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <random>

namespace capra::exercise {
namespace {

constexpr std::uint32_t kWidth = 8;
constexpr std::uint32_t kHidden = 16;
constexpr std::uint32_t kEntries = 256;
constexpr std::uint32_t kTokens = 300;
constexpr std::uint32_t kGateAddress = 8;
constexpr std::uint32_t kDownAddress = 136;
constexpr std::uint32_t kSiluAddress = 264;
constexpr std::uint32_t kTokenAddress = 520;
constexpr std::uint32_t kYAddress = 528;
constexpr std::uint32_t kTableAddress = 1024;
constexpr std::uint32_t kEnd = kTableAddress + kTokens * kHidden;
constexpr Ratio kGate{1, 7};
constexpr Ratio kRow{3, 7};
constexpr Ratio kDown{5, 9};
constexpr double kSteps = 16;  ///< a unit, for input and output of the silu table
constexpr std::uint64_t kMostCycles = 1250;
const std::string kCostHint =
    "the row of one token is 16 words, the table 4,800: which LD is longer than it need be?";

/// What one program reads.
struct Block {
    Int8s x, gate, down, silu, row;
};

Int8s row_of(const std::vector<std::int32_t>& memory, std::uint32_t token) {
    return words(memory, kTableAddress + token * kHidden, kHidden);
}

std::uint32_t token_in(const std::vector<std::int32_t>& memory) {
    return static_cast<std::uint32_t>(memory[kTokenAddress]);
}

Block block_in(const std::vector<std::int32_t>& memory) {
    return {.x = words(memory, 0, kWidth),
            .gate = words(memory, kGateAddress, kWidth * kHidden),
            .down = words(memory, kDownAddress, kHidden * kWidth),
            .silu = words(memory, kSiluAddress, kEntries),
            .row = row_of(memory, token_in(memory))};
}

Int8s gate_of(const Block& b) {
    return rescaled(product(b.x, b.gate, kHidden), kGate);
}

Int8s down_of(const Int8s& hidden, const Block& b) {
    return rescaled(product(hidden, b.down, kWidth), kDown);
}

Int8s y_of(const Block& b) {
    return down_of(multiplied(looked_up(gate_of(b), b.silu), b.row, kRow), b);
}

/// A wrong block, and what to tell the one who wrote it.
struct Mistake {
    std::function<Int8s(const Block&)> y;
    std::string hint;
};

const std::vector<Mistake>& mistakes() {
    static const std::vector<Mistake> all = {
        {[](const Block& b) { return down_of(multiplied(gate_of(b), b.row, kRow), b); },
         "this is y without silu: x W_g goes through the table before it meets the row"},
        {[](const Block& b) { return down_of(looked_up(gate_of(b), b.silu), b); },
         "this is y without the token's row: silu(x W_g) is multiplied by it"},
        {[](const Block& b) { return down_of(added(looked_up(gate_of(b), b.silu), b.row), b); },
         "this is y with the row added: here it is a factor"},
        {[](const Block& b) {
             return down_of(multiplied(gate_of(b), looked_up(b.row, b.silu), kRow), b);
         },
         "silu went over the row: the row takes the place of the up-projection, not of the gate"},
        {[](const Block& b) {
             return down_of(looked_up(multiplied(gate_of(b), b.row, kRow), b.silu), b);
         },
         "silu went over the product: only x W_g goes through it"},
        {[](Block b) {
             std::rotate(b.silu.begin(), b.silu.begin() + kEntries / 2, b.silu.end());
             return y_of(b);
         },
         "the table was read as if it began with the entry of -128; see LUT"},
        {[](Block b) {
             const Int8s stored = b.down;
             for (std::size_t i = 0; i < stored.size(); ++i)
                 b.down[i] = stored[i % kWidth * kHidden + i / kWidth];
             return y_of(b);
         },
         "W_d was read as if it were stored column by column; see bt and sb of MM"}};
    return all;
}

/// What a wrong y looks like, if it can be told.
std::string hint_for(const MemoryCase& c, const Int8s& got) {
    const Block right = block_in(c.memory);
    const auto with_row = [&](std::uint32_t token) {
        Block b = right;
        b.row = row_of(c.memory, token);
        return y_of(b);
    };
    const std::uint32_t token = token_in(c.memory);
    if (token >= kEntries && got == with_row(token % kEntries))
        return fmt::format(
            "this is y of token {}, the low byte of {}: a byte has no room for that number",
            token % kEntries, token);
    for (std::uint32_t other = 0; other < kTokens; ++other)
        if (got == with_row(other))
            return fmt::format("this is y with the row of token {}: LDXW reads the number", other);
    for (const Mistake& mistake : mistakes())
        if (got == mistake.y(right)) return mistake.hint;
    const Int8s gate = gate_of(right);
    const Int8s active = looked_up(gate, right.silu);
    const Int8s hidden = multiplied(active, right.row, kRow);
    return fmt::format("the first two of x W_g are {} {}, of silu {} {}, times the row {} {}",
                       gate[0], gate[1], active[0], active[1], hidden[0], hidden[1]);
}

/// silu(v) = v / (1 + e^-v), input and output in sixteenths.
Int8s silu_table() {
    Int8s table;
    for (std::uint32_t i = 0; i < kEntries; ++i) {
        const double v = (i < kEntries / 2 ? i : i - 256.0) / kSteps;
        table.push_back(to_int8(std::lround(std::floor(v / (1 + std::exp(-v)) * kSteps + 0.5))));
    }
    return table;
}

/// Memory whose values are drawn from -largest..largest, with this token and the table of silu.
MemoryCase drawn(std::mt19937& rng, std::uint32_t token, std::int32_t largest) {
    MemoryCase c{fmt::format("token {}, drawn values up to {}", token, largest),
                 std::vector<std::int32_t>(kEnd)};
    for (std::int32_t& word : c.memory)
        word = static_cast<std::int32_t>(rng() % (2 * largest + 1)) - largest;
    const Int8s silu = silu_table();
    std::copy(silu.begin(), silu.end(), c.memory.begin() + kSiluAddress);
    c.memory[kTokenAddress] = static_cast<std::int32_t>(token);
    return c;
}

std::vector<MemoryCase> cases() {
    constexpr std::int32_t kLargest = 64;
    std::mt19937 rng(12);
    std::vector<MemoryCase> all;
    for (const std::uint32_t token : {7U, 299U, 255U, 256U, 0U})
        all.push_back(drawn(rng, token, kLargest));
    all.push_back(drawn(rng, 150, 127));
    MemoryCase other = drawn(rng, 41, kLargest);
    other.name += ", another function in the place of silu";
    std::reverse(other.memory.begin() + kSiluAddress,
                 other.memory.begin() + kSiluAddress + kEntries);
    all.push_back(other);
    return all;
}

std::optional<Verdict> check_result(const MemoryCase& c, const sim::Result& result) {
    if (result.status.state != sim::State::halted)
        return Verdict{.law = "The program runs to its HALT, whatever the token.",
                       .where = c.name,
                       .got = fmt::format("instruction {} traps: {}", result.status.pc,
                                          isa::trap_prose(result.status.trap)),
                       .hint = "LDXW must know how many rows there are"};
    const Int8s want = y_of(block_in(c.memory));
    const Int8s got = words(result.memory, kYAddress, kWidth);
    if (got != want)
        return Verdict{.law = "Words 528..535 hold y.",
                       .where = c.name,
                       .expected = fmt::format("{}", fmt::join(want, " ")),
                       .got = fmt::format("{}", fmt::join(got, " ")),
                       .hint = hint_for(c, got)};
    return check_other_words(c, {kYAddress, kYAddress + kWidth}, result.memory);
}

}  // namespace

Verdict grade_answer(const std::string& path) {
    const isa::Program program = isa::assemble(read_file(path), path);
    const isa::Target target = isa::reference_target();
    const sim::Verification safety = sim::verify(program, target);
    if (const auto verdict = check_safety(safety)) return *verdict;
    if (const auto verdict = check_memory_words(program, kEnd)) return *verdict;
    const std::vector<MemoryCase> all = cases();
    sim::ModelEngine machine(target);
    for (const MemoryCase& c : all)
        if (const auto verdict = check_result(c, machine.run_one(program, c.memory)))
            return *verdict;
    if (const auto verdict = check_cost(safety.counters, kMostCycles, kCostHint)) return *verdict;
    if (const auto verdict = check_rtl(program, target, all)) return *verdict;
    return {.passed = true,
            .law = fmt::format("{} cases, {} cycles each, C++ machine and RTL agree", all.size(),
                               safety.counters.total)};
}

}  // namespace capra::exercise
