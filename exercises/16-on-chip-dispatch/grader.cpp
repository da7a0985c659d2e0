// Grades exercise 16: an assembler program that routes a token and runs its expert by itself.
#include "exercises/int8_layers.hpp"
#include "exercises/program_checks.hpp"
#include "isa/assembler.hpp"
#include "isa/check.hpp"
#include "isa/codec.hpp"
#include "isa/files.hpp"
#include "isa/target.hpp"
#include "sim/decoded_program.hpp"
#include "sim/machine.hpp"
#include "sim/model_engine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <random>

namespace capra::exercise {
namespace {

using Memory = std::vector<std::int32_t>;

constexpr std::uint32_t kWidth = 8;
constexpr std::uint32_t kHidden = 16;
constexpr std::uint32_t kExperts = 4;
constexpr std::uint32_t kMatrix = kWidth * kHidden;
constexpr std::uint32_t kRouterAddress = 8;
constexpr std::uint32_t kRouteAddress = 40;
constexpr std::uint32_t kYAddress = 41;
constexpr std::uint32_t kUpAddress = 64;
constexpr std::uint32_t kDownAddress = kUpAddress + kExperts * kMatrix;
constexpr std::uint32_t kEnd = kDownAddress + kExperts * kMatrix;
constexpr Ratio kScore{1, 7};
constexpr Ratio kUp{1, 7};
constexpr Ratio kDown{3, 10};
constexpr std::uint64_t kMostCycles = 1000;
constexpr std::ptrdiff_t kTiles = 1 + kHidden / 4 + kWidth / 4;  ///< of the router and one expert

Int8s scores_of(const Memory& memory, Ratio ratio = kScore) {
    return rescaled(product(words(memory, 0, kWidth),
                            words(memory, kRouterAddress, kWidth * kExperts), kExperts),
                    ratio);
}

std::uint32_t largest(const Int8s& scores) {
    return static_cast<std::uint32_t>(std::max_element(scores.begin(), scores.end()) -
                                      scores.begin());
}

std::uint32_t route_of(const Memory& memory) {
    return largest(scores_of(memory));
}

/// relu(h W1) W2 with the matrices at these addresses.
Int8s feed_forward(const Memory& memory, std::uint32_t up, std::uint32_t down, bool relu = true) {
    Int8s hidden =
        rescaled(product(words(memory, 0, kWidth), words(memory, up, kMatrix), kHidden), kUp);
    if (relu)
        for (std::int32_t& value : hidden) value = std::max(value, 0);
    return rescaled(product(hidden, words(memory, down, kMatrix), kWidth), kDown);
}

/// y with W1 of one expert and W2 of another, or the same.
Int8s y_of(const Memory& memory, std::uint32_t first, std::uint32_t second, bool relu = true) {
    return added(words(memory, 0, kWidth), feed_forward(memory, kUpAddress + first * kMatrix,
                                                        kDownAddress + second * kMatrix, relu));
}

/// What a wrong y looks like, if it can be told.
std::string hint_for(const Memory& memory, const Int8s& got) {
    const std::uint32_t e = route_of(memory);
    const std::uint32_t up = kUpAddress + e * kMatrix;
    const Int8s h = words(memory, 0, kWidth);
    for (std::uint32_t i = 0; i < kExperts; ++i)
        for (std::uint32_t j = 0; j < kExperts; ++j) {
            if (got != y_of(memory, i, j)) continue;
            if (i == j) return fmt::format("this is y of expert {}", i);
            return fmt::format("this is y with W1 of expert {} and W2 of expert {}", i, j);
        }
    if (got == feed_forward(memory, up, kDownAddress + e * kMatrix))
        return "this is the expert's part of y alone: h is added to it";
    if (got == y_of(memory, e, e, false)) return "this is y without relu";
    const std::uint32_t pair = kUpAddress + 2 * e * kMatrix;
    if (pair + 2 * kMatrix <= kEnd && got == added(h, feed_forward(memory, pair, pair + kMatrix)))
        return "W1 and W2 of an expert were taken to lie side by side; all W1 come first";
    const Int8s hidden = rescaled(product(h, words(memory, up, kMatrix), kHidden), kUp);
    return fmt::format("the first three of h W1 are {} before relu",
                       fmt::join(words(hidden, 0, 3), " "));
}

/// The index that the instruction found which ends the run.
std::uint32_t last_index(const isa::Program& program, const MemoryCase& c) {
    const isa::Target target = isa::reference_target();
    const sim::DecodedProgram decoded = sim::decode_program(program, target);
    sim::Machine machine(target);
    machine.load_memory(c.memory);
    machine.begin();
    std::size_t at = 0;
    while (machine.step(decoded, at)) ++at;
    const isa::Instruction& in = decoded.steps[at].insn;
    if (in.op == isa::Opcode::ldxw) return static_cast<std::uint32_t>(machine.memories().ext[in.w]);
    const auto cell = [&](std::uint32_t address) {
        return static_cast<std::uint8_t>(machine.memories().spad[address]);
    };
    return in.wide == 0 ? cell(in.a) : cell(in.a) + 256U * cell(in.a + 1);
}

std::optional<Verdict> check_end(const isa::Program& program, const MemoryCase& c,
                                 const sim::Status& end) {
    if (end.state == sim::State::halted) return std::nullopt;
    const std::uint32_t index = last_index(program, c);
    return Verdict{
        .law = "The program runs to its HALT, whatever the route.",
        .where = fmt::format("{}, instruction {} ({})", c.name, end.pc,
                             isa::disassemble(program.code[end.pc])),
        .expected = fmt::format("index {}", route_of(c.memory)),
        .got = fmt::format("index {}: {}", index, isa::trap_prose(end.trap)),
        .hint = index == route_of(c.memory)
                    ? "the index is right: how many experts does this instruction know of?"
                    : "is that what AMAX wrote, or has something been written over its cell?"};
}

std::string route_hint(const Memory& memory, std::uint32_t got) {
    const Int8s scores = scores_of(memory);
    if (got == largest(words(scores, 0, kExperts - 1)))
        return "it has the highest of the first three scores";
    for (int shift = 1; shift <= 16; ++shift)
        if (got == largest(scores_of(memory, {1, shift})))
            return "with another shift its score would be as high as that of the right one";
    return fmt::format("the scores are {}; the lowest index of the highest is asked for",
                       fmt::join(scores, " "));
}

std::optional<Verdict> check_result(const isa::Program& program, const MemoryCase& c,
                                    const sim::Result& result) {
    if (auto verdict = check_end(program, c, result.status)) return verdict;
    const std::uint32_t route = route_of(c.memory);
    const auto got_route = static_cast<std::uint32_t>(result.memory[kRouteAddress]);
    if (got_route != route)
        return Verdict{.law = "Word 40 holds the index of the highest score.",
                       .where = c.name,
                       .expected = std::to_string(route),
                       .got = std::to_string(result.memory[kRouteAddress]),
                       .hint = route_hint(c.memory, got_route)};
    const Int8s want = y_of(c.memory, route, route);
    const Int8s got = words(result.memory, kYAddress, kWidth);
    if (got == want) return std::nullopt;
    return Verdict{.law = "Words 41..48 hold y of the expert with the highest score.",
                   .where = c.name,
                   .expected = fmt::format("{}", fmt::join(want, " ")),
                   .got = fmt::format("{}", fmt::join(got, " ")),
                   .hint = hint_for(c.memory, got)};
}

Memory drawn(std::mt19937& rng, std::int32_t most) {
    Memory memory(kEnd);
    for (std::int32_t& word : memory)
        word = static_cast<std::int32_t>(rng() % (2 * most + 1)) - most;
    return memory;
}

/// The router's columns of the two experts become alike but for one step of the first value.
void make_tie(Memory& memory, std::uint32_t low, std::uint32_t high) {
    for (std::uint32_t t = 0; t < kWidth; ++t) {
        const std::int32_t value = memory[t] > 0 ? 60 : -60;
        memory[kRouterAddress + t * kExperts + low] = value;
        memory[kRouterAddress + t * kExperts + high] = value;
    }
    memory[0] = 5;
    memory[kRouterAddress + low] = 60;
    memory[kRouterAddress + high] = 61;
}

/// One memory for each route, then equal scores, then values that saturate.
std::vector<MemoryCase> cases() {
    constexpr std::int32_t kMost = 64;
    std::mt19937 rng(16);
    std::vector<MemoryCase> all;
    for (const std::uint32_t route : {2U, 0U, 3U, 1U}) {
        Memory memory = drawn(rng, kMost);
        while (route_of(memory) != route) memory = drawn(rng, kMost);
        all.push_back({fmt::format("a token of expert {}", route), std::move(memory)});
    }
    Memory tie;
    do {
        tie = drawn(rng, 20);
        make_tie(tie, 1, 3);
    } while (scores_of(tie)[1] != scores_of(tie)[3]);
    all.push_back({"experts 1 and 3 have the same score", std::move(tie)});
    all.push_back({"large values", drawn(rng, 127)});
    return all;
}

std::string cost_hint(const isa::Program& program) {
    const auto tiles = std::count_if(
        program.code.begin(), program.code.end(),
        [](const isa::Word& word) { return isa::decode(word).value().op == isa::Opcode::mm; });
    if (tiles > kTiles)
        return fmt::format("router and one expert are {} MM, and these are {}", kTiles, tiles);
    return "which of the words that it loads does the program never use?";
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
        if (const auto verdict = check_result(program, c, machine.run_one(program, c.memory)))
            return *verdict;
    if (const auto verdict = check_cost(safety.counters, kMostCycles, cost_hint(program)))
        return *verdict;
    for (const MemoryCase& c : all)
        if (const auto verdict = check_other_words(c, {kRouteAddress, kYAddress + kWidth},
                                                   machine.run_one(program, c.memory).memory))
            return *verdict;
    if (const auto verdict = check_rtl(program, target, all)) return *verdict;
    return {.passed = true,
            .law = fmt::format("every route, {} cycles each, C++ machine and RTL agree",
                               safety.counters.total)};
}

}  // namespace capra::exercise
